import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { finalTransfersTo } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertPaymentReturn, queuePaymentReturn } from '../../withdrawals/index.ts'
import { NO_FIRST_APPROVAL } from '../decisions/first-approval.ts'
import { IS_FINAL } from '../decisions/deposit-queue.queries.ts'
import { chainKeyOf } from '../invoices/transfer-keys.ts'

/** Payments of one asset to an invoice, which go back to their payer together. */
export interface ReturnedPayments {
  /** Public deposit id. */
  deposit: string
  asset: 'usd' | 'coin'
  /** Sum shown to the two people, in units. Any other sum is rejected. */
  amount: Units
  address: string
}

/**
 * SQL: held transfer that is final on the chain, was not credited, and is in no return that can still arrive. It excludes
 * transfers whose address received another amount, because nobody knows how much arrived.
 */
const IS_RETURNABLE = sql<boolean>`t.held is not null and t.held <> 'BALANCE_DIFFERS' and t.credited_at is null and ${IS_FINAL}
  and not exists (select from payout_sending s where s.request_id = t.return_id and s.state not in ('FAILED', 'CANCELLED'))`

/** Sums the returnable payments of a deposit by asset, in units. */
export async function returnableOf(db: Db, deposit: string): Promise<{ asset: 'usd' | 'coin'; amount: Units }[]> {
  const { rows } = await sql<{ asset: 'usd' | 'coin'; amount: Units }>`
    select case t.asset when 'USD' then 'usd' else 'coin' end as asset, sum(t.amount)::bigint as amount
    from invoice_transfer t join deposit d on d.id = t.deposit_id where d.public_id = ${deposit} and ${IS_RETURNABLE}
    group by t.asset order by t.asset desc`.execute(db)
  return rows
}

/**
 * Checks a return before its proposal, as `returnPayments` does before its approval.
 * @returns the deposit's member
 * @throws AppError NOT_FOUND, CHANGE_OUTDATED if the returnable sum differs, or the payer has named another address; TRANSFER_FORGED; as `assertPaymentReturn`
 */
export async function assertReturnable(tx: Tx, deps: Deps, input: ReturnedPayments): Promise<void> {
  const { deposit } = await lockReturnable(tx, deps, input)
  await assertPaymentReturn(tx, deps, { ...input, memberId: deposit.member_id, asset: assetOf(input) })
}

/**
 * Returns payments that were not credited to an address in the member's book, after two people's decision. Their transfers are decided:
 * they can't be credited any more. If the return cannot arrive, they can be returned again.
 * @returns the return's public id, and the deposit's member
 * @throws AppError as `assertReturnable`; STOPPED during an emergency pause
 */
export async function returnPayments(tx: Tx, deps: Deps, input: ReturnedPayments): Promise<string> {
  const { deposit, keys } = await lockReturnable(tx, deps, input)
  const { id, publicId } = await queuePaymentReturn(tx, deps, { ...input, memberId: deposit.member_id, asset: assetOf(input) })
  const at = deps.clock.now()
  const returned = await sql`
    update invoice_transfer t set return_id = ${id}, decided_at = coalesce(t.decided_at, ${at})
    where t.transfer_key = any(${keys}::text[]) and ${IS_RETURNABLE}`.execute(tx)
  if (returned.numAffectedRows !== BigInt(keys.length)) throw new AppError('CHANGE_OUTDATED')
  await tx
    .updateTable('return_request')
    .set({ closed_at: at })
    .where('deposit_id', '=', deposit.id)
    .where('asset', '=', assetOf(input))
    .where('closed_at', 'is', null)
    .execute()
  // The credit on approval has changed, so a first approval of it expires.
  await tx.updateTable('deposit').set(NO_FIRST_APPROVAL).where('id', '=', deposit.id).execute()
  return publicId
}

const assetOf = ({ asset }: Pick<ReturnedPayments, 'asset'>) => (asset === 'usd' ? ('USD' as const) : ('COIN' as const))

/** Locks a deposit, as every change to its money does, and verifies the MACs of its returnable transfers. */
async function lockReturnable(tx: Tx, deps: Deps, { deposit: publicId, asset, amount, address }: ReturnedPayments) {
  const deposit = await tx.selectFrom('deposit').selectAll().where('public_id', '=', publicId).forUpdate().executeTakeFirst()
  if (deposit === undefined || deposit.address === null) throw new AppError('NOT_FOUND')
  const { rows } = await sql<{ key: string; amount: Units }>`
    select t.transfer_key as key, t.amount from invoice_transfer t
    where t.deposit_id = ${deposit.id} and t.asset = ${assetOf({ asset })} and ${IS_RETURNABLE} order by 1`.execute(tx)
  const sum = rows.reduce((total, row) => total + row.amount, 0n)
  const requested = await tx
    .selectFrom('return_request')
    .select('address')
    .where('deposit_id', '=', deposit.id)
    .where('asset', '=', assetOf({ asset }))
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  // The payer has named another address since.
  if (requested !== undefined && requested.address !== address.toLowerCase()) throw new AppError('CHANGE_OUTDATED')
  if (sum === 0n || sum !== amount) throw new AppError('CHANGE_OUTDATED')
  const final = await finalTransfersTo(tx, deps.config, deposit.address)
  const isVerified = (row: { key: string; amount: Units }) => {
    const seen = final.get(chainKeyOf(row.key))
    return seen?.amount === row.amount && seen.asset === assetOf({ asset })
  }
  if (!rows.every(isVerified)) throw new AppError('TRANSFER_FORGED')
  return { deposit, keys: rows.map(({ key }) => key) }
}
