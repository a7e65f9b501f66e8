import { beginTotp, confirmTotp } from '@tizara/contract/auth'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DialogFooter } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { useForm } from '../ui/use-form.ts'
import { refusalText } from './refusal-text.ts'

export const REQUIRED = 'This field is required'

interface Secret {
  secret: string
  uri: string
}

/**
 * Sets up an authenticator app in two steps. The profile and the console share it.
 * @param props `onDone` runs after the server has accepted the first code
 */
export function SecondFactorSetup({ onDone }: { onDone: () => Promise<void> }) {
  const [secret, setSecret] = useState<Secret>()
  return secret === undefined ? <Begin onSecret={setSecret} /> : <Confirm {...secret} onDone={onDone} />
}

/** First step: the password. */
function Begin({ onSecret }: { onSecret: (secret: Secret) => void }) {
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }): { password?: string } => (password === '' ? { password: REQUIRED } : {}),
    onSubmit: async ({ password }) => onSecret((await call(beginTotp, { body: { password } })).data),
    onError: (error) => ({ form: refusalText(error) }),
  })
  return (
    <form {...form.props} className="space-y-4">
      {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
      <Field label="Password" hint="Please confirm that it is you." error={form.errors.password}>
        <PasswordInput {...form.field('password')} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" pending={form.pending}>
          Continue
        </Button>
      </DialogFooter>
    </form>
  )
}

export function CodeInput(props: ReturnType<ReturnType<typeof useForm<{ otp: string }>>['field']>) {
  return <Input {...props} inputMode="numeric" autoComplete="one-time-code" maxLength={7} mono />
}

/** Second step: the QR code and the first code. */
function Confirm({ secret, uri, onDone }: Secret & { onDone: () => Promise<void> }) {
  const form = useForm({
    initial: { otp: '' },
    validate: ({ otp }): { otp?: string } => (otp.trim() === '' ? { otp: REQUIRED } : {}),
    onSubmit: async (body) => {
      await call(confirmTotp, { body })
      await onDone()
    },
    onError: (error) => ({ form: refusalText(error) }),
  })
  return (
    <form {...form.props} className="space-y-4">
      {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
      <p className="text-muted">Scan the picture with your app, or type the secret into it, then type the six digits that it shows.</p>
      <QrCode text={uri} label="QR code for your authenticator app" className="mx-auto block w-fit" />
      <CopyField value={secret} label="Secret for your authenticator app" />
      <Field label="Authenticator code" error={form.errors.otp}>
        <CodeInput {...form.field('otp')} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" pending={form.pending}>
          Switch on
        </Button>
      </DialogFooter>
    </form>
  )
}
