import { Scene } from './scene.tsx'
import type { ArtProps } from './scene.tsx'

function Windows({ x, y, cols, rows }: { x: number; y: number; cols: number; rows: number }) {
  return Array.from({ length: cols * rows }, (_, i) => {
    const col = i % cols
    const row = Math.floor(i / cols)
    const lit = (col * 7 + row * 5 + cols) % 3 !== 0
    return (
      <rect
        key={i}
        x={x + col * 15}
        y={y + row * 13}
        width="9"
        height="7"
        rx="1"
        fill={lit ? 'var(--art-glow)' : 'var(--art-light)'}
        opacity={lit ? 0.95 : 0.35}
      />
    )
  })
}

function Palm({ x, y, s = 1 }: { x: number; y: number; s?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${s})`} fill="none" strokeLinecap="round">
      <path d="M0 0c2-12 1-22 5-34" stroke="var(--art-ink)" strokeOpacity=".7" strokeWidth="2.6" />
      <path
        d="M5-34c-6-7-13-6-17 0M5-34c-4-10-10-12-15-9M5-34c2-9 9-12 14-8M5-34c6-5 13-3 16 3M5-34c-3 2-7 6-7 12M5-34c4 2 8 6 8 12"
        stroke="var(--art-near)"
        strokeWidth="3.4"
      />
    </g>
  )
}

export function HotelAndResortArt(props: ArtProps) {
  return (
    <Scene sun={[268, 36, 14]} {...props}>
      <path d="M0 96c50-30 90-34 140-18s110-4 180-14v86H0Z" fill="var(--art-far)" />
      <path d="M0 108h320v42H0Z" fill="var(--art-mid)" />
      <path d="M126 24a4 4 0 0 1 4-4h60a4 4 0 0 1 4 4v94h-68Z" fill="var(--art-wall)" />
      <path d="M170 20h20a4 4 0 0 1 4 4v94h-24Z" fill="var(--art-ink)" opacity=".12" />
      <path d="M146 20v-8h28v8" fill="var(--art-wall)" opacity=".8" />
      <path d="M160 12V4l9 3-9 3" fill="var(--art-brick)" stroke="var(--art-ink)" strokeOpacity=".6" strokeWidth="1.2" />
      <Windows x={133} y={29} cols={4} rows={5} />
      <path d="M68 60a4 4 0 0 1 4-4h54v62H68Z" fill="var(--art-wall)" />
      <path d="M68 60a4 4 0 0 1 4-4h54v62H68Z" fill="var(--art-light)" opacity=".24" />
      <Windows x={76} y={65} cols={3} rows={3} />
      <path d="M194 46h50a4 4 0 0 1 4 4v68h-54Z" fill="var(--art-wall)" />
      <path d="M194 46h50a4 4 0 0 1 4 4v68h-54Z" fill="var(--art-light)" opacity=".16" />
      <Windows x={203} y={56} cols={3} rows={4} />
      <g fill="var(--art-light)" opacity=".8">
        <path d="M64 74.5h62v1.5H64ZM64 87.5h62V89H64ZM194 65.5h58V67h-58ZM194 78.5h58V80h-58ZM194 91.5h58V93h-58Z" />
      </g>
      <path d="M140 98h40v20h-40Z" fill="var(--art-glow)" />
      <path d="M134 94h52v5h-52Z" fill="var(--art-light)" />
      <path d="M153 99v19M167 99v19" stroke="var(--art-ink)" strokeOpacity=".45" strokeWidth="1.4" />
      <path d="M0 116h320v34H0Z" fill="var(--art-sand)" />
      <path d="M70 124h180l30 26H40Z" fill="var(--art-water)" />
      <path d="M70 124h180l4 3.5H66Z" fill="var(--art-ink)" opacity=".18" />
      <path
        d="M84 134q6-3 12 0t12 0 12 0M184 132q6-3 12 0t12 0 12 0M132 141q6-3 12 0t12 0 12 0 12 0M70 144q5-3 10 0t10 0M228 143q5-3 10 0t10 0"
        fill="none"
        stroke="var(--art-light)"
        strokeOpacity=".8"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <Palm x={46} y={128} s={1.25} />
      <Palm x={276} y={126} s={1.1} />
      <Palm x={28} y={122} s={0.8} />
      <g transform="translate(256 118)">
        <path d="M0 14V0" stroke="var(--art-ink)" strokeOpacity=".7" strokeWidth="1.6" />
        <path d="M-13 2C-10-8 10-8 13 2Z" fill="var(--art-brick)" />
        <path d="M-4 2c1-6 2-7 4-7.5 2 .5 3 1.5 4 7.5Z" fill="var(--art-light)" />
      </g>
    </Scene>
  )
}
