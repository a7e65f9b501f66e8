import type { ReplyOf } from '@tizara/contract'
import type { staffMemberDetail } from '@tizara/contract/staff-members'
import type { WalletKey } from '@tizara/contract/wallets'
import { Fragment } from 'react'
import { Money } from '../../ui/money.tsx'
import { useWalletUnit, walletNames, walletOrder } from '../../wallets/wallet-names.ts'

type Balances = Pick<ReplyOf<typeof staffMemberDetail>, 'balances' | 'held'>

const holdNames: Readonly<Partial<Record<WalletKey, string>>> = {
  depositWallet: 'Held for withdrawals',
  icoWallet: 'Held for bridges',
}

/**
 * Shows all wallets of a member in the order of the member app, with held amounts below their wallets. Empty wallets share one line. All
 * decision pages use it.
 */
export function WalletList({ balances, held }: Balances) {
  const unitOf = useWalletUnit()
  const heldIn = (wallet: WalletKey): bigint => (wallet === 'depositWallet' ? held.usd : wallet === 'icoWallet' ? held.coin : 0n)
  const isEmpty = (wallet: WalletKey): boolean => balances[wallet] === 0n && heldIn(wallet) === 0n
  const empty = walletOrder.filter(isEmpty)
  const row = (wallet: WalletKey) => (
    <Fragment key={wallet}>
      <div className="flex items-baseline justify-between gap-4 py-0.5">
        <dt className="text-muted">{walletNames[wallet]}</dt>
        <dd className="text-right font-medium">
          <Money value={balances[wallet]} unit={unitOf(wallet)} />
        </dd>
      </div>
      {heldIn(wallet) > 0n && (
        <div className="flex items-baseline justify-between gap-4 py-0.5 pl-3">
          <dt className="text-faint">{holdNames[wallet]}</dt>
          <dd className="text-right">
            <Money value={heldIn(wallet)} unit={unitOf(wallet)} />
          </dd>
        </div>
      )}
    </Fragment>
  )
  return (
    <div className="text-xs">
      <dl aria-label="Wallets">{walletOrder.filter((wallet) => !isEmpty(wallet)).map(row)}</dl>
      {empty.length > 0 && (
        <details>
          <summary className="py-0.5 text-faint">{empty.length === 1 ? '1 empty wallet' : `${empty.length} empty wallets`}</summary>
          <dl aria-label="Empty wallets">{empty.map(row)}</dl>
        </details>
      )}
    </div>
  )
}
