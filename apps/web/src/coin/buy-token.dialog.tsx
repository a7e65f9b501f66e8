import { BUY_TOKEN_MIN } from '@tizara/contract'
import { buyToken, buyTokenHistory } from '@tizara/contract/coin'
import { divide, formatFixed, quoteBuy } from '@tizara/money'
import { call } from '../lib/api.ts'
import { refetch } from '../lib/query.ts'
import { useAppConfig } from '../settings/index.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { decimalsOf } from '../lib/list-columns.tsx'
import {
  AmountField,
  amountFault,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  rate,
  readTyped,
  remains,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { coinMessages } from './coin.messages.ts'

export interface BuyTokenDialogProps {
  open: boolean
  onClose: () => void
}

const bounds = { min: BUY_TOKEN_MIN }
const short = (units: bigint): string => formatAmount(units, decimalsOf(units))

/** Coin for USD of the deposit wallet at the price shown (UI-M-BUYTOKEN rows, MF-12). */
export function BuyTokenDialog({ open, onClose }: BuyTokenDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.depositWallet
  const { data: settings } = useGeneralSettings()
  const { coinPrice: price, minCoin, maxCoin } = settings ?? {}
  const form = useMoneyForm({
    name: buyToken.name,
    initial: { coinAmount: '' },
    validate: ({ coinAmount }) => {
      const fault =
        amountFault(coinAmount, 'coin', bounds) ??
        (price === undefined ? 'The price is not known yet. Please try again in a moment.' : undefined)
      return fault === undefined ? {} : { coinAmount: fault }
    },
    body: ({ coinAmount }) => {
      const amount = readTyped(coinAmount, 'coin') ?? 0n
      return { coinPrice: price ?? 0n, coinAmount: amount, totalPrice: quoteBuy(amount, price ?? 0n).totalPrice }
    },
    send: (body, idempotencyKey) => call(buyToken, { body, idempotencyKey }),
    failed: { title: coinMessages.failed, closes: false },
    done: { fallback: walletMessages.done, history: '/buy-token-history' },
    onDone: () => void refetch(buyTokenHistory),
    onClose,
  })
  const typed = readTyped(form.values.coinAmount, 'coin')
  const quote = typed === null || price === undefined ? null : quoteBuy(typed, price)
  const affordable = balance === undefined || price === undefined || price === 0n ? undefined : divide(balance, price, 'down')
  const most = affordable !== undefined && maxCoin !== undefined && maxCoin < affordable ? maxCoin : affordable
  return (
    <MoneyDialog
      title={coinMessages.buy}
      onClose={onClose}
      form={form}
      submit={coinMessages.buyNow}
      preview={[
        leaves('depositWallet', quote?.charged ?? null, 'USD'),
        rate(tokenSymbol, price),
        fee('Fee', 0n, 'USD'),
        arrives('Arrives in ICO Wallet', typed, tokenSymbol),
        remains('depositWallet', balance, quote?.charged ?? null, 'USD'),
      ]}
      note={price !== undefined && 'The price holds as shown: when it changes before you press, nothing is bought.'}
    >
      <AmountField
        label="Coin Amount"
        field={form.field('coinAmount')}
        error={form.errors.coinAmount}
        pending={form.pending}
        wallet="newIcoWallet"
        most={most}
        onFill={(text) => form.set('coinAmount', text)}
        hint={
          (minCoin !== undefined || maxCoin !== undefined) && (
            <>
              {minCoin !== undefined && `Min ${short(minCoin)}`}
              {minCoin !== undefined && maxCoin !== undefined && ' · '}
              {maxCoin !== undefined && `Max ${short(maxCoin)}`} {tokenSymbol}
            </>
          )
        }
      />
      <Field label="Total Price">
        <Input readOnly value={quote === null ? '' : formatFixed(quote.totalPrice)} end={<span className="text-sm text-faint">USD</span>} />
      </Field>
    </MoneyDialog>
  )
}
