import type { Units } from '@tizara/money'
import { holdEach, type WalletKind } from '../../ledger/index.ts'
import { allowedOf, AppError, joinAllowed, mapAllowed } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { insertRows } from '../../platform/insert-rows.ts'
import { isPayable, type Network } from './address.rules.ts'
import { tellOwners } from './tell-owner.ts'

/** A payout that a member asks for, with its quote. */
export interface PayoutWish {
  kind: 'withdrawal' | 'bridge'
  memberId: bigint
  wallet: WalletKind
  amount: Units
  platformFee: Units
  networkFee: Units
  received: Units
  address: string
  network: Network
  settingsVersion: number
}

/**
 * Puts the amounts on hold, files the requests and tells their owners; a refused one leaves nothing behind.
 * @param wishes those that arrived together, some of them refused already
 * @returns in order: id of the request on the wire, or AppError INVALID_ADDRESS, INSUFFICIENT_BALANCE; INVALID_AMOUNT when the
 *   fees leave nothing to pay out
 */
export async function openPayouts(tx: Tx, deps: Deps, wishes: readonly (PayoutWish | AppError)[]): Promise<(string | AppError)[]> {
  const at = deps.clock.now()
  const wanted = mapAllowed(wishes, (wish) => refusalOf(wish) ?? { ...wish, publicId: deps.ids.publicId() })
  const holds = await holdEach(
    tx,
    mapAllowed(wanted, (wish) => holdOf(wish, at)),
  )
  const results = joinAllowed(wanted, holds, (wish, { holdId }) => ({ ...wish, holdId }))
  const filed = allowedOf(results)
  await insertRows(
    tx,
    'payout_request',
    filed.map((wish) => rowOf(wish, at)),
  )
  await tellOwners(tx, deps, 'asked', filed)
  return mapAllowed(results, ({ publicId }) => publicId)
}

function refusalOf(wish: PayoutWish): AppError | undefined {
  if (!isPayable(wish.address, wish.network)) return new AppError('INVALID_ADDRESS')
  return wish.received <= 0n ? new AppError('INVALID_AMOUNT') : undefined
}

const holdOf = ({ kind, memberId: owner, wallet, amount, publicId, settingsVersion }: PayoutWish & { publicId: string }, at: Date) => ({
  from: { owner, kind: wallet },
  amount,
  kind,
  cause: { type: 'payout_request', id: publicId },
  at,
  ruleVersion: settingsVersion,
})

const rowOf = (wish: PayoutWish & { publicId: string; holdId: bigint }, at: Date) => ({
  public_id: wish.publicId,
  kind: wish.kind,
  member_id: wish.memberId,
  amount: wish.amount,
  platform_fee: wish.platformFee,
  network_fee: wish.networkFee,
  received: wish.received,
  address: wish.address,
  network: wish.network,
  hold_id: wish.holdId,
  settings_version: wish.settingsVersion,
  created_at: at,
})
