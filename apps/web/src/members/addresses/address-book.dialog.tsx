import { addPayoutAddress, confirmPayoutAddress, payoutGuard } from '@tizara/contract/withdrawals-guard'
import { t, texts } from '@tizara/languages'
import { call } from '../../lib/http/api.ts'
import { lacksProof, NO_PROOF, ProofField, type ProofKind, proofOf, sendByPasskey } from '../../lib/proofs/proof-field.tsx'
import { refetch } from '../../lib/http/query.ts'
import { Address } from '../../ui/address.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useForm } from '../../ui/use-form.ts'
import { ProveAddress } from './prove-address.tsx'
import { rejectionText } from './rejection-text.ts'
import type { BookAddress } from './address-book.queries.ts'

/** The dialog's action: adds, confirms or proves an address. */
export type BookStep = { add: true } | { confirm: BookAddress } | { prove: BookAddress }

export interface AddressBookDialogProps {
  step: BookStep
  /** Identity proof. */
  kind: ProofKind
  /** True if a passkey can replace the code. */
  passkey: boolean
  onClose: () => void
}

const NETWORKS = texts('label', [
  { value: '0', label: 'BEP(20)' },
  { value: '1', label: 'ERC(20)' },
  { value: '2', label: 'TRC(20)' },
] as const)
const networkOf = (value: string): 0 | 1 | 2 => (value === '1' ? 1 : value === '2' ? 2 : 0)

/** Adds an address to the book, confirms one, or proves that it is the member's. */
export default function AddressBookDialog({ step, ...rest }: AddressBookDialogProps) {
  return (
    <Dialog
      open
      title={
        'add' in step ? t('Add a payout address') : 'confirm' in step ? t('Confirm this address') : t('Prove that this address is yours')
      }
      onClose={rest.onClose}
    >
      {'add' in step ? (
        <Add {...rest} />
      ) : 'confirm' in step ? (
        <Confirm entry={step.confirm} {...rest} />
      ) : (
        <ProveAddress entry={step.prove} onClose={rest.onClose} />
      )}
    </Dialog>
  )
}

function Add({ kind, passkey, onClose }: Omit<AddressBookDialogProps, 'step'>) {
  const form = useForm({
    initial: { label: '', address: '', network: '0', ...NO_PROOF },
    validate: ({ label, address }): { label?: string; address?: string } => ({
      ...(label.trim() === '' && { label: t('This field is required') }),
      ...(address.trim() === '' && { address: t('This field is required') }),
    }),
    onSubmit: async ({ label, address, network, ...proof }) => {
      const entry = { label: label.trim(), address: address.trim(), network: networkOf(network) }
      const { message } = await call(addPayoutAddress, { body: { ...entry, ...(await proofOf(kind, proof)) } })
      toast(message)
      onClose()
      await refetch(payoutGuard)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <DialogForm form={form} submit={t('Add address')}>
      <Field label={t('Name')} error={form.errors.label}>
        <Input {...form.field('label')} autoComplete="off" maxLength={60} />
      </Field>
      <Field label={t('Network')}>
        <Select {...form.field('network')} options={NETWORKS} />
      </Field>
      <Field label={t('Address')} error={form.errors.address}>
        <Input {...form.field('address')} mono autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={128} />
      </Field>
      <ProofField
        kind={kind}
        field={form.field('proof')}
        error={form.errors.proof}
        pending={form.pending}
        onPasskey={passkey ? () => sendByPasskey(form) : undefined}
        hint={t('Or leave this empty and open the link that we mail you.')}
      />
    </DialogForm>
  )
}

function Confirm({ entry, kind, passkey, onClose }: Omit<AddressBookDialogProps, 'step'> & { entry: BookAddress }) {
  const form = useForm({
    initial: NO_PROOF,
    validate: (values): { proof?: string } => (lacksProof(values) ? { proof: t('This field is required') } : {}),
    onSubmit: async (values) => {
      const { message } = await call(confirmPayoutAddress, { params: { id: entry.id }, body: await proofOf(kind, values) })
      toast(message)
      onClose()
      await refetch(payoutGuard)
    },
    onError: (error) => ({ form: rejectionText(error) }),
  })
  return (
    <DialogForm form={form} submit={t('Confirm address')}>
      <p>
        <Address value={entry.address} className="break-all" />
      </p>
      <ProofField
        kind={kind}
        field={form.field('proof')}
        error={form.errors.proof}
        pending={form.pending}
        onPasskey={passkey ? () => sendByPasskey(form) : undefined}
      />
    </DialogForm>
  )
}
