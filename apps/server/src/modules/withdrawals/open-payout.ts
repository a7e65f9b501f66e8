import { holdEach } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { type Settings, settingsLater } from '../settings/index.ts'
import { isPayable } from './address.rules.ts'
import { admitPayouts, type Confirmed, lookUp, type PayoutWish, type Place } from './admit-payout.ts'
import { type AskedPayout, ownerSeal } from './payout-seal.ts'
import { tellOwners } from './tell-owner.ts'

export interface FiledPayout {
  /** Its id on the wire. */
  id: string
  /** Until when its owner can confirm it; undefined when it waits for staff already. */
  waitsUntil?: Date | undefined
}

const HOUR_MS = 3_600_000

/**
 * Puts the amounts on hold, files the requests and tells their owners; a refused one leaves nothing behind. A request waits
 * for its owner unless it came with a proof, or its address stands in the member's book.
 * @param wishes those that arrived together
 * @param quote what a wish comes to under the settings, or its refusal
 * @returns in order: the request, or AppError INVALID_ADDRESS, INSUFFICIENT_BALANCE, PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT, STEP_UP_REFUSED;
 *   INVALID_AMOUNT when the fees leave nothing to pay out
 * @throws AppError when one of them may be refused only because of another one that was refused too
 */
export async function openPayouts<Wish extends Place>(
  tx: Tx,
  deps: Deps,
  wishes: readonly Wish[],
  quote: (wish: Wish, settings: Settings) => PayoutWish | AppError,
): Promise<(FiledPayout | AppError)[]> {
  const at = deps.clock.now()
  const asked = await settingsLater(tx, at)
  const met = await lookUp(tx, deps, wishes)
  const settings = asked()
  const confirmBy = new Date(at.getTime() + settings.payoutConfirmHours * HOUR_MS)
  const quoted = wishes.map((wish) => quote(wish, settings))
  const payable = mapOk(quoted, (wish) => refusalOf(wish) ?? wish)
  const admitted = await admitPayouts(tx, deps, { settings, met }, payable)
  const wanted = mapOk(admitted, (wish) => ({ ...wish, publicId: deps.ids.publicId(), confirmBy }))
  const holds = await holdEach(
    tx,
    mapOk(wanted, (wish) => holdOf(wish, at)),
  )
  assertIndependent(payable, admitted, holds)
  const results = zipOk(wanted, holds, (wish, { holdId }) => ({ ...wish, holdId }))
  const filed = okValues(results)
  await insertRows(
    tx,
    'payout_request',
    filed.map((wish) => sealed(deps, rowOf(wish, at))),
  )
  await tellOwners(
    tx,
    deps,
    filed.map(({ publicId, confirmedHow }) => ({ publicId, step: confirmedHow === null ? 'waiting' : 'asked' })),
  )
  return mapOk(results, ({ publicId, confirmedHow }) => ({ id: publicId, waitsUntil: confirmedHow === null ? confirmBy : undefined }))
}

/**
 * Throws a refusal by a limit that follows a wish of the same member which the wallet could not pay. The unpaid wish had counted
 * towards the limits of the day and used its proof. Alone it counts for nothing, so each call has to go alone.
 */
function assertIndependent(
  wishes: readonly (PayoutWish | AppError)[],
  admitted: readonly (PayoutWish | AppError)[],
  holds: readonly unknown[],
): void {
  const unpaid = new Set<bigint>()
  for (const [index, wish] of wishes.entries()) {
    const one = admitted[index]
    if (wish instanceof AppError || one === undefined) continue
    if (one instanceof AppError && unpaid.has(wish.memberId)) throw one
    if (!(one instanceof AppError) && holds[index] instanceof AppError) unpaid.add(wish.memberId)
  }
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

const sealed = <Row extends AskedPayout>({ config }: Pick<Deps, 'config'>, row: Row) => ({ ...row, owner_seal: ownerSeal(config, row) })

const rowOf = (wish: Confirmed<PayoutWish> & { publicId: string; holdId: bigint; confirmBy: Date }, at: Date) => ({
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
  confirm_by: wish.confirmBy,
  confirmed_at: wish.confirmedHow === null ? null : at,
  confirmed_how: wish.confirmedHow,
  step_up_digest: wish.stepUp === undefined ? null : digest(wish.stepUp.token),
})
