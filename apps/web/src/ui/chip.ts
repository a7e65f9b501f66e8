import { cx } from './cx.ts'

/**
 * Returns chip classes, for a toggle such as a filter or canned reply.
 * @param isOn selected state where `aria-pressed` is not used
 */
export const chipClass = (isOn = false): string =>
  cx(
    'inline-flex h-[26px] items-center gap-1.5 rounded-full border px-[9px] text-xs font-medium whitespace-nowrap',
    'aria-pressed:border-accent-line/60 aria-pressed:bg-accent-soft aria-pressed:text-ink',
    isOn ? 'border-accent-line/60 bg-accent-soft text-ink' : 'border-line bg-surface text-muted',
  )
