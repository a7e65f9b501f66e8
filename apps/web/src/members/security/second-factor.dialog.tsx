import { disableTotp } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { t } from '@tizara/languages'
import { call } from '../../lib/http/api.ts'
import { FactorCodeField } from '../../lib/proofs/factor-code-field.tsx'
import { refetch } from '../../lib/http/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useForm } from '../../ui/use-form.ts'
import { rejectionText } from '../addresses/rejection-text.ts'
import { SecondFactorSetup } from './second-factor-setup.tsx'

export interface SecondFactorDialogProps {
  /** True if enabled; the dialog then disables it. */
  on: boolean
  onClose: () => void
}

export default function SecondFactorDialog({ on, onClose }: SecondFactorDialogProps) {
  /** Reads the profile again: the app may be on already when the dialog closes over the recovery codes. */
  async function close(): Promise<void> {
    onClose()
    await refetch(profile)
  }
  async function finish(): Promise<void> {
    toast(t('The authenticator app is set up.'))
    await close()
  }
  return (
    <Dialog open title={on ? t('Switch the authenticator app off') : t('Set up an authenticator app')} onClose={() => void close()}>
      {on ? <Off onClose={onClose} /> : <SecondFactorSetup onDone={finish} />}
    </Dialog>
  )
}

function Off({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { password: '', otp: '' },
    validate: ({ password, otp }): { password?: string; otp?: string } => ({
      ...(password === '' && { password: t('This field is required') }),
      ...(otp.trim() === '' && { otp: t('This field is required') }),
    }),
    onSubmit: async (body) => {
      await call(disableTotp, { body })
      toast(t('The authenticator app is switched off.'))
      onClose()
      await refetch(profile)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <DialogForm form={form} submit={t('Switch off')} variant="danger">
      <Field label={t('Password')} error={form.errors.password}>
        <PasswordInput {...form.field('password')} />
      </Field>
      <FactorCodeField {...form.field('otp')} error={form.errors.otp} />
    </DialogForm>
  )
}
