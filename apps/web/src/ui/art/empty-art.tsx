import type { ArtProps } from './scene.tsx'

export function EmptyArt({ className }: ArtProps) {
  return (
    <svg width="132" height="96" viewBox="0 0 132 96" aria-hidden="true" className={className}>
      <ellipse cx="66" cy="86" rx="50" ry="6" fill="var(--hover)" />
      <rect x="34" y="18" width="50" height="62" rx="7" transform="rotate(-8 59 49)" fill="var(--raised)" stroke="var(--line-strong)" />
      <path
        d="M48 12h42a6 6 0 0 1 6 6v62l-6-4-6 4-6-4-6 4-6-4-6 4-6-4-6 4V18a6 6 0 0 1 6-6Z"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="1.5"
      />
      <circle cx="60" cy="28" r="6" fill="var(--accent-soft)" stroke="var(--accent-line)" strokeWidth="1.5" />
      <path d="M72 25h14M72 31h8M54 44h32M54 52h24M54 60h28" stroke="var(--line-strong)" strokeWidth="3" strokeLinecap="round" />
      <path d="M108 20v8M104 24h8M22 40v6M19 43h6" stroke="var(--accent-line)" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
