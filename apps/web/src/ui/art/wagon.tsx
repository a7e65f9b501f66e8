import { Scene, Tree } from './scene.tsx'
import type { ArtProps } from './scene.tsx'

export function WagonArt(props: ArtProps) {
  return (
    <Scene sun={[60, 40, 15]} {...props}>
      <path d="M0 92c34-26 66-30 104-14s62 8 96-12 82-10 120 14v70H0Z" fill="var(--art-far)" />
      <path d="M0 106c60-20 120-14 172-4s100 2 148-10v58H0Z" fill="var(--art-mid)" />
      <Tree x={272} y={112} s={1.5} />
      <Tree x={296} y={117} s={1.1} />
      <Tree x={30} y={116} s={1.2} />
      <path d="M0 122c90-8 230-10 320-2v30H0Z" fill="var(--art-near)" />
      <ellipse cx="164" cy="130" rx="88" ry="5" fill="var(--art-ink)" opacity=".25" />
      <path d="M206 46V34h9v14" fill="var(--art-ink)" opacity=".8" />
      <path
        d="M210 30c-3-5 4-8 0-13s3-8 1-11"
        fill="none"
        stroke="var(--art-light)"
        strokeOpacity=".75"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <path d="M88 62c6-18 34-24 76-24s70 6 76 24Z" fill="var(--art-ink)" opacity=".82" />
      <path d="M88 62c6-18 34-24 76-24" fill="none" stroke="var(--art-light)" strokeOpacity=".3" strokeWidth="2" strokeLinecap="round" />
      <path d="M94 62h140v46a5 5 0 0 1-5 5H99a5 5 0 0 1-5-5Z" fill="var(--art-brick)" />
      <path d="M94 62h140v7H94Z" fill="var(--art-ink)" opacity=".2" />
      <path
        d="M112 70v42M132 70v42M152 70v42M176 70v42M196 70v42M216 70v42"
        stroke="var(--art-ink)"
        strokeOpacity=".13"
        strokeWidth="1.4"
      />
      <g stroke="var(--art-light)" strokeWidth="2.4" fill="var(--art-glow)">
        <rect x="106" y="76" width="24" height="20" rx="2.5" />
        <rect x="198" y="76" width="24" height="20" rx="2.5" />
        <path d="M152 113V84a12 12 0 0 1 24 0v29Z" />
      </g>
      <path d="M118 77v18M107 86h22M210 77v18M199 86h22M164 74v38" stroke="var(--art-light)" strokeWidth="1.6" />
      <circle cx="171" cy="98" r="1.4" fill="var(--art-ink)" />
      <path d="M103 99h30v4h-30ZM195 99h30v4h-30Z" fill="var(--art-near)" />
      <path
        d="M106 99c1-4 4-4 5 0 1-4 4-4 5 0 1-4 4-4 5 0 1-4 4-4 5 0M198 99c1-4 4-4 5 0 1-4 4-4 5 0 1-4 4-4 5 0 1-4 4-4 5 0"
        fill="none"
        stroke="var(--art-sun)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path d="M234 109h22l10 8" fill="none" stroke="var(--art-ink)" strokeOpacity=".8" strokeWidth="3" strokeLinecap="round" />
      <path d="M150 113h28v6h-28ZM146 119h36v7h-36Z" fill="var(--art-ink)" opacity=".6" />
      {[116, 212].map((x) => (
        <g key={x} fill="none" stroke="var(--art-ink)">
          <circle cx={x} cy="117" r="12.5" fill="var(--art-light)" fillOpacity=".25" strokeWidth="3.5" />
          <path d={`M${x} 105v24M${x - 12} 117h24M${x - 8.5} 108.5l17 17M${x + 8.5} 108.5l-17 17`} strokeWidth="1.4" />
          <circle cx={x} cy="117" r="3" fill="var(--art-sun)" strokeWidth="1.5" />
        </g>
      ))}
      <path
        d="M94 66c12 9 24 9 35 0 12 9 24 9 35 0 12 9 24 9 35 0 12 9 24 9 35 0"
        fill="none"
        stroke="var(--art-light)"
        strokeOpacity=".7"
      />
      <g fill="var(--art-glow)">
        <circle cx="111" cy="73" r="2" />
        <circle cx="146" cy="73" r="2" />
        <circle cx="181" cy="73" r="2" />
        <circle cx="216" cy="73" r="2" />
      </g>
    </Scene>
  )
}
