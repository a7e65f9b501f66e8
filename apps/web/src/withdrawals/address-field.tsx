import { Field } from '../ui/field.tsx'
import { Input, type InputProps } from '../ui/input.tsx'

export interface AddressFieldProps {
  label: string
  field: Pick<InputProps, 'name' | 'value' | 'onChange' | 'onBlur'>
  error: string | undefined
  pending: boolean
  hint?: string | undefined
}

/** Payout address field, with autocorrect off. */
export function AddressField({ label, field, error, pending, hint }: AddressFieldProps) {
  return (
    <Field label={label} required error={error} hint={hint}>
      <Input
        {...field}
        mono
        readOnly={pending}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={128}
      />
    </Field>
  )
}
