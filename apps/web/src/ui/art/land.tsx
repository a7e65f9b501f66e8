import { Scene, Tree } from './scene.tsx'
import type { ArtProps } from './scene.tsx'

export function LandArt(props: ArtProps) {
  return (
    <Scene sun={[82, 36, 14]} {...props}>
      <path d="M0 80 52 44l34 22 52-38 52 40 34-18 96 40v80H0Z" fill="var(--art-far)" />
      <path d="m138 28-22 16 12-3 9 7 10-8 12 4Z" fill="var(--art-light)" opacity=".6" />
      <path d="M0 92c54-22 116-18 168-8s106-2 152-14v80H0Z" fill="var(--art-mid)" />
      <path d="M0 100c80-18 150-16 320-8v58H0Z" fill="var(--art-field)" />
      <path d="M0 100c80-18 150-16 320-8v58H0Z" fill="var(--art-mid)" opacity=".5" />
      <path d="M0 100c30-6.7 60-10.7 92-12.5L40 150H0Z" fill="var(--art-sand)" opacity=".55" />
      <path d="M92 87.5c22-1.1 44-1.3 68-1.2L142 150H40Z" fill="var(--art-field)" opacity=".65" />
      <path d="M160 86.3c22 0 44 .8 70 1.8l26 61.9H142Z" fill="var(--art-sand)" opacity=".78" />
      <path d="M230 88.1c28 1.1 58 2.4 90 3.9V150h-64Z" fill="var(--art-field)" opacity=".4" />
      <path
        d="M12 132 66 96M24 140 74 94M0 124 56 96"
        stroke="var(--art-light)"
        strokeOpacity=".45"
        strokeWidth="1.5"
        fill="none"
        strokeDasharray="5 4"
      />
      <path d="M176 96h46M173 106h54M169 118h64M164 132h76" stroke="var(--art-ink)" strokeOpacity=".13" strokeWidth="2" />
      <path d="M92 87.5 40 150M160 86.3 142 150M230 88.1 256 150" stroke="var(--art-light)" strokeWidth="2" strokeOpacity=".8" />
      <path d="M28 118c90-9 190-9 292-2" fill="none" stroke="var(--art-light)" strokeWidth="2" strokeOpacity=".8" />
      <Tree x={104} y={110} s={0.9} fill="var(--art-near)" />
      <Tree x={118} y={106} s={0.7} fill="var(--art-near)" />
      <Tree x={88} y={136} s={1.3} fill="var(--art-near)" />
      <Tree x={112} y={142} s={1} fill="var(--art-near)" />
      <Tree x={292} y={108} s={0.95} fill="var(--art-near)" />
      <Tree x={276} y={104} s={0.7} fill="var(--art-near)" />
      <g>
        <ellipse cx="197" cy="117" rx="12" ry="3.5" fill="var(--art-ink)" opacity=".25" />
        <path d="M197 116c-11-15-17-22-17-31a17 17 0 0 1 34 0c0 9-6 16-17 31Z" fill="var(--art-brick)" />
        <path d="M197 116c-11-15-17-22-17-31a17 17 0 0 1 17-17Z" fill="var(--art-light)" opacity=".14" />
        <circle cx="197" cy="85" r="7" fill="var(--art-light)" />
      </g>
      <path
        d="M262 126v14h40v-14M262 131h40M272 126v14M282 126v14M292 126v14"
        fill="none"
        stroke="var(--art-light)"
        strokeOpacity=".9"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </Scene>
  )
}
