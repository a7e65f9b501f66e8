import { formatUnits, percentOf, type Units } from '@tizara/money'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { currentSettings } from '../settings/index.ts'
import type { Network } from './address.rules.ts'
import { openPayout } from './open-payout.ts'

/**
 * Asks for a payout of coin of my wallet to an address outside (MF-04). The fee, rounded up, is taken from the amount.
 * @param input whose, how many coin units, where to and on which network; `quoted`: how many units the member was shown to
 *   arrive
 * @returns id of the request on the wire
 * @throws AppError BELOW_MINIMUM (VA-38), FEE_CHANGED, INVALID_ADDRESS, INVALID_AMOUNT, INSUFFICIENT_BALANCE
 */
export async function requestBridge(
  tx: Tx,
  deps: Deps,
  input: { memberId: bigint; amount: Units; address: string; network: Network; quoted?: Units | undefined },
): Promise<string> {
  const settings = await currentSettings(tx, deps.clock.now())
  if (input.amount < settings.bridgeMinimum) throw new AppError('BELOW_MINIMUM', { minimum: formatUnits(settings.bridgeMinimum) })
  const fee = percentOf(input.amount, settings.bridgeFeePercent, 'up')
  if (input.quoted !== undefined && input.quoted !== input.amount - fee) throw new AppError('FEE_CHANGED')
  return openPayout(tx, deps, {
    kind: 'bridge',
    memberId: input.memberId,
    wallet: 'icoWallet',
    amount: input.amount,
    platformFee: fee,
    networkFee: 0n,
    received: input.amount - fee,
    address: input.address,
    network: input.network,
    settingsVersion: settings.version,
  })
}
