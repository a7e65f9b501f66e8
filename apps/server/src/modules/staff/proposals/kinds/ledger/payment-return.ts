import { coinInput, id } from '@tizara/contract'
import { asset } from '@tizara/contract/wallets'
import * as v from 'valibot'
import { assertReturnable, queuedDeposit, returnPayments } from '../../../../deposits/index.ts'
import { noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { amountOf, textOf } from '../../shared/title-text.ts'

/** Returns payments that were not credited to their payer (docs/decisions/0053-payment-returns.md). */
export const paymentReturn = proposalKind({
  subject: 'payment-return',
  value: v.object({ deposit: id, asset, amount: coinInput, address: v.string() }),
  async members(db, { deposit }) {
    const found = await queuedDeposit(db, deposit)
    return found === undefined ? [] : [found.memberId]
  },
  current: noCurrent,
  baseline: 'all-fields',
  assertAllowed: (tx, deps, value) => assertReturnable(tx, deps, value),
  async apply(tx, deps, value) {
    const returnId = await returnPayments(tx, deps, value)
    const { deposit, asset: of, amount, address } = value
    const detail = { deposit, asset: of, amount: String(amount), address }
    return { audit: [{ action: 'payment.return', subject: { type: 'payment_return', id: returnId }, detail }] }
  },
  title: (value) => `Return ${amountOf(value)} to ${textOf(value['address'])}`,
})
