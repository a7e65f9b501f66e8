import { fillText } from '@tizara/contract/response-texts'
import type { Db } from '../../platform/db/database.ts'
import type { ReceiptFinder } from '../histories/index.ts'
import { progressOf } from '../rewards/index.ts'
import { momentLine, receiptFromTransfers } from '../wallets/index.ts'

async function stakeReceipt(db: Db, memberId: bigint, id: string, omega: boolean) {
  const stake = await db
    .selectFrom('stake')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .where('is_omega', '=', omega)
    .executeTakeFirst()
  if (stake === undefined || stake.transfer_id === null) return undefined
  const { processed } = (await progressOf(db, [id]))(id)
  return receiptFromTransfers(db, memberId, stake.transfer_id, {
    kind: omega ? 'stake-log' : 'stake',
    id,
    title: omega ? 'Omega stake' : 'Stake',
    status: stake.status,
    // The transfer of an import contains all stakes of the member.
    ...(stake.imported_at === null ? {} : { amount: stake.amount }),
    rule: 'daily reward = amount ÷ 100 × apy ÷ duration, rounded down at the eighth decimal',
    ruleVersion: String(stake.programme_version),
    rate: stake.apy,
    rateUnit: 'percent over the whole duration',
    base: stake.amount,
    baseAsset: 'coin',
    rounding: 'down',
    sourceLabel: stake.plan_name,
    lines: [
      { label: 'Duration', value: fillText('{days} days', { days: stake.duration_days }) },
      { label: 'Reward days so far', value: String(processed) },
      ...(stake.imported_at === null ? [] : [momentLine('Moved from the earlier platform', stake.imported_at)]),
      ...(stake.reversed_at === null ? [] : [momentLine('Reversed', stake.reversed_at)]),
      ...(stake.matures_at === null || stake.reversed_at !== null ? [] : [momentLine('Matures', stake.matures_at)]),
    ],
    ...(stake.matured_at === null ? {} : { settledAt: stake.matured_at }),
  })
}

export const findStakeReceipt: ReceiptFinder = (db, memberId, id) => stakeReceipt(db, memberId, id, false)

export const findStakeLogReceipt: ReceiptFinder = (db, memberId, id) => stakeReceipt(db, memberId, id, true)
