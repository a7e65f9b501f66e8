import { Field } from '../ui/field.tsx'
import { Input, type InputProps } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'

/** What proves that it is the member: a code of the authenticator app, or the password. */
export type ProofKind = 'otp' | 'password'

export interface ProofFieldProps {
  kind: ProofKind
  field: Pick<InputProps, 'name' | 'value' | 'onChange' | 'onBlur'>
  error: string | undefined
  hint?: string | undefined
  pending?: boolean
}

/** Asks a signed-in member for one more proof. */
export function ProofField({ kind, field, error, hint, pending = false }: ProofFieldProps) {
  return (
    <Field label={kind === 'otp' ? 'Authenticator code' : 'Password'} error={error} hint={hint}>
      {kind === 'otp' ? (
        <Input {...field} readOnly={pending} inputMode="numeric" autoComplete="one-time-code" maxLength={7} mono />
      ) : (
        <PasswordInput {...field} readOnly={pending} autoComplete="current-password" />
      )}
    </Field>
  )
}

/** The proof as the calls take it; none for an empty field. */
export const proofOf = (kind: ProofKind, typed: string): { otp?: string; password?: string } =>
  typed === '' ? {} : kind === 'otp' ? { otp: typed.replaceAll(/\s/g, '') } : { password: typed }
