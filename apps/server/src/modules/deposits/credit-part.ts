import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { post } from '../../ledger/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordEvents } from '../notices/index.ts'

/** Credits a locked or new payment's next part and records it. Returns the ledger transfer. */
export async function creditPart(
  tx: Tx,
  deposit: { public_id: string; member_id: bigint },
  { paymentId, amount, at }: { paymentId: string; amount: Units; at: Date },
): Promise<bigint> {
  const { rows } = await sql<{ part: number }>`
    select count(*)::int + 1 as part from payment_credit where payment_id = ${paymentId}`.execute(tx)
  const part = rows[0]?.part ?? 1
  const posted = await post(tx, {
    kind: 'deposit',
    cause: { type: 'deposit', id: deposit.public_id },
    at,
    key: `np:${paymentId}:${part}`,
    transfers: [
      { from: { system: 'SYS-DEPOSIT', asset: 'USD' }, to: { owner: deposit.member_id, kind: 'depositWallet' }, amount, newMoney: amount },
    ],
  })
  const [transfer] = posted.transfers
  if (transfer === undefined) throw new Error('a credit without a transfer')
  await tx.insertInto('payment_credit').values({ payment_id: paymentId, part, amount, credited_at: at, transfer_id: transfer.id }).execute()
  await recordEvents(tx, at, [
    {
      memberId: deposit.member_id,
      event: 'deposit',
      cause: String(transfer.id),
      amount,
      asset: 'usd',
      facts: { deposit: deposit.public_id },
    },
  ])
  await sql`update provider_payment set credited_amount = credited_amount + ${amount} where payment_id = ${paymentId}`.execute(tx)
  return transfer.id
}
