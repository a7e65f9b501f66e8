import { cx } from '../cx.ts'
import type { ArtProps } from './scene.tsx'

const NODES = [
  [210, 44, 15],
  [316, 112, 11],
  [338, 210, 19],
  [262, 314, 12],
  [124, 300, 16],
  [80, 196, 10],
  [112, 96, 12],
] as const

/** Decorative art beside the sign-in form: a coin and its paths. */
export function SignInArt({ className }: ArtProps) {
  return (
    <svg viewBox="0 0 420 380" aria-hidden="true" className={cx('block h-auto w-full', className)}>
      <g fill="none" stroke="var(--accent-line)">
        <circle cx="210" cy="190" r="176" strokeOpacity=".16" />
        <circle cx="210" cy="190" r="146" strokeOpacity=".5" strokeDasharray="1 7" strokeLinecap="round" strokeWidth="1.6" />
        <circle cx="210" cy="190" r="104" strokeOpacity=".4" strokeDasharray="3 6" />
        <circle cx="210" cy="190" r="72" strokeOpacity=".22" />
        {NODES.map(([x, y]) => (
          <path
            key={x}
            d={`M210 190Q${(210 + x) / 2 + (y - 190) * 0.16} ${(190 + y) / 2 - (x - 210) * 0.16} ${x} ${y}`}
            strokeOpacity=".65"
            strokeWidth="1.4"
          />
        ))}
      </g>
      <g fill="var(--surface)" stroke="var(--accent-line)" strokeWidth="1.5">
        {NODES.map(([x, y, r]) => (
          <circle key={x} cx={x} cy={y} r={r} />
        ))}
      </g>
      <g fill="var(--accent-line)">
        {NODES.map(([x, y, r]) => (
          <circle key={x} cx={x} cy={y} r={r * 0.32} />
        ))}
        <circle cx="238" cy="103" r="3" />
        <circle cx="294" cy="189" r="3" />
        <circle cx="178" cy="262" r="3" />
        <circle cx="142" cy="163" r="3" />
      </g>
      <circle cx="210" cy="190" r="52" fill="var(--accent)" />
      <circle cx="210" cy="190" r="43" fill="none" stroke="var(--accent-ink)" strokeOpacity=".35" strokeWidth="1.5" strokeDasharray="2 4" />
      <path className="brand-letter" d="M188 176h44M210 176v38" stroke="var(--accent-ink)" strokeWidth="8.5" strokeLinecap="round" />
      <circle cx="227" cy="207" r="6.5" fill="var(--accent-ink)" fillOpacity=".62" />
    </svg>
  )
}
