import { bridgeNetworks, coinInput, payoutAddress } from '@tizara/contract'
import { bridge, bridgeHistory } from '@tizara/contract/withdrawals'
import { formatUnits, percentOf } from '@tizara/money'
import * as v from 'valibot'
import { call } from '../lib/api.ts'
import { refetch } from '../lib/query.ts'
import { useAppConfig } from '../settings/index.ts'
import { Address } from '../ui/address.tsx'
import { Field } from '../ui/field.tsx'
import { confirmMessage } from '../ui/message-box.tsx'
import { Select } from '../ui/select.tsx'
import {
  AmountField,
  amountFault,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  readTyped,
  remains,
  REQUIRED,
  toAddress,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { AddressField } from './address-field.tsx'
import { withdrawalMessages } from './withdrawals.messages.ts'

export interface BridgeDialogProps {
  open: boolean
  onClose: () => void
}

type NetworkName = keyof typeof bridgeNetworks
/** The call as the specification names it: exactly `to` and `amount` (UI-M-BRIDGE-10). */
const plainBridge = { ...bridge, body: v.object({ to: payoutAddress, amount: coinInput }) }

const networkNames: readonly NetworkName[] = ['BEP(20)', 'ERC(20)', 'TRC(20)']
const networkOf = (text: string): NetworkName => networkNames.find((name) => name === text) ?? 'BEP(20)'

/** Asks once more, with the whole address (UI-M-BRIDGE-05, ST-39). */
const askToVerify = (address: string, network: string): Promise<boolean> =>
  confirmMessage({
    icon: 'warning',
    title: 'Bridge',
    text: <p>{withdrawalMessages.verify}</p>,
    confirmLabel: withdrawalMessages.yes,
    cancelLabel: withdrawalMessages.cancel,
    children: (
      <div className="rounded-xl border bg-raised px-3.5 py-3">
        <p className="mb-1 text-sm text-muted">{network}</p>
        <Address value={address} className="break-all" />
      </div>
    ),
  })

/** A payout of coin to an address outside (UI-M-BRIDGE rows, MF-04). */
export function BridgeDialog({ open, onClose }: BridgeDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.icoWallet
  const { data: settings } = useGeneralSettings()
  const percent = settings?.bridgeFeePercent ?? 0n
  const form = useMoneyForm({
    name: bridge.name,
    initial: { network: 'BEP(20)', to: '', amount: '' },
    validate: ({ to, amount }) => {
      const fault = amountFault(amount, 'coin')
      return { ...(to.trim() === '' && { to: REQUIRED }), ...(fault !== undefined && { amount: fault }) }
    },
    refuse: ({ amount }) =>
      balance !== undefined && (readTyped(amount, 'coin') ?? 0n) > balance
        ? { title: walletMessages.failed, text: withdrawalMessages.balanceLow }
        : undefined,
    confirm: ({ to, network }) => askToVerify(to.trim(), network),
    body: ({ to, amount, network }) => ({
      to: to.trim(),
      amount: readTyped(amount, 'coin') ?? 0n,
      network: bridgeNetworks[networkOf(network)],
    }),
    send: ({ network, ...plain }, idempotencyKey) => {
      const sent = { idempotencyKey, quoted: plain.amount - percentOf(plain.amount, percent, 'up') }
      return network === 0 ? call(plainBridge, { body: plain, ...sent }) : call(bridge, { body: { ...plain, network }, ...sent })
    },
    failed: { title: walletMessages.failed, closes: false },
    done: { fallback: withdrawalMessages.bridged, history: '/history/withdraw-history' },
    onDone: () => void refetch(bridgeHistory),
    onClose,
  })
  const typed = readTyped(form.values.amount, 'coin')
  const cost = typed === null ? null : percentOf(typed, percent, 'up')
  const minimum = settings?.bridgeMinimum ?? 0n
  return (
    <MoneyDialog
      title="Bridge"
      onClose={onClose}
      form={form}
      submit="Bridge"
      preview={[
        leaves('icoWallet', typed, tokenSymbol),
        fee(percent === 0n ? 'Txn Fee' : `Txn Fee ${formatUnits(percent)} %`, cost, tokenSymbol),
        toAddress(form.values.to),
        arrives(`Arrives on ${form.values.network}`, typed === null || cost === null ? null : typed - cost, tokenSymbol),
        remains('icoWallet', balance, typed, tokenSymbol),
      ]}
    >
      <Field label="Network">
        <Select {...form.field('network')} disabled={form.pending} options={networkNames.map((name) => ({ value: name, label: name }))} />
      </Field>
      <AddressField label="Address" field={form.field('to')} error={form.errors.to} pending={form.pending} />
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="icoWallet"
        balance={balance}
        onFill={(text) => form.set('amount', text)}
        hint={minimum > 0n ? `Min ${formatUnits(minimum)} ${tokenSymbol}` : undefined}
      />
    </MoneyDialog>
  )
}
