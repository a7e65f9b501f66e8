import { coinForUsd, type Units } from '@tizara/money'
import { type Posting, postEach } from '../../ledger/index.ts'
import { AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { tradeSettings, type Settings } from '../settings/index.ts'
import { firstIds } from './first-ids.ts'
import { SALES_FUND } from './sales-fund.ts'

/** Conversion of NFT-wallet USD, in units. `quoted` is the coin amount shown to the member, in units. */
export interface Conversion {
  memberId: bigint
  usd: Units
  quoted?: Units | undefined
}

/**
 * Converts USD of the NFT Wallet into coin in My Wallet at the convert rate (MF-06), rounded down. The USD goes to the sales fund.
 * @returns ledger id for the USD leg
 * @throws AppError PRICE_CHANGED, INSUFFICIENT_BALANCE, COIN_SOLD_OUT
 */
export async function convertToMyWallet(tx: Tx, deps: Deps, input: Conversion): Promise<bigint> {
  return unwrapSingle(await convertAll(tx, deps, [input]))
}

/** Handles a batch like `convertToMyWallet`, in order. A refused conversion has no effect. */
export async function convertAll(tx: Tx, deps: Deps, inputs: readonly Conversion[]): Promise<(bigint | AppError)[]> {
  const at = deps.clock.now()
  const settings = await tradeSettings(tx, at)
  const postings = inputs.map((input) => conversion(input, settings, at))
  return firstIds(await postEach(tx, postings))
}

function conversion({ memberId: owner, usd, quoted }: Conversion, { buyRate, version }: Settings, at: Date): Posting | AppError {
  const coin = coinForUsd(usd, buyRate)
  if (quoted !== undefined && quoted !== coin) return new AppError('PRICE_CHANGED')
  return {
    kind: 'convertToMyWallet',
    cause: { type: 'setting', id: String(version) },
    at,
    ruleVersion: version,
    transfers: [
      { from: { owner, kind: 'nftWallet' }, to: SALES_FUND, amount: usd },
      { from: { system: 'SYS-COIN', asset: 'COIN' }, to: { owner, kind: 'icoWallet' }, amount: coin },
    ],
  }
}
