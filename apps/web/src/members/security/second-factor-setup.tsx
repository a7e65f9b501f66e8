import { beginTotp, confirmTotp } from '@tizara/contract/auth'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { useForm } from '../../ui/use-form.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { rejectionText } from '../addresses/rejection-text.ts'

interface Secret {
  secret: string
  uri: string
}

/**
 * Sets up an authenticator app in two steps, then shows the recovery codes. The profile and the console share it.
 * @param props `onDone` runs after the person has saved the codes
 */
export function SecondFactorSetup({ onDone }: { onDone: () => Promise<void> }) {
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isPending, setPending] = useState(false)
  async function finish(): Promise<void> {
    setPending(true)
    await onDone().finally(() => setPending(false))
  }
  if (codes !== undefined) return <RecoveryCodes codes={codes} pending={isPending} onDone={() => void finish()} />
  return secret === undefined ? <Begin onSecret={setSecret} /> : <Confirm {...secret} onCodes={setCodes} />
}

/** First step: the password. */
function Begin({ onSecret }: { onSecret: (secret: Secret) => void }) {
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }): { password?: string } => (password === '' ? { password: t('This field is required') } : {}),
    onSubmit: async ({ password }) => onSecret((await call(beginTotp, { body: { password } })).data),
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <DialogForm form={form} submit={t('Continue')}>
      <Field label={t('Password')} hint={t('Please confirm that it is you.')} error={form.errors.password}>
        <PasswordInput {...form.field('password')} />
      </Field>
    </DialogForm>
  )
}

/** Second step: the QR code and the first code. */
function Confirm({ secret, uri, onCodes }: Secret & { onCodes: (codes: readonly string[]) => void }) {
  const form = useForm({
    initial: { otp: '' },
    validate: ({ otp }): { otp?: string } => (otp.trim() === '' ? { otp: t('This field is required') } : {}),
    onSubmit: async (body) => onCodes((await call(confirmTotp, { body })).data.recoveryCodes),
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <DialogForm form={form} submit={t('Switch on')}>
      <p className="text-muted">
        {t('Scan the QR code with your app, or type the secret into it, then type the six digits that it shows.')}
      </p>
      <QrCode text={uri} label={t('QR code for your authenticator app')} className="mx-auto block w-fit" />
      <CopyField value={secret} label={t('Secret for your authenticator app')} />
      <Field label={t('Authenticator code')} error={form.errors.otp}>
        <Input {...form.field('otp')} inputMode="numeric" autoComplete="one-time-code" maxLength={7} mono />
      </Field>
    </DialogForm>
  )
}
