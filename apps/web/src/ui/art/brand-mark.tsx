export interface BrandMarkProps {
  size?: number | undefined;
  /** Leave it out where the name stands beside the mark. */
  label?: string | undefined;
  className?: string | undefined;
}

/** The mark: a coin's edge with the T standing in it. */
export function BrandMark({ size = 28, label, className }: BrandMarkProps) {
  return (
    <svg {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })} width={size} height={size} viewBox="0 0 28 28" className={className}>
      <rect width="28" height="28" rx="8.5" fill="var(--accent)" />
      <path d="M7.5 9.75h13M14 9.75V20.5" stroke="var(--accent-ink)" strokeWidth="2.7" strokeLinecap="round" fill="none" />
      <path d="M19.4 14.2a6.4 6.4 0 0 1-2.3 5" stroke="var(--accent-ink)" strokeOpacity=".55" strokeWidth="1.7" strokeLinecap="round" fill="none" />
    </svg>
  );
}
