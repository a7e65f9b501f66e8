import { email as emailSchema, TRANSFER_MAX, USER_TRANSFER_MIN } from '@tizara/contract'
import { findReceiver, payees, userToUserDeposit } from '@tizara/contract/transfers'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { call, toApiError } from '../lib/http/api.ts'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { QuickPicks } from '../ui/quick-picks.tsx'
import { confirmMessage } from '../ui/message-store.ts'
import { formatAmount } from '../ui/money-format.ts'
import { AmountField, arrives, fee, leaves, MoneyDialog, readTyped, remains, useMoneyForm, useWallets } from '../wallets/index.ts'
import { type WaitingTransfer, WaitingTransferDialog, WaitingTransfers } from '../withdrawals/index.ts'
import { transferMessages } from './transfers.messages.ts'
import { usePayees } from './transfers.queries.ts'

const bounds = { min: USER_TRANSFER_MIN, max: TRANSFER_MAX }

/** Validates a receiver's email (VA-54). */
function emailError(text: string): string | undefined {
  const read = v.safeParse(emailSchema, text)
  return read.success ? undefined : t(read.issues[0].message)
}

/**
 * Returns the receiver's initials; empty if the server withholds them after too many requests, or lacks the call.
 * @throws ApiError if the transfer would be refused
 */
async function loadInitials(amount: Units, email: string): Promise<{ initials: string; isKnownCall: boolean }> {
  try {
    const { data } = await call(findReceiver, { body: { amount, email } })
    return { initials: data.initials, isKnownCall: true }
  } catch (thrown) {
    const { statusCode } = toApiError(thrown)
    if (statusCode === 404 || statusCode === 429) return { initials: '', isKnownCall: statusCode === 429 }
    throw thrown
  }
}

/**
 * Asks whether this is the right receiver.
 * @param initials initials of the account, after the name that the member gave; empty if unknown
 */
async function confirmReceiver(amount: Units, email: string, initials: string): Promise<boolean> {
  return confirmMessage({
    icon: 'question',
    title:
      initials === ''
        ? t('Send {amount} USD?', { amount: formatAmount(amount) })
        : t('Send {amount} USD to {initials}?', { amount: formatAmount(amount), initials }),
    text: (
      <>
        <p className="break-all">{email}</p>
        <p className="mt-2">
          {initials === '' ? t('Check the address. A transfer is final.') : t('Check the initials and the address. A transfer is final.')}
        </p>
      </>
    ),
    confirmLabel: t('Send'),
    cancelLabel: t('Back'),
  })
}

/** Sends deposit wallet USD to another member (UI-M-U2U rows, MF-09). */
export default function UserTransferDialog({ onClose, start }: DialogProps) {
  const balance = useWallets().data?.depositWallet
  const people = usePayees()
  /** Returns the name that the member gave, with the initials of the account. */
  const named = (email: string, initials: string): string => {
    const name = people.find((one) => one.email === email)?.name
    return name === undefined || initials === '' ? initials : `${name} (${initials})`
  }
  const receiverInitials = useRef('')
  const form = useMoneyForm({
    route: userToUserDeposit,
    initial: { amount: '', email: '' },
    start: start && { amount: start['amount'] ?? '', email: start['email'] ?? '' },
    amount: { name: 'amount', wallet: 'depositWallet', bounds },
    // Amount or balance 0: reported before the minimum (UI-M-U2U-05).
    hasNothingToMove: (amount) => amount === 0n || balance === 0n,
    validate: ({ email }) => {
      const errorText = emailError(email)
      return errorText === undefined ? {} : { email: errorText }
    },
    confirm: async ({ email }, amount) => {
      const address = v.parse(emailSchema, email)
      const { initials, isKnownCall } = await loadInitials(amount, address)
      receiverInitials.current = initials
      return !isKnownCall || (await confirmReceiver(amount, address, named(address, initials)))
    },
    next: ({ request }, { amount, email }) =>
      request === undefined
        ? t('{amount} USD to {current}', {
            amount: formatAmount(readTyped(amount, 'usd') ?? 0n),
            current: `${named(email.trim().toLowerCase(), receiverInitials.current)} ${email.trim()}`.trim(),
          })
        : undefined,
    body: ({ email }, amount) => ({ amount, email: v.parse(emailSchema, email) }),
    refetches: [payoutGuard, payees],
    closesOnError: true,
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
      submit={t('Transfer')}
      preview={[
        leaves('depositWallet', typed, 'USD'),
        fee(t('Fee'), 0n, 'USD'),
        receiver !== '' && { label: t('To'), value: <span className="break-all">{receiver}</span> },
        arrives(t('The receiver gets'), typed, 'USD'),
        remains('depositWallet', balance, typed, 'USD'),
      ]}
      note={t('A transfer to another member is final. A larger one waits until you confirm it here or with the link that we mail you.')}
    >
      <AmountField label={transferMessages.userAmount} {...form.amount} balance={balance} hint={t('Up to 10,000 USD at a time')} />
      <Field label={t('Receiver Email')} required error={form.errors.email}>
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
      <QuickPicks
        label={t('Sent before')}
        picks={people.map(({ email, initials, name }) => ({ value: email, label: `${name ?? initials} ${email}`.trim() }))}
        value={form.values.email}
        disabled={form.pending}
        onPick={(email) => form.set('email', email)}
      />
      <WaitingTransfers onOpen={setOpened} />
    </MoneyDialog>
  )
}
