import type { Units } from '@tizara/money'
import type { Transfer } from '../../../ledger/index.ts'

/** Amounts of a payment return, in units. */
interface ReturnedAmounts {
  asset: 'USD' | 'COIN'
  received: Units
  network_fee: Units
}

/**
 * Returns the ledger transfers of a payment return: the payment came in and leaves again, and its network fee is income.
 * @param isReversal true for the opposite transfers, after a return that cannot arrive
 */
export function returnTransfers({ asset, received, network_fee: fee }: ReturnedAmounts, isReversal = false): Transfer[] {
  const incoming = { system: 'SYS-DEPOSIT', asset } as const
  const outgoing = { system: asset === 'USD' ? ('SYS-WITHDRAW' as const) : ('SYS-BRIDGE' as const), asset }
  const income = { system: 'SYS-FEE', asset } as const
  const between = <Side>(from: Side, to: Side) => (isReversal ? { from: to, to: from } : { from, to })
  return [
    { ...between<Transfer['from']>(incoming, outgoing), amount: received },
    ...(fee === 0n
      ? []
      : [
          {
            ...between<Transfer['from']>(incoming, income),
            amount: fee,
            kind: isReversal ? ('returnFeeReversed' as const) : ('returnFee' as const),
          },
        ]),
  ]
}
