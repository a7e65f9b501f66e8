import { coinInput } from '@tizara/contract'
import * as v from 'valibot'
import { assertProceeds, sendProceeds } from '../../../../transfers/index.ts'
import { salesFundRows } from '../../shared/coverage-rows.ts'
import { noCurrent, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { amountOf, textOf } from '../../shared/title-text.ts'

/** Sends money of the sales fund to an address of the operator (docs/decisions/0054-proceeds-of-sales.md). */
export const proceeds = proposalKind({
  subject: 'proceeds',
  value: v.object({ amount: coinInput, address: v.string() }),
  members: noMembers,
  current: noCurrent,
  baseline: 'all-fields',
  assertAllowed: assertProceeds,
  async apply(tx, deps, value) {
    const id = await sendProceeds(tx, deps, value)
    const detail = { amount: String(value.amount), address: value.address }
    return { audit: [{ action: 'proceeds', subject: { type: 'proceeds_payout', id }, detail }] }
  },
  coverage: (db, { amount }) => salesFundRows(db, -amount),
  title: (value) => `${amountOf({ ...value, asset: 'usd' })} of the sales fund to the operator's address ${textOf(value['address'])}`,
})
