import { cx } from './cx.ts'

/**
 * The classes of a chip: a filter or a ready answer that is pressed on and off.
 * @param isOn for what is chosen without `aria-pressed`, such as a filter that is set
 */
export const chipClass = (isOn = false): string =>
  cx(
    'inline-flex h-[26px] items-center gap-1.5 rounded-full border px-[9px] text-xs font-medium whitespace-nowrap',
    'aria-pressed:border-accent-line/60 aria-pressed:bg-accent-soft aria-pressed:text-ink',
    isOn ? 'border-accent-line/60 bg-accent-soft text-ink' : 'border-line bg-surface text-muted',
  )
