import type { WalletKey } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import { Address } from '../ui/address.tsx'
import type { DescriptionRow } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { walletNames } from './wallet-names.ts'
import type { TradePrice } from './wallet.queries.ts'

/**
 * Builds preview rows in the order debit, fee, rate, credit, recipient, remaining balance. Figures are exact; a missing amount shows a
 * dash.
 */
function figure(value: Units | null, unit: string) {
  return value === null ? <span className="text-faint">–</span> : <Money value={value} unit={unit} decimals="exact" />
}

export function leaves(wallet: WalletKey, value: Units | null, unit: string): DescriptionRow {
  return { key: 'leaves', label: t('Leaves {walletNames}', { walletNames: walletNames[wallet] }), value: figure(value, unit) }
}

export function fee(label: string, value: Units | null, unit: string): DescriptionRow {
  return { key: `fee-${label}`, label, value: figure(value, unit) }
}

/** Shows the price `1 TIZARA = 0.008 USD`, its planned next value, and until when both prices count. */
export function rate(coin: string, { price, hint }: TradePrice): DescriptionRow | false {
  return price !== undefined && { key: 'rate', label: t('Rate'), value: `1 ${coin} = ${formatUnits(price)} USD`, hint }
}

export function arrives(label: string, value: Units | null, unit: string, decimals?: number): DescriptionRow {
  const shown = value !== null && decimals !== undefined ? <Money value={value} unit={unit} decimals={decimals} /> : figure(value, unit)
  return { key: 'arrives', label, value: shown, strong: true }
}

/** Shows the part of a payment for which the buyer's sponsor gets a referral reward (RW-01): new money is spent first. */
export function countsForReferral(charged: Units | null, newMoney: Units | undefined): DescriptionRow | false {
  if (charged === null || newMoney === undefined) return false
  return {
    key: 'countsForReferral',
    label: t('Counts for a referral reward'),
    value: figure(newMoney < charged ? newMoney : charged, 'USD'),
    ...(newMoney < charged && { hint: t('The rest was not deposited, or has earned a referral reward before.') }),
  }
}

/** Shows what the sales fund can pay now. More is refused. */
export function availableNow(available: Units | undefined, value: Units | null, unit: string): DescriptionRow | false {
  return (
    available !== undefined && {
      key: 'available',
      label: t('Available for sales now'),
      value: figure(available, unit),
      ...(value !== null && value > available ? { hint: t('Not enough for this amount now') } : {}),
    }
  )
}

/** Shows the full recipient address in groups. */
export function toAddress(address: string): DescriptionRow | false {
  return address.trim() !== '' && { key: 'to', label: t('To'), value: <Address value={address.trim()} />, stacked: true }
}

/** Shows the remaining balance; nothing if the balance is insufficient. */
export function remains(wallet: WalletKey, balance: Units | undefined, value: Units | null, unit: string): DescriptionRow | false {
  if (balance === undefined) return false
  const left = balance - (value ?? 0n)
  return {
    key: 'remains',
    label: t('Remains in {walletNames}', { walletNames: walletNames[wallet] }),
    value: left < 0n ? <span className="text-danger">{t('Not enough')}</span> : figure(left, unit),
  }
}
