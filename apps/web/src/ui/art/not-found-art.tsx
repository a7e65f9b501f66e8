import type { ArtProps } from './scene.tsx'

/** Illustration for the not-found page: a path that ends. */
export function NotFoundArt({ className }: ArtProps) {
  return (
    <svg width="260" height="132" viewBox="0 0 260 132" aria-hidden="true" className={className}>
      <ellipse cx="130" cy="120" rx="104" ry="7" fill="var(--hover)" />
      <g fill="none" stroke="var(--line-strong)" strokeWidth="12" strokeLinecap="round" strokeLinejoin="round">
        <path d="M66 30 34 82h44M66 62v44M214 30l-32 52h44M214 62v44" />
      </g>
      <circle cx="140" cy="68" r="33" fill="var(--surface)" stroke="var(--accent-line)" strokeWidth="12" transform="translate(-10)" />
      <circle
        cx="130"
        cy="68"
        r="20"
        fill="none"
        stroke="var(--accent-line)"
        strokeWidth="1.5"
        strokeDasharray="2 5"
        strokeLinecap="round"
      />
      <path d="M130 56v14l8 6" fill="none" stroke="var(--ink-3)" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
      <path
        d="M104 14l4 6M158 12l-5 7M86 20l6 4M176 22l-7 3"
        stroke="var(--accent-line)"
        strokeWidth="2"
        strokeLinecap="round"
        opacity=".6"
      />
    </svg>
  )
}
