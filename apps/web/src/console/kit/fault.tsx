import type { CSSProperties } from 'react'
import { cx } from '../../ui/cx.ts'

/** What went wrong, or nothing. */
export const Fault = ({ text, className, style }: { text: string | undefined; className?: string; style?: CSSProperties }) =>
  text === undefined ? null : (
    <p role="alert" className={cx('note bad', className)} style={style}>
      {text}
    </p>
  )
