import { cx } from '../cx.ts'

export interface AvatarProps {
  /** Image URL; without it, initials in a colour derived from the name. */
  src?: string | null | undefined
  name: string
  size?: number | undefined
  className?: string | undefined
}

/** Shows a person's image or coloured initials. Decorative: the name is next to it. */
export function Avatar({ src, name, size = 32, className }: AvatarProps) {
  if (src) return <img src={src} alt="" width={size} height={size} className={cx('shrink-0 rounded-full object-cover', className)} />
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 997
  const color = `var(--c${[1, 3, 4, 5, 6][sum % 5] ?? 1})`
  const initials = name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0] ?? '')
    .join('')
    .toUpperCase()
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={cx('rounded-full', className)}>
      <rect width="32" height="32" fill="var(--raised)" />
      <rect width="32" height="32" fill={color} opacity=".22" />
      {initials ? (
        <text x="16" y="16.5" textAnchor="middle" dominantBaseline="central" fontSize="12" fontWeight="620" fill="var(--ink)">
          {initials}
        </text>
      ) : (
        <g fill={color}>
          <circle cx="16" cy="12.5" r="5.5" />
          <path d="M5 32c0-8 5-11.5 11-11.5S27 24 27 32Z" />
        </g>
      )}
    </svg>
  )
}
