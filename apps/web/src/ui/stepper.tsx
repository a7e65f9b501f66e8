import { texts } from '@tizara/languages'
import type { ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { cx } from './cx.ts'

export interface Step {
  key: string
  label: ReactNode
  hint?: ReactNode
  state: 'done' | 'current' | 'todo' | 'failed'
}

export interface StepperProps {
  label: string
  steps: readonly Step[]
  /** Stacks the steps at every width. */
  vertical?: boolean | undefined
  className?: string | undefined
}

const LINE = { done: 'border-accent-line', current: 'border-accent-line', todo: 'border-line', failed: 'border-danger' }
const WORD = texts({ done: 'done', current: 'now', todo: 'to come', failed: 'failed' })

/** Shows a process's states in a row. */
export function Stepper({ label, steps, vertical, className }: StepperProps) {
  return (
    <ol aria-label={label} className={cx('flex flex-col gap-2', vertical !== true && 'sm:flex-row', className)}>
      {steps.map(({ key, label: text, hint, state }) => (
        <li
          key={key}
          aria-current={state === 'current' ? 'step' : undefined}
          className={cx(
            'flex-1 border-s-[3px] py-0.5 ps-3',
            vertical !== true && 'sm:border-t-[3px] sm:border-s-0 sm:pt-2 sm:ps-0',
            LINE[state],
          )}
        >
          <span
            className={cx(
              'flex items-center gap-1.5 text-sm',
              state === 'current' ? 'font-semi text-ink' : state === 'failed' ? 'font-semi text-danger' : 'text-muted',
            )}
          >
            {state === 'done' && <Check size={14} aria-hidden="true" className="text-accent" />}
            {state === 'failed' && <X size={14} aria-hidden="true" />}
            {text}
            <span className="sr-only">({WORD[state]})</span>
          </span>
          {hint && <span className="block text-xs text-faint">{hint}</span>}
        </li>
      ))}
    </ol>
  )
}
