import type { WalletKey } from '@tizara/contract/wallets'
import { type Units, usdForCoin } from '@tizara/money'
import type { ReactNode } from 'react'
import { Card } from '../ui/card.tsx'
import { cx } from '../ui/cx.ts'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { walletColor, walletNames } from '../wallets/index.ts'

export interface WalletCardProps {
  wallet: WalletKey
  unit: string
  /** undefined while unknown, null if unavailable. */
  balance: Units | undefined | null
  /** USD for one coin, for the estimate below a coin balance. */
  coinPrice?: Units | undefined
  actions: ReactNode
  className?: string | undefined
}

/** Wallet card: name, balance with 2 decimals (UI-DASH-16) and actions. */
export function WalletCard({ wallet, unit, balance, coinPrice, actions, className }: WalletCardProps) {
  return (
    <Card
      className={cx(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:flex-col sm:flex-nowrap sm:items-stretch sm:justify-start',
        className,
      )}
      aria-label={walletNames[wallet]}
    >
      <div className="min-w-fit sm:min-w-0">
        <h3 className="flex items-center gap-2 text-sm font-medium text-muted">
          <span aria-hidden="true" className="size-2 shrink-0 rounded-[3px]" style={{ background: walletColor(wallet) }} />
          {walletNames[wallet]}
        </h3>
        <p className="mt-1 min-h-[30px] text-lg font-strong tracking-num whitespace-nowrap sm:text-xl">
          {balance === undefined ? (
            <Skeleton className="h-[18px] w-32 translate-y-[5px]" />
          ) : balance === null ? (
            '–'
          ) : (
            <Money value={balance} unit={unit} decimals={2} tap />
          )}
        </p>
        {/* USD wallets have no estimate; the space aligns them with neighbours. */}
        <p className={cx('min-h-[1.125rem] text-xs text-faint', unit === 'USD' && 'max-sm:hidden')}>
          {coinPrice !== undefined && balance !== undefined && balance !== null && balance >= 0n && (
            <Money value={usdForCoin(balance, coinPrice)} unit="USD" approx />
          )}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-stretch gap-2 sm:mt-auto sm:flex-row sm:flex-wrap sm:pt-3">{actions}</div>
    </Card>
  )
}
