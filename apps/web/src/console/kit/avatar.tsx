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

/** Initials: members are round, staff square. */
export function Avatar({ name, size = '', staff }: { name: string; size?: '' | 's' | 'm' | 'l'; staff?: boolean }) {
  const hue = (Array.from(name).reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 6) + 1
  return (
    <span aria-hidden="true" className={cx('ava', size, staff === true && 'st')} style={{ '--h': `var(--c${hue})` } as CSSProperties}>
      {initials(name)}
    </span>
  )
}
