import type { BodyOf, ReplyOf } from '@tizara/contract'
import type { leaveSellRequest, sellRequests } from '@tizara/contract/transfers'
import { sql } from 'kysely'
import { balancesOf } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordEvents } from '../notices/index.ts'
import { tradeSettings } from '../settings/index.ts'
import { neededByRequests } from './sales-fund.ts'

/** Rows in a member's list. */
const MAX_SHOWN = 20

/**
 * Creates a request to sell coin of My Wallet (`icoWallet`) as soon as the sales fund has enough (MF-10). The coin stays in the wallet.
 * @returns its public id
 * @throws AppError INSUFFICIENT_BALANCE; SELL_REQUEST_OPEN while another request of the member is open
 */
export async function leaveRequest(tx: Tx, deps: Deps, memberId: bigint, input: BodyOf<typeof leaveSellRequest>): Promise<string> {
  const at = deps.clock.now()
  await expireRequests(tx, at, memberId)
  if ((await balancesOf(tx, memberId)).icoWallet < input.amount) throw new AppError('INSUFFICIENT_BALANCE')
  const publicId = deps.ids.publicId()
  const left = await tx
    .insertInto('sell_request')
    .values({
      public_id: publicId,
      member_id: memberId,
      amount: input.amount,
      lowest_price: input.lowestPrice,
      created_at: at,
      expires_at: new Date(at.getTime() + input.days * DAY_MS),
    })
    .onConflict((conflict) => conflict.column('member_id').where('status', '=', 'OPEN').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (left === undefined) throw new AppError('SELL_REQUEST_OPEN')
  return publicId
}

/**
 * Withdraws the unsold rest of a member's open request.
 * @throws AppError NOT_FOUND; ALREADY_DECIDED if it is closed
 */
export async function withdrawRequest(tx: Tx, deps: Deps, memberId: bigint, publicId: string): Promise<void> {
  const own = tx.selectFrom('sell_request').select('id').where('public_id', '=', publicId).where('member_id', '=', memberId)
  const row = await own.executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  const closed = await tx
    .updateTable('sell_request')
    .set({ status: 'WITHDRAWN', closed_at: deps.clock.now() })
    .where('id', '=', row.id)
    .where('status', '=', 'OPEN')
    .executeTakeFirst()
  if (closed.numUpdatedRows === 0n) throw new AppError('ALREADY_DECIDED')
}

/** Lists a member's newest requests. */
export async function listRequests(db: Db, memberId: bigint): Promise<ReplyOf<typeof sellRequests>> {
  const rows = await db
    .selectFrom('sell_request')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return {
    data: rows.map((row) => ({
      id: row.public_id,
      amount: row.amount,
      sold: row.sold,
      received: row.received,
      lowestPrice: row.lowest_price,
      status: statusOf(row.status),
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    })),
  }
}

const statusOf = (status: string) => (status === 'SOLD' || status === 'WITHDRAWN' || status === 'EXPIRED' ? status : 'OPEN')

/**
 * Closes expired requests and notifies the members.
 * @param memberId only this member's requests; all members' if omitted
 * @returns the number of closed requests
 */
export async function expireRequests(tx: Tx, at: Date, memberId?: bigint): Promise<number> {
  const due = tx
    .updateTable('sell_request')
    .set({ status: 'EXPIRED', closed_at: at })
    .where('status', '=', 'OPEN')
    .where('expires_at', '<=', at)
    .returning(['public_id', 'member_id', 'amount', 'sold'])
  const expired = await (memberId === undefined ? due : due.where('member_id', '=', memberId)).execute()
  await recordEvents(
    tx,
    at,
    expired.map((row) => ({
      memberId: row.member_id,
      event: 'sell-request',
      cause: row.public_id,
      amount: row.amount - row.sold,
      asset: 'coin',
      facts: { step: 'expired', request: row.public_id },
    })),
  )
  return expired.length
}

/**
 * Withdraws all open requests in a restored database, because members may have withdrawn them after the backup.
 * @returns the number of requests
 */
export async function closeOpenRequests(tx: Tx, at: Date): Promise<number> {
  const open = tx.updateTable('sell_request').set({ status: 'WITHDRAWN', closed_at: at }).where('status', '=', 'OPEN')
  return Number((await open.executeTakeFirst()).numUpdatedRows)
}

/** Reads the open requests for staff: number, coin and needed USD of all requests, and the oldest requests. Amounts are in units. */
export async function readOpenRequests(db: Db, at: Date) {
  const { sellPrice } = await tradeSettings(db, at)
  const open = db.selectFrom('sell_request').where('sell_request.status', '=', 'OPEN')
  const total = await open
    .select(
      sql<{ count: number; coin: string }>`json_build_object('count', count(*), 'coin', coalesce(sum(amount - sold), 0)::text)`.as('all'),
    )
    .executeTakeFirstOrThrow()
  const oldest = await open
    .innerJoin('member', 'member.id', 'sell_request.member_id')
    .select(['member.public_id', 'member.email', 'amount', 'sold', 'lowest_price', 'sell_request.created_at', 'expires_at'])
    .orderBy('sell_request.id')
    .limit(MAX_SHOWN)
    .execute()
  return {
    count: total.all.count,
    coin: BigInt(total.all.coin),
    needed: await neededByRequests(db, at, sellPrice),
    oldest: oldest.map((row) => ({
      member: { id: row.public_id, email: row.email },
      amount: row.amount,
      sold: row.sold,
      lowestPrice: row.lowest_price,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    })),
  }
}
