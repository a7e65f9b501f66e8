import KeyRound from 'lucide-react/icons/key-round'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input, type InputProps } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import type { Form } from '../ui/use-form.ts'
import { passkeysWork } from './passkeys-work.ts'

/** What proves that it is the member: a code of the authenticator app, or the password. */
export type ProofKind = 'otp' | 'password'

export interface ProofFieldProps {
  kind: ProofKind
  /** Sends the form by a passkey, where the member has one. */
  onPasskey?: (() => Promise<void>) | undefined
  field: Pick<InputProps, 'name' | 'value' | 'onChange' | 'onBlur'>
  error: string | undefined
  hint?: string | undefined
  pending?: boolean
}

/** Asks a signed-in member for one more proof. */
export function ProofField({ kind, field, error, hint, pending = false, onPasskey }: ProofFieldProps) {
  return (
    <>
      <Field label={kind === 'otp' ? 'Authenticator code' : 'Password'} error={error} hint={hint}>
        {kind === 'otp' ? (
          <Input {...field} readOnly={pending} inputMode="numeric" autoComplete="one-time-code" maxLength={7} mono />
        ) : (
          <PasswordInput {...field} readOnly={pending} autoComplete="current-password" />
        )}
      </Field>
      {onPasskey !== undefined && passkeysWork && (
        <Button block icon={<KeyRound size={16} aria-hidden="true" />} pending={pending} onClick={onPasskey}>
          Use a passkey instead
        </Button>
      )}
    </>
  )
}

/** What a form with such a field has: what is typed, and whether a passkey is to be asked for when it is sent. */
export interface ProofValues {
  proof: string
  byPasskey: boolean
}
export const NO_PROOF: ProofValues = { proof: '', byPasskey: false }

/** Whether there is no proof in a form yet. */
export const lacksProof = ({ proof, byPasskey }: ProofValues): boolean => proof.trim() === '' && !byPasskey

export async function sendByPasskey<V extends ProofValues>({ set, submit }: Pick<Form<V>, 'set' | 'submit'>): Promise<void> {
  set('byPasskey', true)
  await submit()
  set('byPasskey', false)
}

/**
 * The proof as the calls take it; none for an empty field. The browser is asked for a passkey here.
 * @throws ApiError when it has none to show
 */
export async function proofOf(kind: ProofKind, { proof, byPasskey }: ProofValues) {
  if (byPasskey) {
    const { askPasskey } = await import('./passkey-proof.ts')
    return { passkey: await askPasskey() }
  }
  if (proof === '') return {}
  return kind === 'otp' ? { otp: proof.replaceAll(/\s/g, '') } : { password: proof }
}
