import { email as emailSchema, TRANSFER_MAX, USER_TRANSFER_MIN } from '@tizara/contract'
import { userToUserDeposit } from '@tizara/contract/transfers'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { useState } from 'react'
import * as v from 'valibot'
import type { DialogProps } from '../lib/later-dialog.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { AmountField, arrives, fee, leaves, MoneyDialog, remains, useMoneyForm, useWallets } from '../wallets/index.ts'
import { type WaitingTransfer, WaitingTransferDialog, WaitingTransfers } from '../withdrawals/index.ts'
import { transferMessages } from './transfers.messages.ts'

const bounds = { min: USER_TRANSFER_MIN, max: TRANSFER_MAX }

/** Validates a receiver's email (VA-54). */
function emailFault(text: string): string | undefined {
  const read = v.safeParse(emailSchema, text)
  return read.success ? undefined : read.issues[0].message
}

/** Sends deposit wallet USD to another member (UI-M-U2U rows, MF-09). */
export default function UserTransferDialog({ onClose }: DialogProps) {
  const balance = useWallets().data?.depositWallet
  const form = useMoneyForm({
    route: userToUserDeposit,
    initial: { amount: '', email: '' },
    amount: { name: 'amount', wallet: 'depositWallet', bounds },
    // Amount or balance 0: reported before the minimum (UI-M-U2U-05).
    nothing: (amount) => amount === 0n || balance === 0n,
    validate: ({ email }) => {
      const fault = emailFault(email)
      return fault === undefined ? {} : { email: fault }
    },
    body: ({ email }, amount) => ({ amount, email: v.parse(emailSchema, email) }),
    outdates: [payoutGuard],
    closesFailed: true,
    onClose,
  })
  const { typed } = form
  const [opened, setOpened] = useState<WaitingTransfer>()
  const receiver = form.values.email.trim()
  // Replaces the form, because a nested form would submit both.
  if (opened !== undefined) return <WaitingTransferDialog transfer={opened} onClose={() => setOpened(undefined)} />
  return (
    <MoneyDialog
      title={transferMessages.userToUser}
      onClose={onClose}
      form={form}
      submit="Transfer"
      preview={[
        leaves('depositWallet', typed, 'USD'),
        fee('Fee', 0n, 'USD'),
        receiver !== '' && { label: 'To', value: <span className="break-all">{receiver}</span> },
        arrives('The receiver gets', typed, 'USD'),
        remains('depositWallet', balance, typed, 'USD'),
      ]}
      note="A transfer to another member is final. A larger one waits until you confirm it here or by the link that we mail you."
    >
      <AmountField label={transferMessages.userAmount} {...form.amount} balance={balance} hint="Up to 10,000 USD at a time" />
      <Field label="Receiver Email" required error={form.errors.email}>
        <Input
          {...form.field('email')}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={form.pending}
        />
      </Field>
      <WaitingTransfers onOpen={setOpened} />
    </MoneyDialog>
  )
}
