import { type myWalletToUsd, salesFund, type withdrawRcmCoin } from '@tizara/contract/transfers'
import type { WalletKey } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { formatFixed, type Units, usdForCoin } from '@tizara/money'
import { useAppConfig } from '../settings/index.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import {
  AmountField,
  arrives,
  availableNow,
  type Bounds,
  fee,
  leaves,
  MoneyDialog,
  rate,
  remains,
  tradePriceOf,
  useGeneralSettings,
  useMoneyForm,
} from '../wallets/index.ts'
import { ReadOnlyBalance } from './read-only-balance.tsx'
import { SellRequests } from './sell-request.tsx'
import { useSalesFund } from './transfers.queries.ts'

export interface CoinToUsdProps {
  route: typeof myWalletToUsd | typeof withdrawRcmCoin
  title: string
  submit: string
  /** Wallet that pays the coin; the deposit wallet receives USD. */
  wallet: WalletKey
  balance: Units | undefined
  /** Shows the balance in a separate field above the amount. */
  balanceField?: boolean
  bounds: Bounds
  hint: string
  onClose: () => void
}

/** Converts coin to deposit wallet USD at the sell price, up to what the sales fund has; shared by both swaps (MF-10, MF-11). */
export function CoinToUsd({ route, title, submit, wallet, balance, balanceField, bounds, hint, onClose }: CoinToUsdProps) {
  const { tokenSymbol } = useAppConfig()
  const { data: settings } = useGeneralSettings()
  const available = useSalesFund()
  const trade = tradePriceOf(settings, 'sell')
  const { price } = trade
  const form = useMoneyForm({
    route,
    initial: { amount: '' },
    amount: { name: 'amount', wallet, bounds },
    body: (_, amount) => ({ amount }),
    quoted: (_, amount) => price && usdForCoin(amount, price),
    closesOnError: true,
    refetches: [salesFund],
    onClose,
  })
  const { typed } = form
  const usd = typed === null || price === undefined ? null : usdForCoin(typed, price)
  return (
    <MoneyDialog
      title={title}
      onClose={onClose}
      form={form}
      submit={submit}
      preview={[
        leaves(wallet, typed, tokenSymbol),
        rate(tokenSymbol, trade),
        fee(t('Fee'), 0n, 'USD'),
        arrives(t('Arrives in Deposit Wallet'), usd, 'USD'),
        availableNow(available, usd, 'USD'),
        remains(wallet, balance, typed, tokenSymbol),
      ]}
      note={
        wallet === 'icoWallet' ? (
          <SellRequests
            beyondFund={typed !== null && usd !== null && available !== undefined && usd > available ? typed : null}
            price={price}
            symbol={tokenSymbol}
          />
        ) : undefined
      }
    >
      {balanceField === true && <ReadOnlyBalance wallet={wallet} balance={balance} />}
      <AmountField label={t('Amount')} {...form.amount} balance={balanceField === true ? undefined : balance} max={balance} hint={hint} />
      <Field label={t('You receive')}>
        <Input readOnly value={usd === null ? '' : formatFixed(usd)} end={<span className="text-sm text-faint">{t('USD')}</span>} />
      </Field>
    </MoneyDialog>
  )
}
