import { type Units, usdForCoin } from '@tizara/money'
import { post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { onCoinSold } from '../rewards/index.ts'
import { currentSettings } from '../settings/index.ts'
import { firstId } from './send-to-member.ts'

/**
 * Swaps coin of my wallet (MF-10) or of the RCM wallet (MF-11) into USD of the deposit wallet at the coin price, rounded
 * down at the eighth decimal.
 * @param input whose, out of which wallet, how many coin units; `quoted`: how many USD units the member was shown
 * @returns id of the coin leg in the ledger
 * @throws AppError PRICE_CHANGED, INSUFFICIENT_BALANCE; INVALID_AMOUNT when the coin are worth less than the smallest unit of USD
 */
export async function sellCoin(
  tx: Tx,
  deps: Deps,
  input: { memberId: bigint; wallet: 'icoWallet' | 'rcmWallet'; amount: Units; quoted?: Units | undefined },
): Promise<bigint> {
  const at = deps.clock.now()
  const { coinPrice, version } = await currentSettings(tx, at)
  const usd = usdForCoin(input.amount, coinPrice)
  if (input.quoted !== undefined && input.quoted !== usd) throw new AppError('PRICE_CHANGED')
  if (usd <= 0n) throw new AppError('INVALID_AMOUNT')
  const owner = input.memberId
  const posted = await post(tx, {
    kind: input.wallet === 'icoWallet' ? 'myWalletToUsd' : 'rcmToUsd',
    cause: { type: 'setting', id: String(version) },
    at,
    ruleVersion: version,
    transfers: [
      { from: { owner, kind: input.wallet }, to: { house: 'SYS-COIN', asset: 'COIN' }, amount: input.amount },
      { from: { house: 'SYS-CONVERT', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount: usd },
    ],
  })
  await onCoinSold(tx, { memberId: owner, coin: input.amount, at })
  return firstId(posted)
}
