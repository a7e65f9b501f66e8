import type { Units } from '@tizara/money'
import { hold, type WalletKind } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { isPayable, type Network } from './address.rules.ts'
import { tellOwner } from './tell-owner.ts'

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
 * Puts the amount on hold, files the request and tells its owner.
 * @returns id of the request on the wire
 * @throws AppError INVALID_ADDRESS, INSUFFICIENT_BALANCE; INVALID_AMOUNT when the fees leave nothing to pay out
 */
export async function openPayout(tx: Tx, deps: Deps, wish: PayoutWish): Promise<string> {
  if (!isPayable(wish.address, wish.network)) throw new AppError('INVALID_ADDRESS')
  if (wish.received <= 0n) throw new AppError('INVALID_AMOUNT')
  const at = deps.clock.now()
  const publicId = deps.ids.publicId()
  const held = await hold(tx, {
    from: { owner: wish.memberId, kind: wish.wallet },
    amount: wish.amount,
    kind: wish.kind,
    cause: { type: 'payout_request', id: publicId },
    at,
    ruleVersion: wish.settingsVersion,
  })
  await tx
    .insertInto('payout_request')
    .values({
      public_id: publicId,
      kind: wish.kind,
      member_id: wish.memberId,
      amount: wish.amount,
      platform_fee: wish.platformFee,
      network_fee: wish.networkFee,
      received: wish.received,
      address: wish.address,
      network: wish.network,
      hold_id: held.holdId,
      settings_version: wish.settingsVersion,
      created_at: at,
    })
    .execute()
  await tellOwner(tx, deps, 'asked', wish)
  return publicId
}
