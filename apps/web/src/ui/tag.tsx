import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const TONE = {
  neutral: 'border-line text-muted',
  warning: 'border-[color-mix(in_oklch,var(--warning-line)_55%,transparent)] text-warning',
  accent: 'border-[color-mix(in_oklch,var(--accent-line)_45%,transparent)] text-accent',
}
export type TagTone = keyof typeof TONE

/** Returns tag classes, for links and buttons styled as tags. */
export const tagClass = (tone: TagTone = 'neutral'): string =>
  cx('inline-flex items-center gap-1 rounded-sm border px-[5px] text-2xs font-medium whitespace-nowrap', TONE[tone])

/** Small framed label beside a name: a kind or rank. */
export const Tag = ({ tone, className, children }: { tone?: TagTone | undefined; className?: string | undefined; children: ReactNode }) => (
  <span className={cx(tagClass(tone), className)}>{children}</span>
)
