import type { Units } from '@tizara/money'
import type { WalletKind } from '../../ledger/index.ts'
import { AppError, mapOk } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { currentSettings, type Settings } from '../settings/index.ts'
import { isPayable } from './addresses/address.rules.ts'
import { authorizeOutflows, loadOutflowChecks, type OutflowInput, type OutflowTarget } from './guard/authorize-outflow.ts'
import { assertIndependent, type FiledRequest, holdRequests } from './hold-requests.ts'

/** Payout or bridge with its quote, before authorization. */
export interface PayoutInput extends OutflowInput {
  kind: 'withdrawal' | 'bridge'
  wallet: WalletKind
  platformFee: Units
  networkFee: Units
  received: Units
  settingsVersion: number
}

/**
 * Places holds for payouts, stores the requests and notifies the members. A refused payout has no effect. A request waits for the member's
 * confirmation unless the call has a proof or the address is in the member's book.
 * @param inputs a batch of payouts
 * @param quote returns the payout under the settings, or its refusal
 * @returns in order: the request, or AppError INVALID_ADDRESS, INSUFFICIENT_BALANCE, PAYOUTS_STOPPED, PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT,
 * STEP_UP_REFUSED, PAYOUT_NEEDS_PROOF, ADDRESS_FORGED; INVALID_AMOUNT if the fees use up the amount
 * @throws AppError if a refusal may depend on another refused payout
 */
export async function openPayouts<Wanted extends OutflowTarget>(
  tx: Tx,
  deps: Deps,
  inputs: readonly Wanted[],
  quote: (inputs: Wanted, settings: Settings) => PayoutInput | AppError,
): Promise<(FiledRequest | AppError)[]> {
  const at = deps.clock.now()
  const found = await loadOutflowChecks(tx, deps, inputs)
  const settings = await currentSettings(tx, at)
  const payable = inputs.map((one) => rejectUnpayable(quote(one, settings)))
  const authorized = await authorizeOutflows(tx, deps, { settings, checksOf: found() }, payable)
  const filed = await holdRequests(
    tx,
    deps,
    settings,
    mapOk(authorized, (one) => ({ ...one, receiverId: null })),
  )
  assertIndependent(payable, authorized, filed)
  return filed
}

function rejectUnpayable(payout: PayoutInput | AppError): PayoutInput | AppError {
  if (payout instanceof AppError) return payout
  if (!isPayable(payout.address, payout.network)) return new AppError('INVALID_ADDRESS')
  return payout.received <= 0n ? new AppError('INVALID_AMOUNT') : payout
}
