import { formatFixed, type Units, usdForCoin } from '@tizara/money'
import type { WalletKey } from '@tizara/contract/wallets'
import { useAppConfig } from '../settings/index.ts'
import { Input } from '../ui/input.tsx'
import { Field } from '../ui/field.tsx'
import {
  AmountField,
  amountFault,
  arrives,
  type Bounds,
  fee,
  leaves,
  type MoneyAnswer,
  MoneyDialog,
  rate,
  readTyped,
  remains,
  useGeneralSettings,
  useMoneyForm,
  walletMessages,
} from '../wallets/index.ts'
import { ReadOnlyBalance } from './read-only-balance.tsx'

export interface CoinToUsdProps {
  title: string
  submit: string
  /** The wallet that gives coin; the deposit wallet gets USD. */
  wallet: WalletKey
  balance: Units | undefined
  /** The balance in a field of its own, above the amount. */
  balanceField?: boolean
  bounds: Bounds
  hint: string
  name: string
  /** `quoted`: the USD units that the form shows. */
  send: (amount: Units, idempotencyKey: string, quoted: Units | undefined) => Promise<MoneyAnswer>
  onClose: () => void
}

/** Coin into USD of the deposit wallet at the current price: what both swaps to USD share (MF-10, MF-11). */
export function CoinToUsd({ title, submit, wallet, balance, balanceField, bounds, hint, name, send, onClose }: CoinToUsdProps) {
  const { tokenSymbol } = useAppConfig()
  const price = useGeneralSettings().data?.coinPrice
  const form = useMoneyForm({
    name,
    initial: { amount: '' },
    validate: ({ amount }) => {
      const fault = amountFault(amount, 'coin', bounds)
      return fault === undefined ? {} : { amount: fault }
    },
    body: ({ amount }) => ({ amount: readTyped(amount, 'coin') ?? 0n }),
    send: (body, key) => send(body.amount, key, price && usdForCoin(body.amount, price)),
    failed: { title: walletMessages.failed, closes: true },
    done: { fallback: walletMessages.done },
    onClose,
  })
  const typed = readTyped(form.values.amount, 'coin')
  const usd = typed === null || price === undefined ? null : usdForCoin(typed, price)
  return (
    <MoneyDialog
      title={title}
      onClose={onClose}
      form={form}
      submit={submit}
      preview={[
        leaves(wallet, typed, tokenSymbol),
        rate(tokenSymbol, price),
        fee('Fee', 0n, 'USD'),
        arrives('Arrives in Deposit Wallet', usd, 'USD'),
        remains(wallet, balance, typed, tokenSymbol),
      ]}
    >
      {balanceField === true && <ReadOnlyBalance wallet={wallet} balance={balance} />}
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet={wallet}
        balance={balanceField === true ? undefined : balance}
        most={balance}
        bounds={bounds}
        onFill={(text) => form.set('amount', text)}
        hint={hint}
      />
      <Field label="You receive">
        <Input readOnly value={usd === null ? '' : formatFixed(usd)} end={<span className="text-sm text-faint">USD</span>} />
      </Field>
    </MoneyDialog>
  )
}
