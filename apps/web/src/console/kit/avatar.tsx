import type { CSSProperties } from 'react'
import { cx } from '../../ui/cx.ts'

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => Array.from(word)[0] ?? '')
    .filter((sign) => /\p{L}|\p{N}/u.test(sign))
    .slice(0, 2)
    .join('')
    .toUpperCase()

const SIZE = { '': 'size-6 text-[10px]', s: 'size-5 text-[9px]', m: 'size-8 text-xs', l: 'size-11 text-md' }
const ROUND = { full: 'rounded-full', sm: 'rounded-sm', md: 'rounded-md' }
const STYLE =
  'inline-grid flex-none place-items-center bg-[color-mix(in_oklch,var(--h)_20%,var(--surface))] font-strong text-[color-mix(in_oklch,var(--h)_45%,var(--ink))]'

/** Initials: members are round, staff square. */
export function Avatar({ name, size = '', staff }: { name: string; size?: '' | 's' | 'm' | 'l'; staff?: boolean }) {
  const hue = (Array.from(name).reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 6) + 1
  return (
    <span
      aria-hidden="true"
      className={cx(SIZE[size], ROUND[staff === true ? (size === 'm' ? 'md' : 'sm') : 'full'], STYLE)}
      style={{ '--h': `var(--c${hue})` } as CSSProperties}
    >
      {initials(name)}
    </span>
  )
}
