import { BUY_TOKEN_MIN } from '@tizara/contract'
import { buyToken, buyTokenHistory } from '@tizara/contract/coin'
import { t } from '@tizara/languages'
import { divide, formatFixed, quoteBuy } from '@tizara/money'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { decimalsOf } from '../lib/lists/list-columns.tsx'
import {
  AmountField,
  arrives,
  countsForReferral,
  fee,
  leaves,
  MoneyDialog,
  rate,
  remains,
  showRejection,
  tradePriceOf,
  useGeneralSettings,
  useMoneyForm,
  useWalletHoldings,
  useWallets,
} from '../wallets/index.ts'
import { coinMessages } from './coin.messages.ts'

const bounds = { min: BUY_TOKEN_MIN }
const short = (units: bigint): string => formatAmount(units, decimalsOf(units))

/** Buys coin with the deposit wallet's USD at the shown price (UI-M-BUYTOKEN rows, MF-12). */
export default function BuyTokenDialog({ onClose }: DialogProps) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.depositWallet
  const newMoney = useWalletHoldings().data?.newMoney
  const { data: settings } = useGeneralSettings()
  const { minCoin, maxCoin } = settings ?? {}
  const trade = tradePriceOf(settings, 'buy')
  const { price } = trade
  const form = useMoneyForm({
    route: buyToken,
    initial: { coinAmount: '' },
    amount: { name: 'coinAmount', wallet: 'newIcoWallet', bounds },
    validate: () => (price === undefined ? { coinAmount: t('The price is not known yet. Please try again in a moment.') } : {}),
    body: (_, amount) => ({ coinPrice: price ?? 0n, coinAmount: amount, totalPrice: quoteBuy(amount, price ?? 0n).totalPrice }),
    onError: (error) => void showRejection(coinMessages.failed, error.message),
    history: () => '/buy-token-history',
    followUp: { label: t('Stake it now'), href: '/stack-coin?from=ico' },
    refetches: [buyTokenHistory],
    onClose,
  })
  const { typed } = form
  const quote = typed === null || price === undefined ? null : quoteBuy(typed, price)
  const affordable = balance === undefined || price === undefined || price === 0n ? undefined : divide(balance, price, 'down')
  const maxAmount = affordable !== undefined && maxCoin !== undefined && maxCoin < affordable ? maxCoin : affordable
  return (
    <MoneyDialog
      title={coinMessages.buy}
      onClose={onClose}
      form={form}
      submit={coinMessages.buyNow}
      preview={[
        leaves('depositWallet', quote?.charged ?? null, 'USD'),
        rate(tokenSymbol, trade),
        fee(t('Fee'), 0n, 'USD'),
        countsForReferral(quote?.charged ?? null, newMoney),
        arrives(t('Arrives in ICO Wallet'), typed, tokenSymbol),
        remains('depositWallet', balance, quote?.charged ?? null, 'USD'),
      ]}
      note={price !== undefined && t('If the price changes before you confirm, nothing is bought.')}
    >
      <AmountField
        label={t('Coin Amount')}
        {...form.amount}
        max={maxAmount}
        hint={
          (minCoin !== undefined || maxCoin !== undefined) && (
            <>
              {minCoin !== undefined && t('Min {minCoin}', { minCoin: short(minCoin) })}
              {minCoin !== undefined && maxCoin !== undefined && ' · '}
              {maxCoin !== undefined && t('Max {maxCoin}', { maxCoin: short(maxCoin) })} {tokenSymbol}
            </>
          )
        }
      />
      <Field label={t('Total Price')}>
        <Input
          readOnly
          value={quote === null ? '' : formatFixed(quote.totalPrice)}
          end={<span className="text-sm text-faint">{t('USD')}</span>}
        />
      </Field>
    </MoneyDialog>
  )
}
