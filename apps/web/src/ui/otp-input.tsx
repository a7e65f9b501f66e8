import { cx } from './cx.ts'
import { Input } from './input.tsx'
import type { InputProps } from './input.tsx'

export type OtpInputProps = Omit<InputProps, 'type' | 'inputMode' | 'autoComplete' | 'maxLength'> & {
  /** How many digits. */
  length?: number | undefined
}

/** A one-time code in one field: can be pasted, and filled in by the phone. */
export function OtpInput({ length = 6, className, ...rest }: OtpInputProps) {
  return (
    <Input
      {...rest}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      // Room for the spaces that come along with a pasted code.
      maxLength={length + 4}
      mono
      className={cx('max-w-60 text-lg tracking-[0.3em]', className)}
    />
  )
}
