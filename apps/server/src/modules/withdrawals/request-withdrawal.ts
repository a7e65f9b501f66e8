import { quoteWithdrawal, type Units } from '@tizara/money'
import { AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { StepUp } from './guard/authorize-outflow.ts'
import type { FiledRequest } from './hold-requests.ts'
import { openPayouts } from './open-payout.ts'

/** Withdrawal request in USD units. `quoted` is the net amount shown to the member, in units. */
export interface WithdrawalInput {
  memberId: bigint
  amount: Units
  address: string
  quoted?: Units | undefined
  stepUp?: StepUp | undefined
}

/**
 * Requests a USD payout to a BEP(20) address (MF-03). The whole amount leaves the deposit wallet now. Settlement deducts the platform and
 * network fees (LS-37).
 * @throws AppError FEE_CHANGED, INVALID_ADDRESS, INVALID_AMOUNT, INSUFFICIENT_BALANCE, PAYOUTS_STOPPED, PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT,
 * STEP_UP_REFUSED
 */
export async function requestWithdrawal(tx: Tx, deps: Deps, input: WithdrawalInput): Promise<FiledRequest> {
  return unwrapSingle(await requestWithdrawals(tx, deps, [input]))
}

/** Handles a batch like `requestWithdrawal`, in order. A refused request has no effect. */
export async function requestWithdrawals(tx: Tx, deps: Deps, inputs: readonly WithdrawalInput[]): Promise<(FiledRequest | AppError)[]> {
  const placed = inputs.map((input) => ({ ...input, network: 0 as const }))
  return openPayouts(tx, deps, placed, ({ quoted, ...input }, { platformFeePercent, networkFeePercent, version }) => {
    const quote = quoteWithdrawal(input.amount, platformFeePercent, networkFeePercent)
    if (quoted !== undefined && quoted !== quote.received) return new AppError('FEE_CHANGED')
    return { kind: 'withdrawal', wallet: 'depositWallet', settingsVersion: version, ...input, ...quote }
  })
}
