import { formatUnits, percentOf, type Units } from '@tizara/money'
import { AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Settings } from '../settings/index.ts'
import type { Network } from './address.rules.ts'
import { type FiledPayout, openPayouts } from './open-payout.ts'
import type { PayoutWish, StepUp } from './admit-payout.ts'

/** Whose coin, how many units, where to and on which network; `quoted`: how many units the member was shown to arrive. */
export interface BridgeWish {
  memberId: bigint
  amount: Units
  address: string
  network: Network
  quoted?: Units | undefined
  stepUp?: StepUp | undefined
}

/**
 * Asks for a payout of coin of my wallet to an address outside (MF-04). The fee, rounded up, is taken from the amount.
 * @throws AppError BELOW_MINIMUM (VA-38), FEE_CHANGED, INVALID_ADDRESS, INVALID_AMOUNT, INSUFFICIENT_BALANCE, PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT,
 *   STEP_UP_REFUSED
 */
export async function requestBridge(tx: Tx, deps: Deps, wish: BridgeWish): Promise<FiledPayout> {
  return unwrapSingle(await requestBridges(tx, deps, [wish]))
}

/** As `requestBridge`, for requests that arrive together, in order; a refused one leaves nothing behind. */
export async function requestBridges(tx: Tx, deps: Deps, wishes: readonly BridgeWish[]): Promise<(FiledPayout | AppError)[]> {
  return openPayouts(tx, deps, wishes, payout)
}

function payout({ quoted, ...wish }: BridgeWish, { bridgeMinimum, bridgeFeePercent, version }: Settings): PayoutWish | AppError {
  if (wish.amount < bridgeMinimum) return new AppError('BELOW_MINIMUM', { minimum: formatUnits(bridgeMinimum) })
  const platformFee = percentOf(wish.amount, bridgeFeePercent, 'up')
  const received = wish.amount - platformFee
  if (quoted !== undefined && quoted !== received) return new AppError('FEE_CHANGED')
  return { kind: 'bridge', wallet: 'icoWallet', ...wish, platformFee, networkFee: 0n, received, settingsVersion: version }
}
