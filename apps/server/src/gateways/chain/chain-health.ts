import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { ChainSettings } from './chain.jobs.ts'
import { isHeard, readCursor } from './chain-cursor.ts'
import { assertChain, evmNode } from './evm-node.ts'

/** How the reading of the chain goes. */
export interface ChainHealth {
  /** When a node last told the worker its head; null before the first look. */
  seenAt: Date | null
  /** Whether that is recent enough to ask members for payments. */
  heard: boolean
  /** What people have to look at. */
  incidents: number
}

/**
 * Asks both sources whether they are what the settings say.
 * @throws NodeAway, NodeRefused, WrongChain
 */
export async function checkSources({ rpcUrl, witnessUrl, ...is }: ChainSettings): Promise<void> {
  for (const url of [rpcUrl, witnessUrl]) if (url !== undefined) await assertChain(evmNode(url, 5_000), is)
}

/** What the worker wrote down about its own reading. */
export async function chainHealth(db: Db, { chainId }: ChainSettings, now: Date): Promise<ChainHealth> {
  const cursor = await readCursor(db, chainId)
  const found = await sql<{ count: number }>`select count(*)::int as count from chain_incident`.execute(db)
  return {
    seenAt: cursor?.seenAt ?? null,
    heard: isHeard(cursor, now),
    incidents: found.rows[0]?.count ?? 0,
  }
}
