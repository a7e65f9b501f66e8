import { coinForUsd, type Units } from '@tizara/money'
import { post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { currentSettings } from '../settings/index.ts'
import { firstId } from './send-to-member.ts'

/**
 * Converts USD of the NFT wallet into coin of my wallet at the convert rate (MF-06), rounded down.
 * @param input whose, how many USD units; `quoted`: how many coin units the member was shown
 * @returns id of the USD leg in the ledger
 * @throws AppError PRICE_CHANGED, INSUFFICIENT_BALANCE, COIN_SOLD_OUT
 */
export async function convertToMyWallet(
  tx: Tx,
  deps: Deps,
  input: { memberId: bigint; usd: Units; quoted?: Units | undefined },
): Promise<bigint> {
  const at = deps.clock.now()
  const { convertRate, version } = await currentSettings(tx, at)
  const coin = coinForUsd(input.usd, convertRate)
  if (input.quoted !== undefined && input.quoted !== coin) throw new AppError('PRICE_CHANGED')
  const owner = input.memberId
  const posted = await post(tx, {
    kind: 'convertToMyWallet',
    cause: { type: 'setting', id: String(version) },
    at,
    ruleVersion: version,
    transfers: [
      { from: { owner, kind: 'nftWallet' }, to: { house: 'SYS-CONVERT', asset: 'USD' }, amount: input.usd },
      { from: { house: 'SYS-COIN', asset: 'COIN' }, to: { owner, kind: 'icoWallet' }, amount: coin },
    ],
  })
  return firstId(posted)
}
