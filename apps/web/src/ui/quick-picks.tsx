import type { ReactNode } from 'react'
import { chipClass } from './chip.ts'

export interface QuickPick {
  /** Fills the field. */
  value: string
  label: ReactNode
}

export interface QuickPicksProps {
  label: string
  picks: readonly QuickPick[]
  /** The field's value; its pick is marked. */
  value: string
  disabled?: boolean | undefined
  onPick: (value: string) => void
}

/** Offers values that were used or saved before, below the field that they fill. */
export function QuickPicks({ label, picks, value, disabled, onPick }: QuickPicksProps) {
  if (picks.length === 0) return null
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-1.5">
      <span aria-hidden="true" className="text-xs text-faint">
        {label}
      </span>
      {picks.map((pick) => (
        <button
          key={pick.value}
          type="button"
          title={pick.value}
          aria-pressed={pick.value === value.trim()}
          disabled={disabled}
          className={`${chipClass()} max-w-full hover:bg-hover`}
          onClick={() => onPick(pick.value)}
        >
          <span className="truncate">{pick.label}</span>
        </button>
      ))}
    </div>
  )
}
