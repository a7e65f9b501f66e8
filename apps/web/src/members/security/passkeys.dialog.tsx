import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from '@tizara/contract/passkeys'
import { t } from '@tizara/languages'
import { call } from '../../lib/http/api.ts'
import { makePasskey, NoPasskeyAnswer } from '../../lib/proofs/passkey.ts'
import { ProofField } from '../../lib/proofs/proof-field.tsx'
import { refetch } from '../../lib/http/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useForm } from '../../ui/use-form.ts'
import { rejectionText } from '../addresses/rejection-text.ts'
import type { Passkey } from './passkeys.queries.ts'

export type PasskeyStep = { add: true } | { rename: Passkey } | { remove: Passkey }

const LONGEST_NAME = 60
/** Codes are valid once, so a retry needs the next one. */
const notMadeText = (): string => t('No passkey was made. Please try again with the next code of your app.')

interface Confirmation {
  name: string
  otp: string
}

async function add({ name, otp }: Confirmation): Promise<string> {
  const { data: challenge } = await call(beginPasskey, { body: { otp } })
  const registration = await makePasskey(challenge)
  await call(addPasskey, { body: { name, ...registration } })
  return t('The passkey is added. Your other sessions have ended.')
}

async function rename(passkey: Passkey, body: Confirmation): Promise<string> {
  await call(renamePasskey, { params: { id: passkey.id }, body })
  return t('The passkey has its new name.')
}

async function remove(passkey: Passkey, { otp }: Confirmation): Promise<string> {
  await call(removePasskey, { params: { id: passkey.id }, body: { otp } })
  return t('The passkey is removed. Your other sessions have ended.')
}

/** Returns the dialog's texts and its action. */
function actOf(step: PasskeyStep) {
  if ('add' in step)
    return {
      title: t('Add a passkey'),
      text: t(
        'Your browser asks for your fingerprint, your face or a security key. Your other sessions end, and withdrawals and bridges are paused for a while.',
      ),
      verb: t('Add passkey'),
      run: add,
    }
  if ('rename' in step)
    return {
      title: t('Rename the passkey'),
      text: undefined,
      verb: t('Rename'),
      run: (confirmation: Confirmation) => rename(step.rename, confirmation),
    }
  return {
    title: t('Remove “{name}”?', { name: step.remove.name }),
    text: t('It no longer signs you in. Your other sessions end, and withdrawals and bridges are paused for a while.'),
    verb: t('Remove passkey'),
    run: (confirmation: Confirmation) => remove(step.remove, confirmation),
  }
}

/** Adds, renames or removes a passkey, authorized by an authenticator code. */
export default function PasskeysDialog({ step, onClose }: { step: PasskeyStep; onClose: () => void }) {
  const act = actOf(step)
  const isNamed = !('remove' in step)
  const form = useForm({
    initial: { name: 'rename' in step ? step.rename.name : '', otp: '' },
    validate: ({ name, otp }): { name?: string; otp?: string } => ({
      ...(isNamed && name.trim() === '' && { name: t('This field is required') }),
      ...(otp.trim() === '' && { otp: t('This field is required') }),
    }),
    onSubmit: async ({ name, otp }) => {
      toast(await act.run({ name: name.trim(), otp }))
      onClose()
      await refetch(listPasskeys)
    },
    onError: (error) => ({ form: error instanceof NoPasskeyAnswer ? notMadeText() : rejectionText(error) }),
  })
  return (
    <Dialog open title={act.title} onClose={onClose} closable={!form.pending}>
      <DialogForm form={form} submit={act.verb} variant={isNamed ? 'primary' : 'danger'}>
        {act.text !== undefined && <p className="text-muted">{act.text}</p>}
        {isNamed && (
          <Field label={t('Name')} hint={t('A name to recognize it by, such as “Phone”.')} error={form.errors.name}>
            <Input {...form.field('name')} autoComplete="off" maxLength={LONGEST_NAME} />
          </Field>
        )}
        <ProofField kind="otp" field={form.field('otp')} error={form.errors.otp} pending={form.pending} />
      </DialogForm>
    </Dialog>
  )
}
