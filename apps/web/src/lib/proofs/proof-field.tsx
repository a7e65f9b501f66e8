import { t } from '@tizara/languages'
import KeyRound from 'lucide-react/icons/key-round'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { InputProps } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import type { Form } from '../../ui/use-form.ts'
import { FactorCodeField } from './factor-code-field.tsx'
import { passkeysWork } from './passkeys-work.ts'

/** Identity proof: authenticator code or password. */
export type ProofKind = 'otp' | 'password'

export interface ProofFieldProps {
  kind: ProofKind
  /** Submits the form with a passkey, if the member has one. */
  onPasskey?: (() => Promise<void>) | undefined
  field: Pick<InputProps, 'name' | 'value' | 'onChange' | 'onBlur'>
  error: string | undefined
  hint?: string | undefined
  pending?: boolean
}

/** Field for a signed-in member's second identity proof. */
export function ProofField({ kind, field, error, hint, pending = false, onPasskey }: ProofFieldProps) {
  return (
    <>
      {kind === 'otp' ? (
        <FactorCodeField {...field} readOnly={pending} error={error} hint={hint} />
      ) : (
        <Field label={t('Password')} error={error} hint={hint}>
          <PasswordInput {...field} readOnly={pending} autoComplete="current-password" />
        </Field>
      )}
      {onPasskey !== undefined && passkeysWork && (
        <Button block icon={<KeyRound size={16} aria-hidden="true" />} pending={pending} onClick={onPasskey}>
          {t('Use a passkey instead')}
        </Button>
      )}
    </>
  )
}

/** Proof field values: the typed proof, and whether to ask for a passkey on submit. */
export interface ProofValues {
  proof: string
  byPasskey: boolean
}
export const NO_PROOF: ProofValues = { proof: '', byPasskey: false }

/** Returns true if the form has no proof yet. */
export const lacksProof = ({ proof, byPasskey }: ProofValues): boolean => proof.trim() === '' && !byPasskey

export async function sendByPasskey<V extends ProofValues>({ set, submit }: Pick<Form<V>, 'set' | 'submit'>): Promise<void> {
  set('byPasskey', true)
  await submit()
  set('byPasskey', false)
}

/**
 * Returns the proof for the call, or none for an empty field. Asks the browser for a passkey if chosen.
 * @throws ApiError if the browser has no passkey to use
 */
export async function proofOf(kind: ProofKind, { proof, byPasskey }: ProofValues) {
  if (byPasskey) {
    const { askPasskey } = await import('./passkey-proof.ts')
    return { passkey: await askPasskey() }
  }
  if (proof === '') return {}
  return kind === 'otp' ? { otp: proof.replaceAll(/\s/g, '') } : { password: proof }
}
