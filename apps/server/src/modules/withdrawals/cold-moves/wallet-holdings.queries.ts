import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { unitsOf } from '../../../gateways/chain/index.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { hotWallets } from '../sending/sending-health.queries.ts'

/** Balance of the hot wallet in one asset, from the last hourly comparison. All amounts are in units. */
export interface WalletHolding {
  asset: 'USD' | 'COIN'
  /** Null before the first comparison. */
  balance: Units | null
  /** Null if the settings have no ceiling. */
  ceiling: Units | null
  /** Balance above the ceiling; 0 without a ceiling. */
  surplus: Units
  readAt: Date | null
  aboveSince: Date | null
}

/** Reads the last used hot wallet and its holdings. */
export async function walletHoldings(
  db: Db,
  { payouts, chain }: Pick<Config, 'payouts' | 'chain'>,
): Promise<{ wallet: string | null; holdings: WalletHolding[] }> {
  if (payouts === undefined || chain === undefined) return { wallet: null, holdings: [] }
  const wallet = (await hotWallets(db)).find(({ chainId }) => chainId === chain.chainId)?.address ?? null
  const { rows } = await sql<{ token: string; balance: string; readAt: Date; aboveSince: Date | null }>`
    select token, balance::text as balance, seen_at as "readAt", above_since as "aboveSince" from chain_reserve
    where chain_id = ${chain.chainId} and wallet = ${wallet}`.execute(db)
  const holdings = (['USD', 'COIN'] as const).map((asset): WalletHolding => {
    const { token, decimals, ceiling } = payouts[asset === 'USD' ? 'usd' : 'coin']
    const row = rows.find((one) => one.token === token)
    const balance = row === undefined ? null : unitsOf(BigInt(row.balance), decimals)
    const limit = ceiling === undefined ? null : BigInt(ceiling) * ONE
    const surplus = balance === null || limit === null || balance < limit ? 0n : balance - limit
    return { asset, balance, ceiling: limit, surplus, readAt: row?.readAt ?? null, aboveSince: row?.aboveSince ?? null }
  })
  return { wallet, holdings }
}
