import { bridgeNetworks, coinInput, payoutAddress } from '@tizara/contract'
import { bridge, bridgeHistory } from '@tizara/contract/withdrawals'
import { t } from '@tizara/languages'
import { formatUnits, percentOf } from '@tizara/money'
import * as v from 'valibot'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import { Address } from '../ui/address.tsx'
import { Field } from '../ui/field.tsx'
import { confirmMessage } from '../ui/message-box.tsx'
import { Select } from '../ui/select.tsx'
import {
  AmountField,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  remains,
  showRejection,
  toAddress,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { NO_PROOF, sendByPasskey } from '../lib/proofs/proof-field.tsx'
import { AddressField, savedOn } from './address-field.tsx'
import { StepUpField, waitsText } from './step-up-field.tsx'
import { useStepUp } from './use-step-up.ts'
import { withdrawalMessages } from './withdrawals.messages.ts'

type NetworkName = keyof typeof bridgeNetworks
/** The specified call has exactly `to` and `amount` (UI-M-BRIDGE-10), so the first network is omitted. */
const plainBridge = {
  ...bridge,
  body: v.object({
    to: payoutAddress,
    amount: coinInput,
    network: v.optional(v.picklist(Object.values(bridgeNetworks))),
    stepUp: bridge.body.entries.stepUp,
  }),
}

const networkNames: readonly NetworkName[] = ['BEP(20)', 'ERC(20)', 'TRC(20)']
const networkOf = (text: string): NetworkName => networkNames.find((name) => name === text) ?? 'BEP(20)'

/** Asks the member to confirm the full address (UI-M-BRIDGE-05, ST-39). */
const askToVerify = (address: string, network: string): Promise<boolean> =>
  confirmMessage({
    icon: 'warning',
    title: t('Bridge'),
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

/** Pays coin to an external address (UI-M-BRIDGE rows, MF-04). */
export default function BridgeDialog({ onClose }: DialogProps) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.icoWallet
  const { data: settings } = useGeneralSettings()
  const percent = settings?.bridgeFeePercent ?? 0n
  const stepUp = useStepUp()
  const inputOf = (to: string, network: string) => ({
    kind: 'bridge' as const,
    address: to.trim(),
    network: bridgeNetworks[networkOf(network)],
  })
  const costOf = (amount: bigint): bigint => percentOf(amount, percent, 'up')
  const form = useMoneyForm({
    route: plainBridge,
    initial: { network: 'BEP(20)', to: '', amount: '', ...NO_PROOF },
    amount: { name: 'amount', wallet: 'icoWallet' },
    validate: ({ to }) => (to.trim() === '' ? { to: t('This field is required') } : {}),
    reject: (_, amount) => {
      if (balance === undefined || amount <= balance) return
      void showRejection(walletMessages.failed, withdrawalMessages.balanceLow, 'warning')
      return {}
    },
    confirm: async ({ to, network, ...proof }, amount) => {
      if (!(await askToVerify(to.trim(), network))) return false
      const refused = await stepUp.prove(inputOf(to, network), amount, proof)
      return refused === undefined || { fields: { proof: refused } }
    },
    body: ({ to, network }, amount) => {
      const chosen = bridgeNetworks[networkOf(network)]
      return { to: to.trim(), amount, ...(chosen !== 0 && { network: chosen }), ...stepUp.part(inputOf(to, network), amount) }
    },
    quoted: (_, amount) => amount - costOf(amount),
    successText: (message) => (message === '' ? withdrawalMessages.bridged : message),
    history: () => '/history/withdraw-history',
    onSettled: stepUp.settled,
    next: ({ waitsUntil }) => (waitsUntil === undefined ? undefined : waitsText(waitsUntil)),
    refetches: [bridgeHistory],
    onClose,
  })
  const { typed } = form
  const cost = typed === null ? null : costOf(typed)
  const minimum = settings?.bridgeMinimum ?? 0n
  return (
    <MoneyDialog
      title={t('Bridge')}
      onClose={onClose}
      form={form}
      submit={t('Bridge')}
      preview={[
        leaves('icoWallet', typed, tokenSymbol),
        fee(percent === 0n ? t('Txn Fee') : t('Txn Fee {percent} %', { percent: formatUnits(percent) }), cost, tokenSymbol),
        toAddress(form.values.to),
        arrives(
          t('Arrives on {network}', { network: form.values.network }),
          typed === null || cost === null ? null : typed - cost,
          tokenSymbol,
        ),
        remains('icoWallet', balance, typed, tokenSymbol),
      ]}
    >
      <Field label={t('Network')}>
        <Select {...form.field('network')} disabled={form.pending} options={networkNames.map((name) => ({ value: name, label: name }))} />
      </Field>
      <AddressField
        label={t('Address')}
        field={form.field('to')}
        error={form.errors.to}
        pending={form.pending}
        saved={savedOn(stepUp.guard, bridgeNetworks[networkOf(form.values.network)])}
        onPick={(address) => form.set('to', address)}
      />
      <StepUpField
        guard={stepUp.guard}
        ask={stepUp.askFor(inputOf(form.values.to, form.values.network))}
        field={form.field('proof')}
        error={form.errors.proof}
        pending={form.pending}
        onPasskey={() => sendByPasskey(form)}
      />
      <AmountField
        label={t('Amount')}
        {...form.amount}
        balance={balance}
        hint={minimum > 0n ? t('Min {minimum} {tokenSymbol}', { minimum: formatUnits(minimum), tokenSymbol }) : undefined}
      />
    </MoneyDialog>
  )
}
