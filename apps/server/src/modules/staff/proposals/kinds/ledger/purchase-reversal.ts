import { coinInput, id } from '@tizara/contract'
import { type PurchaseKind, purchaseKinds } from '@tizara/contract/staff-purchases'
import { asset } from '@tizara/contract/wallets'
import { sql } from 'kysely'
import * as v from 'valibot'
import { reverseCoinPurchase } from '../../../../coin/index.ts'
import { reverseNft } from '../../../../nfts/index.ts'
import { reverseStake } from '../../../../staking/index.ts'
import { noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { amountOf, textOf } from '../../shared/title-text.ts'

const REVERSE = { coin: reverseCoinPurchase, stake: reverseStake, nft: reverseNft } as const
const TABLES: Readonly<Record<PurchaseKind, string>> = { coin: 'coin_purchase', stake: 'stake', nft: 'nft_purchase' }

/** Reverses a purchase: returns the money to the wallet and cancels the purchase's pending rewards. */
export const purchaseReversal = proposalKind({
  subject: 'purchase-reversal',
  // The email, asset and amount are for the approver.
  value: v.object({ kind: v.picklist(purchaseKinds), id, email: v.string(), asset, amount: coinInput }),
  async members(db, { kind, id: publicId }) {
    const { rows } = await sql<{ memberId: bigint }>`
      select member_id as "memberId" from ${sql.table(TABLES[kind])} where public_id = ${publicId}`.execute(db)
    return rows.map(({ memberId }) => memberId)
  },
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, deps, { kind, id: publicId }) {
    const { memberId, taken } = await REVERSE[kind](tx, deps, publicId)
    const detail = { memberId: String(memberId), rewards: taken.rewards, released: String(taken.reversedUnits) }
    return { audit: [{ action: 'purchase.reverse', subject: { type: `${kind}_purchase`, id: publicId }, detail }] }
  },
  title: (value) => `Reverse a purchase of ${textOf(value['email'])}, ${amountOf(value)}`,
})
