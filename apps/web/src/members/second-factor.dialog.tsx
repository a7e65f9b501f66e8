import { beginTotp, confirmTotp, disableTotp } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { refetch } from '../lib/query.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { refusalText } from './refusal-text.ts'

export interface SecondFactorDialogProps {
  /** True if enabled; the dialog then disables it. */
  on: boolean
  onClose: () => void
}

const REQUIRED = 'This field is required'
const needed = (text: string): string | undefined => (text.trim() === '' ? REQUIRED : undefined)

export default function SecondFactorDialog({ on, onClose }: SecondFactorDialogProps) {
  const [secret, setSecret] = useState<{ secret: string; uri: string }>()
  return (
    <Dialog open title={on ? 'Switch the authenticator app off' : 'Set up an authenticator app'} onClose={onClose}>
      {on ? <Off onClose={onClose} /> : secret === undefined ? <Begin onSecret={setSecret} /> : <Confirm {...secret} onClose={onClose} />}
    </Dialog>
  )
}

function Begin({ onSecret }: { onSecret: (secret: { secret: string; uri: string }) => void }) {
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }): { password?: string } => (password === '' ? { password: REQUIRED } : {}),
    onSubmit: async ({ password }) => onSecret((await call(beginTotp, { body: { password } })).data),
    onError: (error) => ({ form: refusalText(error) }),
  })
  return (
    <form {...form.props} className="space-y-4">
      {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
      <Field label="Password" hint="To be sure that it is you." error={form.errors.password}>
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

function CodeInput(props: ReturnType<ReturnType<typeof useForm<{ otp: string }>>['field']>) {
  return <Input {...props} inputMode="numeric" autoComplete="one-time-code" maxLength={7} mono />
}

function Confirm({ secret, uri, onClose }: { secret: string; uri: string; onClose: () => void }) {
  const form = useForm({
    initial: { otp: '' },
    validate: ({ otp }): { otp?: string } => (needed(otp) === undefined ? {} : { otp: REQUIRED }),
    onSubmit: async (body) => {
      await call(confirmTotp, { body })
      toast('The authenticator app is set up.')
      onClose()
      await refetch(profile)
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

function Off({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { password: '', otp: '' },
    validate: ({ password, otp }): { password?: string; otp?: string } => ({
      ...(password === '' && { password: REQUIRED }),
      ...(needed(otp) !== undefined && { otp: REQUIRED }),
    }),
    onSubmit: async (body) => {
      await call(disableTotp, { body })
      toast('The authenticator app is switched off.')
      onClose()
      await refetch(profile)
    },
    onError: (error) => ({ form: refusalText(error) }),
  })
  return (
    <form {...form.props} className="space-y-4">
      {form.error !== undefined && <Notice tone="danger">{form.error}</Notice>}
      <Field label="Password" error={form.errors.password}>
        <PasswordInput {...form.field('password')} />
      </Field>
      <Field label="Authenticator code" error={form.errors.otp}>
        <CodeInput {...form.field('otp')} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="danger" pending={form.pending}>
          Switch off
        </Button>
      </DialogFooter>
    </form>
  )
}
