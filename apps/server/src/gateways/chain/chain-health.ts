import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type ChainSettings, tokensOf } from './chain.jobs.ts'
import { isHeard, readCursor } from './chain-cursor.ts'
import { assertChain, evmNode } from './evm-node.ts'

/** How the reading of the chain goes. */
export interface ChainHealth {
  /** When a node last told the worker its head; null before the first look. */
  seenAt: Date | null
  /** Whether that is recent enough to ask members for payments. */
  heard: boolean
  /** What two people have to answer. */
  incidents: number
}

/**
 * Asks a source whether it is what the settings say.
 * @throws NodeAway, NodeRefused, WrongChain
 */
export const checkSource = (url: string, { chainId, ...coins }: ChainSettings): Promise<void> =>
  assertChain(evmNode(url, 5_000), { chainId, tokens: Object.values(tokensOf(coins)) })

/** Something that happened to the chain and that a person has to look at. */
export interface ChainIncident {
  id: bigint
  /** Final transfers are gone, the chain differs from what was read further back than is stored, money left a hot wallet without a
   * payout, or a payment came to an address that no invoice has. */
  kind: 'FINAL_GONE' | 'TOO_DEEP' | 'WALLET_SPENT' | 'UNCLAIMED'
  at: Date
  fromBlock: number
  /** Transaction, address and ordinal of each transfer that is gone; or what a wallet lacks. */
  transfers: string[]
}

/** The newest incidents that two people have not answered, the newest first. */
export async function chainIncidents(db: Db): Promise<ChainIncident[]> {
  const { rows } = await sql<ChainIncident>`
    select id, kind, noted_at as at, from_block::int as "fromBlock", array(select case jsonb_typeof(t) when 'string' then t #>> '{}'
      else concat_ws(' ', t ->> 'wallet', 'lacks', t ->> 'lacks', 'of', t ->> 'token') end from jsonb_array_elements(transfers) t) as transfers
    from chain_incident where answered_at is null order by id desc limit 20`.execute(db)
  return rows
}

/** What the worker wrote down about its own reading. */
export async function chainHealth(db: Db, { chainId }: ChainSettings, now: Date): Promise<ChainHealth> {
  const cursor = await readCursor(db, chainId)
  const found = await sql<{ count: number }>`select count(*)::int as count from chain_incident where answered_at is null`.execute(db)
  return {
    seenAt: cursor?.seenAt ?? null,
    heard: isHeard(cursor, now),
    incidents: found.rows[0]?.count ?? 0,
  }
}
