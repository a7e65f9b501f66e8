/** Brand mark: a T and a coin rolling out from under it. An operator's logo replaces it (http/pages/brand-page.ts). */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" className="brand-mark" width={size} height={size} viewBox="0 0 28 28">
      <rect width="28" height="28" rx="8.5" fill="var(--accent)" />
      <path d="M7.5 9.75h13M14 9.75V20.5" stroke="var(--accent-ink)" strokeWidth="2.7" strokeLinecap="round" fill="none" />
      <circle cx="19.3" cy="19.3" r="2.2" fill="var(--accent-ink)" fillOpacity=".62" />
    </svg>
  )
}
