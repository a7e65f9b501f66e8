import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { exactOf, unitsOf } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { approvalMac } from '../sending/approval-mac.ts'
import { walletHoldings } from './wallet-holdings.queries.ts'

/** Surplus for a cold address. */
export interface ColdMove {
  asset: 'USD' | 'COIN'
  amount: Units
  /** An address of RESERVE_ADDRESSES, in upper or lower case. */
  address: string
}

/**
 * Checks a cold move before its proposal and before its approval. The worker checks the surplus again when it signs.
 * @throws AppError NOT_APPROVED if payouts are sent by hand; INVALID_ADDRESS for an address that is not in RESERVE_ADDRESSES;
 * NO_SURPLUS without a ceiling, above the last known surplus, or with another open move of the asset
 */
export async function assertColdMove(db: Db, { config }: Pick<Deps, 'config'>, { asset, amount, address }: ColdMove): Promise<void> {
  if (config.payouts === undefined || config.chain === undefined) throw new AppError('NOT_APPROVED')
  if (!config.reserveAddresses.some((cold) => cold.address === address.toLowerCase())) throw new AppError('INVALID_ADDRESS')
  const { holdings } = await walletHoldings(db, config)
  const surplus = holdings.find((one) => one.asset === asset)?.surplus ?? 0n
  if (amount > surplus) throw new AppError('NO_SURPLUS')
  const { token } = config.payouts[asset === 'USD' ? 'usd' : 'coin']
  const open = await sql`select from payout_sending where token = ${token} and kind = 'COLD' and ended_at is null`.execute(db)
  if (open.rows.length > 0) throw new AppError('NO_SURPLUS')
}

/**
 * Puts an approved cold move into the payout queue. The worker signs and sends cold moves like payouts.
 * @returns the move's public id
 * @throws AppError as `assertColdMove`
 */
export async function queueColdMove(tx: Tx, deps: Deps, move: ColdMove): Promise<string> {
  await assertColdMove(tx, deps, move)
  const { payouts } = deps.config
  if (payouts === undefined) throw new AppError('NOT_APPROVED')
  const { decimals } = payouts[move.asset === 'USD' ? 'usd' : 'coin']
  const exact = exactOf(move.amount, decimals)
  return (await insertColdMove(tx, deps, { asset: move.asset, to: move.address.toLowerCase(), exact })).publicId
}

/** Returns the asset of a token that the platform pays with. */
export function assetOf({ config }: Pick<Deps, 'config'>, token: string): ColdMove['asset'] | undefined {
  if (token === config.payouts?.usd.token) return 'USD'
  return token === config.payouts?.coin.token ? 'COIN' : undefined
}

/**
 * Inserts a cold move with its row in the payout queue. A second concurrent insert fails, because a token has at most one open move.
 * @param move.exact amount in the token's smallest unit
 * @throws AppError NO_SURPLUS if another move of the token is open
 */
export async function insertColdMove(
  tx: Tx,
  deps: Deps,
  { asset, to, exact }: { asset: ColdMove['asset']; to: string; exact: bigint },
): Promise<{ id: bigint; publicId: string }> {
  const { payouts, chain } = deps.config
  if (payouts === undefined || chain === undefined) throw new AppError('NOT_APPROVED')
  const { token, decimals } = payouts[asset === 'USD' ? 'usd' : 'coin']
  const [publicId, at] = [deps.ids.publicId(), deps.clock.now()]
  const { id } = await tx
    .insertInto('cold_move')
    .values({ public_id: publicId, asset, amount: unitsOf(exact, decimals), address: to, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const approved = { payoutId: publicId, chainId: chain.chainId, token, to, amount: exact }
  const queued = await tx
    .insertInto('payout_sending')
    .values({
      request_id: id,
      kind: 'COLD',
      chain_id: BigInt(chain.chainId),
      token,
      to_address: to,
      exact_amount: exact.toString(),
      approval_mac: approvalMac(deps.config, approved),
      queued_at: at,
    })
    .onConflict((conflict) => conflict.column('token').where('kind', '=', sql.lit('COLD')).where('ended_at', 'is', null).doNothing())
    .executeTakeFirst()
  if (queued.numInsertedOrUpdatedRows !== 1n) throw new AppError('NO_SURPLUS')
  return { id, publicId }
}
