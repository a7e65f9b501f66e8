import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type ChainSettings, tokensOf } from './chain.jobs.ts'
import { isAlive, readLiveness } from './chain-cursor.ts'
import { assertChain, evmNode } from './evm-node.ts'

/** How the reading of the chain goes. */
export interface ChainHealth {
  /** When the worker last read the chain to its head; null before the first time. */
  seenAt: Date | null
  /** The time stamp of the oldest head of a source then. */
  headAt: Date | null
  /** Whether both are recent enough to ask members for payments. */
  alive: boolean
  /** What two people have to answer. */
  incidents: number
}

/** Thrown where a source is of the right chain and does not follow it. */
class SourceStands extends Error {}

/** How old the newest block of a source, and the newest that it calls final, may be. */
const HEAD_MAX_MS = 10 * 60_000
const FINALIZED_MAX_MS = 3_600_000

/**
 * Asks a source whether it is the one of the settings, and follows the chain.
 * @param now undefined for a chain that makes no blocks while none is waited for
 * @throws NodeAway, NodeRefused, WrongChain, SourceStands
 */
export async function checkSource(url: string, { chainId, ...coins }: ChainSettings, now: Date | undefined): Promise<void> {
  const node = evmNode(url, 5_000)
  await assertChain(node, { chainId, tokens: Object.values(tokensOf(coins)) })
  if (now === undefined) return
  const [head, finalized] = [await node.head(), await node.finalized()]
  if (now.getTime() - head.time.getTime() > HEAD_MAX_MS)
    throw new SourceStands(`the newest block of the node, ${head.number}, is of ${head.time.toISOString()}: it stands still`)
  if (finalized !== null && now.getTime() - finalized.time.getTime() > FINALIZED_MAX_MS)
    throw new SourceStands(
      `the newest final block of the node, ${finalized.number}, is of ${finalized.time.toISOString()}: nothing is credited above it`,
    )
}

/** Something that happened to the chain and that a person has to look at. */
export interface ChainIncident {
  id: bigint
  /** Final transfers are gone, the chain differs from what was read further back than is stored, money left a hot wallet without a
   * payout, or a payment came to an address that no invoice has. */
  kind: 'FINAL_GONE' | 'TOO_DEEP' | 'WALLET_SPENT' | 'PAYOUT_GONE' | 'UNCLAIMED'
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
  const known = await readLiveness(db, chainId)
  const found = await sql<{ count: number }>`select count(*)::int as count from chain_incident where answered_at is null`.execute(db)
  return {
    seenAt: known?.seenAt ?? null,
    headAt: known?.headAt ?? null,
    alive: isAlive(known, now),
    incidents: found.rows[0]?.count ?? 0,
  }
}
