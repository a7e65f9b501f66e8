import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useModal } from '../../ui/use-modal.ts'
import { errorTextOf } from './error-text.ts'
import { useDraft } from './drafts.ts'
import { isOffline, Offline, SendButton } from './offline.tsx'
import { useMe } from './me.tsx'
import { FormError } from './form-error.tsx'
import { sheetClass, sheetFootClass } from '../../ui/sheet.ts'
import { Button } from '../../ui/button.tsx'

const MAX_REASON = 500

export interface ActDialogProps {
  /** Action and subject: `Block Ifeoma Balogun`. */
  title: string
  /** Effects with today's figures, one sentence each. */
  effects: readonly ReactNode[]
  /** The button's verb: `Block`. */
  verb: string
  /** Label of the button that closes without acting: `Keep`. */
  keep?: string
  danger?: boolean
  /** Shown under the reason: who can read it. */
  note?: string
  /** Draft name under which the typed text is kept until the action succeeds. */
  draft: string
  /** Fields in addition to the reason. */
  children?: ReactNode
  /** False if the action needs no reason. */
  needsReason?: boolean
  /** Runs the action. The dialog shows an error that it throws and keeps the reason. */
  onDo: (reason: string) => Promise<void>
  onClose: () => void
}

/** Shows the effects of an action, then asks for the reason. The button carries the verb (staff.md 4, Members). */
export function ActDialog(props: ActDialogProps) {
  const { title, effects, verb, keep = 'Back', danger, note, draft, children, needsReason = true, onDo, onClose } = props
  const me = useMe()
  const id = useId()
  const [reason, setReason] = useDraft(`${me.person.id}:${draft}`)
  const [errorText, setErrorText] = useState<string>()
  const bind = useModal({ open: true, onClose })

  async function act(): Promise<void> {
    if (isOffline()) return
    if (needsReason && reason.trim() === '') return setErrorText('Enter a reason')
    try {
      await onDo(reason.trim())
      setReason('')
      onClose()
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act()
  }
  return (
    <dialog {...bind} className={sheetClass('sm')} aria-labelledby={`${id}-t`}>
      <form onSubmit={submit}>
        <div className="px-4 pt-3 pb-4">
          <h2 id={`${id}-t`} className="text-base font-semi tracking-head">
            {title}
          </h2>
          <ul className="text-xs text-muted mt-2">
            {effects.map((effect, index) => (
              <li key={index}>{effect}</li>
            ))}
          </ul>
          {children}
          <label className="mb-1 block font-medium mt-3" htmlFor={`${id}-r`}>
            Reason
          </label>
          <textarea
            id={`${id}-r`}
            className="control"
            rows={2}
            maxLength={MAX_REASON}
            value={reason}
            aria-describedby={`${id}-n`}
            onChange={(event) => {
              setReason(event.target.value.replaceAll('\n', ' '))
              setErrorText(undefined)
            }}
          />
          <p id={`${id}-n`} className="text-xs text-faint">
            {reason.length} of {MAX_REASON}
            {note === undefined ? '' : ` · ${note}`}
          </p>
          <FormError text={errorText} className="mt-2" />
          <Offline />
        </div>
        <div className={sheetFootClass}>
          <Button onClick={onClose}>{keep}</Button>
          <SendButton variant={danger === true ? 'danger-quiet' : 'primary'} onClick={act}>
            {verb}
          </SendButton>
        </div>
      </form>
    </dialog>
  )
}
