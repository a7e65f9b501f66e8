import { Field } from '../ui/field.tsx'
import { Input, type InputProps } from '../ui/input.tsx'

/** Six-digit authenticator code, shown when the server requires it. */
export function AppCodeField({ error, ...input }: InputProps & { error?: string | undefined }) {
  return (
    <Field label="Authenticator code" hint="The six digits that your authenticator app shows now." error={error}>
      <Input {...input} inputMode="numeric" autoComplete="one-time-code" maxLength={7} autoFocus mono />
    </Field>
  )
}
