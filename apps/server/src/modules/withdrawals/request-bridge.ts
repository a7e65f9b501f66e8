import { formatUnits, percentOf, type Units } from '@tizara/money'
import { AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Settings } from '../settings/index.ts'
import type { Network } from './addresses/address.rules.ts'
import type { StepUp } from './guard/authorize-outflow.ts'
import type { FiledRequest } from './hold-requests.ts'
import { openPayouts, type PayoutInput } from './open-payout.ts'

/** Bridge request in coin units. `quoted` is the net amount shown to the member, in units. */
export interface BridgeInput {
  memberId: bigint
  amount: Units
  address: string
  network: Network
  quoted?: Units | undefined
  stepUp?: StepUp | undefined
}

/**
 * Requests a coin payout from My Wallet (`icoWallet`) to an external address (MF-04). The fee, rounded up, is deducted from the amount.
 * @throws AppError BELOW_MINIMUM (VA-38), FEE_CHANGED, INVALID_ADDRESS, INVALID_AMOUNT, INSUFFICIENT_BALANCE, PAYOUTS_STOPPED,
 * PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT, STEP_UP_REFUSED
 */
export async function requestBridge(tx: Tx, deps: Deps, input: BridgeInput): Promise<FiledRequest> {
  return unwrapSingle(await requestBridges(tx, deps, [input]))
}

/** Handles a batch like `requestBridge`, in order. A refused request has no effect. */
export async function requestBridges(tx: Tx, deps: Deps, inputs: readonly BridgeInput[]): Promise<(FiledRequest | AppError)[]> {
  return openPayouts(tx, deps, inputs, payout)
}

function payout({ quoted, ...input }: BridgeInput, { bridgeMinimum, bridgeFeePercent, version }: Settings): PayoutInput | AppError {
  if (input.amount < bridgeMinimum) return new AppError('BELOW_MINIMUM', { minimum: formatUnits(bridgeMinimum) })
  const platformFee = percentOf(input.amount, bridgeFeePercent, 'up')
  const received = input.amount - platformFee
  if (quoted !== undefined && quoted !== received) return new AppError('FEE_CHANGED')
  return { kind: 'bridge', wallet: 'icoWallet', ...input, platformFee, networkFee: 0n, received, settingsVersion: version }
}
