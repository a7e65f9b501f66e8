import type { ReplyOf } from '@tizara/contract'
import type { staffHotWallet } from '@tizara/contract/staff-hot-wallet'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cancelPlatformPayout, readPlatformPayouts, walletHoldings } from '../../withdrawals/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'

/** Reads the hot wallet, its ceilings and the newest moves to cold storage. */
export async function readHotWallet(db: Db, deps: Pick<Deps, 'config'>): Promise<ReplyOf<typeof staffHotWallet>> {
  const { wallet, holdings } = await walletHoldings(db, deps.config)
  return {
    wallet,
    holdings: holdings.map((one) => ({ ...one, asset: one.asset === 'USD' ? 'usd' : 'coin' })),
    coldAddresses: deps.config.reserveAddresses.map(({ address }) => address),
    moves: await readPlatformPayouts(db, deps),
  }
}

/**
 * Cancels a cold move or proceeds. One person suffices, because the money stays in the hot wallet.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED
 */
export async function cancelHotWalletPayout(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { id, reason }: { id: string; reason: string },
): Promise<'CANCELLED' | 'CANCEL_REQUESTED'> {
  await assertStaff(tx, deps, actor, 'cancelHotWalletPayout')
  const state = (await cancelPlatformPayout(tx, deps, id, 'COLD', 'PROCEEDS')) === 'ended' ? 'CANCELLED' : 'CANCEL_REQUESTED'
  await auditStaff(tx, deps, actor, { action: 'cold-move.cancel', subject: { type: 'cold_move', id }, reason, detail: { state } })
  return state
}
