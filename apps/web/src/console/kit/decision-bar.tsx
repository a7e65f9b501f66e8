import type { ReactNode, RefObject } from 'react'
import { chipClass } from '../../ui/chip.ts'
import { Kbd } from '../../ui/kbd.tsx'

const MAX_REASON = 500

/** Holds the buttons of a decision below an item. On a phone it stays above the tab bar. */
export function DecisionBar({ children }: { children: ReactNode }) {
  return (
    <div className="flex-none border-t bg-surface px-4 py-3 max-md:sticky max-md:bottom-14 max-md:z-[4] md:px-5 max-md:[&_button:not([aria-pressed])]:min-h-[46px] max-md:[&_button:not([aria-pressed])]:flex-1">
      {children}
    </div>
  )
}

interface ReasonFieldProps {
  field: RefObject<HTMLTextAreaElement | null>
  reason: string
  placeholder: string
  /** Reasons that a click or a number key chooses. */
  prepared: readonly string[]
  /** Why the reason is required, if it is missing. */
  missing?: string | undefined
  /** Receives a prepared reason, or the typed text without line breaks. */
  onReason: (reason: string) => void
  /** The person types. */
  onType: () => void
}

/** Asks for the reason of a decision. */
export function ReasonField({ field, reason, placeholder, prepared, missing, onReason, onType }: ReasonFieldProps) {
  return (
    <>
      <label className="sr-only" htmlFor="why">
        Reason
      </label>
      <textarea
        ref={field}
        id="why"
        className="control"
        rows={1}
        maxLength={MAX_REASON}
        placeholder={placeholder}
        value={reason}
        aria-invalid={missing !== undefined}
        aria-describedby={missing === undefined ? undefined : 'reason-error'}
        onChange={(event) => {
          onReason(event.target.value.replaceAll('\n', ' '))
          onType()
        }}
      />
      {missing !== undefined && (
        <p id="reason-error" className="text-xs text-danger">
          {missing}
        </p>
      )}
      <div className="my-2.5 flex flex-wrap gap-1.5 max-md:hidden">
        {prepared.map((text, index) => (
          <button key={text} type="button" className={chipClass()} aria-pressed={reason === text} onClick={() => onReason(text)}>
            {text} <Kbd>{index + 1}</Kbd>
          </button>
        ))}
      </div>
    </>
  )
}
