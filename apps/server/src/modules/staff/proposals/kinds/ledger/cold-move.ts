import { coinInput } from '@tizara/contract'
import { asset } from '@tizara/contract/wallets'
import * as v from 'valibot'
import { assertColdMove, queueColdMove } from '../../../../withdrawals/index.ts'
import { noCurrent, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { amountOf, textOf } from '../../shared/title-text.ts'

/** Moves surplus of the hot wallet to cold storage (docs/decisions/0017-payouts-are-sent-once.md). */
export const coldMove = proposalKind({
  subject: 'cold-move',
  value: v.object({ asset, amount: coinInput, address: v.string() }),
  members: noMembers,
  current: noCurrent,
  baseline: 'all-fields',
  assertAllowed: (tx, deps, { asset: of, amount, address }) =>
    assertColdMove(tx, deps, { asset: of === 'usd' ? 'USD' : 'COIN', amount, address }),
  async apply(tx, deps, { asset: of, amount, address }) {
    const id = await queueColdMove(tx, deps, { asset: of === 'usd' ? 'USD' : 'COIN', amount, address })
    return { audit: [{ action: 'cold-move', subject: { type: 'cold_move', id }, detail: { asset: of, amount: String(amount), address } }] }
  },
  title: (value) => `${amountOf(value)} to the cold address ${textOf(value['address'])}`,
})
