import { Fir, Scene } from './scene.tsx'
import type { ArtProps } from './scene.tsx'

export function DomeArt(props: ArtProps) {
  return (
    <Scene sun={[256, 38, 13]} {...props}>
      <path d="M0 88 38 58l26 16 44-38 40 36 34-22 48 34 36-20 54 30v56H0Z" fill="var(--art-far)" />
      <path d="M108 36 90 52l10-2 7 6 8-7 9 3ZM38 58 26 68l9-2 6 4 7-4Z" fill="var(--art-light)" opacity=".55" />
      <path d="M0 104c46-18 92-16 150-6s112 6 170-8v60H0Z" fill="var(--art-mid)" />
      <Fir x={40} y={112} s={1.15} />
      <Fir x={58} y={116} s={0.8} />
      <Fir x={26} y={117} s={0.75} />
      <Fir x={284} y={110} s={1.2} />
      <Fir x={302} y={114} s={0.85} />
      <path d="M0 116c70-10 240-10 320 0v34H0Z" fill="var(--art-near)" />
      <ellipse cx="160" cy="121" rx="82" ry="6" fill="var(--art-ink)" opacity=".22" />
      <path d="M94 120a66 66 0 0 1 132 0Z" fill="var(--art-light)" />
      <path d="M94 120a66 66 0 0 1 132 0Z" fill="var(--art-glass)" opacity=".2" />
      <g fill="var(--art-glass)">
        <path d="M160 54 130 62l14 22h32l14-22Z" opacity=".2" />
        <path d="M130 62 108 79l-7 20 23 1 20-16Z" opacity=".45" />
        <path d="m190 62 22 17 7 20-23 1-20-16Z" opacity=".1" />
        <path d="M101 99l-7 21h28l2-20Z" opacity=".3" />
        <path d="m219 99 7 21h-28l-2-20Z" opacity=".34" />
      </g>
      <path d="M144 84h32l20 16-3 20h-66l-3-20Z" fill="var(--art-glow)" opacity=".75" />
      <path d="M148 120V98a12 12 0 0 1 24 0v22Z" fill="var(--art-glow)" />
      <path d="M148 120V98a12 12 0 0 1 24 0v22M160 86v34" fill="none" stroke="var(--art-ink)" strokeOpacity=".5" strokeWidth="1.3" />
      <g fill="none" stroke="var(--art-light)" strokeWidth="1.5" strokeLinejoin="round">
        <path
          d="M160 54 130 62l14 22h32l14-22ZM130 62l-22 17-7 20 23 1 20-16M190 62l22 17 7 20-23 1-20-16M101 99l-7 21M124 100l-2 20M219 99l7 21M196 100l2 20M108 79l16 21M212 79l-16 21M160 54l-16 30M160 54l16 30"
          strokeOpacity=".85"
        />
      </g>
      <path d="M94 120a66 66 0 0 1 132 0" fill="none" stroke="var(--art-glass)" strokeWidth="2" />
      <path d="M84 120h152v5H84Z" fill="var(--art-ink)" opacity=".6" />
      <path d="M148 125h24l10 25h-44Z" fill="var(--art-glow)" opacity=".35" />
    </Scene>
  )
}
