import type { Units } from '@tizara/money'
import { holdEach, type WalletKind } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk } from '../../platform/runtime/app-error.ts'
import { HOUR_MS } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import type { Settings } from '../settings/index.ts'
import type { Authorized, OutflowInput } from './guard/authorize-outflow.ts'
import { notifyOwners } from './notify-member.ts'
import { type PayoutMacFields, ownerMac } from './payout-mac.ts'

/** Authorized outflow with its amounts. */
export type HeldInput = Authorized<OutflowInput> & {
  wallet: WalletKind
  platformFee: Units
  networkFee: Units
  received: Units
  settingsVersion: number
  /** Receiver for a transfer, otherwise null. */
  receiverId: bigint | null
}

export interface FiledRequest {
  /** Public id. */
  id: string
  /** Ledger transfer that placed the hold. */
  holdId: bigint
  /** End of the confirmation period; undefined if no confirmation is required. */
  waitsUntil?: Date | undefined
}

/**
 * Places holds for authorized outflows, stores the requests and notifies the members.
 * @returns in order: the request, or its refusal; a refused outflow has no effect
 */
export async function holdRequests(
  tx: Tx,
  deps: Deps,
  settings: Settings,
  inputs: readonly (HeldInput | AppError)[],
): Promise<(FiledRequest | AppError)[]> {
  const at = deps.clock.now()
  const confirmBy = new Date(at.getTime() + settings.payoutConfirmHours * HOUR_MS)
  const named = mapOk(inputs, (input) => ({ ...input, publicId: deps.ids.publicId(), confirmBy }))
  const holds = await holdEach(
    tx,
    mapOk(named, (input) => holdOf(input, at)),
  )
  const results = zipOk(named, holds, (input, { holdId }) => ({ ...input, holdId }))
  const filed = okValues(results)
  await insertRows(
    tx,
    'payout_request',
    filed.map((input) => withOwnerMac(deps, rowOf(input, at))),
  )
  await notifyOwners(
    tx,
    deps,
    filed.map(({ publicId, confirmedHow }) => ({ publicId, step: confirmedHow === null ? 'waiting' : 'asked' })),
  )
  return mapOk(results, ({ publicId, holdId, confirmedHow }) => ({
    id: publicId,
    holdId,
    waitsUntil: confirmedHow === null ? confirmBy : undefined,
  }))
}

/**
 * Rethrows a limit refusal that follows the same member's unfunded outflow. The unfunded outflow counted towards the day's limits and
 * consumed its proof, so the caller must retry each call alone.
 * @param holds the holds or postings made for the authorized outflows
 */
export function assertIndependent(
  inputs: readonly (OutflowInput | AppError)[],
  authorized: readonly (Authorized<OutflowInput> | AppError)[],
  holds: readonly unknown[],
): void {
  const unpaid = new Map<bigint, AppError>()
  for (const [index, input] of inputs.entries()) {
    const one = authorized[index]
    if (input instanceof AppError || one === undefined) continue
    const earlier = unpaid.get(input.memberId)
    if (one instanceof AppError) {
      if (earlier !== undefined) throw one
      continue
    }
    // Throws, because the transfer may need a confirmation only because of the earlier transfer, which has no sufficient balance.
    if (earlier !== undefined && one.kind === 'transfer' && one.confirmedHow === null) throw earlier
    const held = holds[index]
    if (held instanceof AppError) unpaid.set(input.memberId, held)
  }
}

const HOLD_KIND = { withdrawal: 'withdrawal', bridge: 'bridge', transfer: 'transferHeld' } as const

const holdOf = ({ kind, memberId: owner, wallet, amount, publicId, settingsVersion }: HeldInput & { publicId: string }, at: Date) => ({
  from: { owner, kind: wallet },
  amount,
  kind: HOLD_KIND[kind],
  cause: { type: 'payout_request', id: publicId },
  at,
  ruleVersion: settingsVersion,
})

const withOwnerMac = <Row extends PayoutMacFields>({ config }: Pick<Deps, 'config'>, row: Row) => ({
  ...row,
  owner_mac: ownerMac(config, row),
})

const rowOf = (input: HeldInput & { publicId: string; holdId: bigint; confirmBy: Date }, at: Date) => ({
  public_id: input.publicId,
  kind: input.kind,
  member_id: input.memberId,
  amount: input.amount,
  platform_fee: input.platformFee,
  network_fee: input.networkFee,
  received: input.received,
  address: input.address,
  network: input.network,
  receiver_id: input.receiverId,
  hold_id: input.holdId,
  settings_version: input.settingsVersion,
  created_at: at,
  confirm_by: input.confirmBy,
  confirmed_at: input.confirmedHow === null ? null : at,
  confirmed_how: input.confirmedHow,
  step_up_digest: input.stepUp === undefined ? null : digest(input.stepUp.token),
})
