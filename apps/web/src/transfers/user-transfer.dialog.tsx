import { email as emailSchema, TRANSFER_MAX, USER_TRANSFER_MIN } from '@tizara/contract'
import { userToUserDeposit } from '@tizara/contract/transfers'
import * as v from 'valibot'
import { call } from '../lib/api.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import {
  AmountField,
  amountFault,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  readTyped,
  remains,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { transferMessages } from './transfers.messages.ts'

export interface UserTransferDialogProps {
  open: boolean
  onClose: () => void
}

const bounds = { min: USER_TRANSFER_MIN, max: TRANSFER_MAX }

/** What is wrong with a receiver's address (VA-54). */
function emailFault(text: string): string | undefined {
  const read = v.safeParse(emailSchema, text)
  return read.success ? undefined : read.issues[0].message
}

/** USD of the deposit wallet to another member (UI-M-U2U rows, MF-09). */
export function UserTransferDialog({ open, onClose }: UserTransferDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const balance = useWallets().data?.depositWallet
  // An amount of 0, or nothing to send: both warn and close, before the minimum is looked at (UI-M-U2U-05).
  const isZero = (amount: string): boolean => readTyped(amount, 'usd') === 0n || balance === 0n
  const form = useMoneyForm({
    name: userToUserDeposit.name,
    initial: { amount: '', email: '' },
    validate: ({ amount, email }) => {
      if (isZero(amount)) return {}
      const wrongAmount = amountFault(amount, 'usd', bounds)
      const wrongEmail = emailFault(email)
      return { ...(wrongAmount !== undefined && { amount: wrongAmount }), ...(wrongEmail !== undefined && { email: wrongEmail }) }
    },
    refuse: ({ amount }) => (isZero(amount) ? { title: walletMessages.zeroTitle, text: walletMessages.zero, closes: true } : undefined),
    body: ({ amount, email }) => ({ amount: readTyped(amount, 'usd') ?? 0n, email: v.parse(emailSchema, email) }),
    send: (body, idempotencyKey) => call(userToUserDeposit, { body, idempotencyKey }),
    failed: { title: walletMessages.failed, closes: true },
    done: { fallback: walletMessages.done },
    onClose,
  })
  const typed = readTyped(form.values.amount, 'usd')
  const receiver = form.values.email.trim()
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
      note="A transfer to another member is final."
    >
      <AmountField
        label={transferMessages.userAmount}
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="depositWallet"
        balance={balance}
        bounds={bounds}
        onFill={(text) => form.set('amount', text)}
        hint="Up to 10,000 USD at a time"
      />
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
    </MoneyDialog>
  )
}
