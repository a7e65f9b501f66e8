import { useMemo } from 'react'
import { encode } from 'uqr'
import { cx } from './cx.ts'

export interface QrCodeProps {
  text: string
  /** Describes the encoded content. */
  label: string
  size?: number | undefined
  className?: string | undefined
}

/** QR code, dark on light in both themes because cameras need it. Load it lazily. */
export function QrCode({ text, label, size = 168, className }: QrCodeProps) {
  const [side, path] = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: 0 })
    let d = ''
    code.data.forEach((row, y) => {
      for (let x = 0; x < row.length; x++) {
        const from = x
        while (row[x]) x++
        if (x > from) d += `M${from} ${y}h${x - from}v1h${from - x}z`
      }
    })
    return [code.size, d] as const
  }, [text])
  return (
    <span className={cx('inline-block shrink-0 rounded-xl border bg-white p-3', className)}>
      <svg
        role="img"
        aria-label={label}
        width={size}
        height={size}
        viewBox={`0 0 ${side} ${side}`}
        shapeRendering="crispEdges"
        className="block"
      >
        <path d={path} fill="#0c1a22" />
      </svg>
    </span>
  )
}
