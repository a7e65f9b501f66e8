import { quoteWithdrawal, type Units } from '@tizara/money'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { currentSettings } from '../settings/index.ts'
import { openPayout } from './open-payout.ts'

/**
 * Asks for a payout of USD to a BEP(20) address (MF-03): the whole amount leaves the deposit wallet now; platform and
 * network fee are taken out of it when it is paid (LS-37).
 * @param input whose, how many USD units, where to; `quoted`: how many units the member was shown to arrive
 * @returns id of the request on the wire
 * @throws AppError FEE_CHANGED, INVALID_ADDRESS, INVALID_AMOUNT, INSUFFICIENT_BALANCE
 */
export async function requestWithdrawal(
  tx: Tx,
  deps: Deps,
  input: { memberId: bigint; amount: Units; address: string; quoted?: Units | undefined },
): Promise<string> {
  const settings = await currentSettings(tx, deps.clock.now())
  const quote = quoteWithdrawal(input.amount, settings.platformFeePercent, settings.networkFeePercent)
  if (input.quoted !== undefined && input.quoted !== quote.received) throw new AppError('FEE_CHANGED')
  return openPayout(tx, deps, {
    kind: 'withdrawal',
    memberId: input.memberId,
    wallet: 'depositWallet',
    amount: input.amount,
    ...quote,
    address: input.address,
    network: 0,
    settingsVersion: settings.version,
  })
}
