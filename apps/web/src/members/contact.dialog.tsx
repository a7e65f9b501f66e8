import { changeEmail, changeName, changePhone, pendingEmail } from '@tizara/contract/contact-details'
import { profile, type MemberProfile } from '@tizara/contract/members'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { useQuery } from '@tanstack/react-query'
import { t, texts } from '@tizara/languages'
import { call } from '../lib/http/api.ts'
import { lacksProof, NO_PROOF, ProofField, proofOf, sendByPasskey } from '../lib/proofs/proof-field.tsx'
import { read, refetch } from '../lib/http/query.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { Field } from '../ui/field.tsx'
import { Input, type InputProps } from '../ui/input.tsx'
import { toast } from '../ui/toast-store.ts'
import { useForm } from '../ui/use-form.ts'
import { rejectionText } from './addresses/rejection-text.ts'

export type ContactPart = 'name' | 'phone' | 'email'

/** Texts and the field of each part. */
const PARTS = texts<Readonly<Record<ContactPart, { title: string; label: string; hint: string; done: string; input: InputProps }>>>(
  ['title', 'label', 'hint', 'done'],
  {
    name: {
      title: 'Change your name',
      label: 'Name',
      hint: 'Other members see it when they send you money.',
      done: 'Your name is changed.',
      input: { autoComplete: 'name' },
    },
    phone: {
      title: 'Change your phone number',
      label: 'New phone number',
      hint: 'With the country code, such as +1 202 555 0123. Withdrawals and bridges are then paused for a while.',
      done: 'Your phone number is changed.',
      input: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
    },
    email: {
      title: 'Change your email address',
      label: 'New email address',
      hint: 'We mail a link to it. The address counts once you open the link. Withdrawals and bridges are paused for a while.',
      done: 'Please open the link that we mailed to the new address.',
      input: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none', spellCheck: false },
    },
  },
)

export interface ContactDialogProps {
  part: ContactPart
  member: MemberProfile
  onClose: () => void
}

/** Changes the name, or the phone number or email address with a proof. */
export default function ContactDialog({ part, member, onClose }: ContactDialogProps) {
  const { title, label, hint, done, input } = PARTS[part]
  const { data: guard } = useQuery({ ...read(payoutGuard), enabled: part !== 'name' })
  const kind = member.secondFactor === true ? 'otp' : 'password'
  const form = useForm({
    initial: { value: part === 'name' ? member.name : '', ...NO_PROOF },
    validate: (values): { value?: string; proof?: string } => ({
      ...(values.value.trim() === '' && { value: t('This field is required') }),
      ...(part !== 'name' && lacksProof(values) && { proof: t('This field is required') }),
    }),
    onSubmit: async ({ value, ...proof }) => {
      if (part === 'name') await call(changeName, { body: { name: value } })
      else if (part === 'phone') await call(changePhone, { body: { phone: value, ...(await proofOf(kind, proof)) } })
      else await call(changeEmail, { body: { email: value, ...(await proofOf(kind, proof)) } })
      toast(done)
      onClose()
      await Promise.all([refetch(profile), refetch(pendingEmail)])
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <Dialog open title={title} onClose={onClose} closable={!form.pending}>
      <DialogForm form={form} submit={t('Save')}>
        <Field label={label} hint={hint} error={form.errors.value}>
          <Input {...form.field('value')} {...input} />
        </Field>
        {part !== 'name' && (
          <ProofField
            kind={kind}
            field={form.field('proof')}
            error={form.errors.proof}
            pending={form.pending}
            onPasskey={guard?.passkey === true ? () => sendByPasskey(form) : undefined}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}
