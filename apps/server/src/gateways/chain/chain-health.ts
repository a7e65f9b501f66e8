import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type ChainSettings, tokensOf } from './chain.jobs.ts'
import { isAlive, readLiveness } from './chain-cursor.ts'
import { assertChain, chainNode } from './chain-node.ts'
import { findRejectedTokens } from './standard-tokens.ts'

/** Chain reader state. */
export interface ChainHealth {
  /** Time of the worker's last scan to the head, or null before the first. */
  seenAt: Date | null
  /** Oldest block time of the head among the sources at that scan. */
  headAt: Date | null
  /** True if both times are recent enough to open invoices for members. */
  alive: boolean
  /** Open incidents, each awaiting two answers. */
  incidents: number
}

/** Thrown if a source is on the right chain but lags behind it. */
class SourceStands extends Error {}

/** Maximum age in ms of a source's newest block and newest finalized block. */
const HEAD_MAX_MS = 10 * 60_000
const FINALIZED_MAX_MS = 3_600_000

/**
 * Checks that a source serves the configured chain and follows its head.
 * @param now undefined for a chain that makes blocks only on demand
 * @throws NodeUnavailable, NodeError, WrongChain, SourceStands
 */
export async function checkSource(url: string, { chainId, ...coins }: ChainSettings, now: Date | undefined): Promise<void> {
  const node = chainNode(url, 5_000)
  await assertChain(node, { chainId, tokens: Object.values(tokensOf(coins)) })
  if (now === undefined) return
  const [head, finalized] = [await node.head(), await node.finalized()]
  if (now.getTime() - head.time.getTime() > HEAD_MAX_MS)
    throw new SourceStands(`the newest block of the node, ${head.number}, dates from ${head.time.toISOString()}: the node is not advancing`)
  if (finalized !== null && now.getTime() - finalized.time.getTime() > FINALIZED_MAX_MS)
    throw new SourceStands(
      `the newest final block of the node, ${finalized.number}, dates from ${finalized.time.toISOString()}: nothing is credited above it`,
    )
}

/**
 * Checks that the balances of the configured tokens follow their transfers.
 * @returns the problems of rejected tokens
 * @throws NodeUnavailable
 */
export async function checkTokens({ rpcUrl, ...coins }: ChainSettings): Promise<string[]> {
  const contracts = Object.values(tokensOf(coins)).map(({ address }) => address)
  return [...(await findRejectedTokens(chainNode(rpcUrl, 5_000), contracts)).values()]
}

/** Chain incident that staff must answer. */
export interface ChainIncident {
  id: bigint
  /**
   * Kind of the incident. FINAL_GONE: final transfers disappeared. TOO_DEEP: a reorg was deeper than the stored blocks. WALLET_SPENT: a hot
   * wallet spent money without a payout. PAYOUT_GONE, SWEEP_GONE: a completed payout or token sweep left the chain. UNCLAIMED: an address
   * without an invoice received a payment.
   */
  kind: 'FINAL_GONE' | 'TOO_DEEP' | 'WALLET_SPENT' | 'PAYOUT_GONE' | 'SWEEP_GONE' | 'UNCLAIMED'
  at: Date
  fromBlock: number
  /** Transaction, address and ordinal of each missing transfer, or the amounts missing in a wallet. */
  transfers: string[]
}

/** Returns the open incidents, newest first. */
export async function chainIncidents(db: Db): Promise<ChainIncident[]> {
  const { rows } = await sql<ChainIncident>`
    select id, kind, noted_at as at, from_block::int as "fromBlock", array(select case jsonb_typeof(t) when 'string' then t #>> '{}'
      else concat_ws(' ', t ->> 'wallet', 'lacks', t ->> 'lacks', 'of', t ->> 'token') end from jsonb_array_elements(transfers) t) as transfers
    from chain_incident where answered_at is null order by id desc limit 20`.execute(db)
  return rows
}

/** Returns the reader state recorded by the worker. */
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
