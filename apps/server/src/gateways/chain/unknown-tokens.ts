import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { hex, quantity, parseAnswer, TRANSFER } from './node-answers.ts'
import { type ChainSettings, tokensOf } from './chain.jobs.ts'
import { connectNode, NodeError } from './rpc.ts'
import * as v from 'valibot'
import type { WatchLease } from './chain-watch.types.ts'

/** Keeps rows for 90 days, to answer members' questions. */
export const unknownTokenRetention = { table: 'chain_unknown_token', moment: 'seen_at', days: 90 } as const

/** Maximum number of newest addresses per query, because nodes limit the size of a filter. */
const MAX_ADDRESSES = 1000
/** Maximum number of blocks per query. */
const MAX_BLOCK_RANGE = 200
/** Maximum number of queries per run. The job skips older blocks, because no credit depends on the list. */
const MAX_QUERIES = 20
/** Maximum number of contracts per address, and of all rows. The limits protect the database against token spam. */
const MAX_TOKENS_PER_ADDRESS = 5
const MAX_ROWS = 10_000

const log = v.object({ address: hex, topics: v.array(hex), transactionHash: hex })

/**
 * Builds the job that lists unsupported tokens at the newest addresses, so that staff can answer members. The job stores only
 * the contract's address, because the contract's author chooses name, symbol and amounts.
 */
export function unknownTokenJob({ chainId, rpcUrl, ...coins }: ChainSettings) {
  const ask = connectNode(rpcUrl)
  const configuredTokens = new Set(Object.values(tokensOf(coins)).map(({ address }) => address))
  return {
    name: 'unknown-tokens',
    everySeconds: 30,
    group: 'reconcile',
    run: async (lease: WatchLease): Promise<number> => {
      const { addresses, after, last } = await lease.read((db) => startScan(db, chainId))
      if (addresses.length === 0 || last <= after) return 0
      let named = 0
      for (let from = Math.max(after + 1, last - MAX_QUERIES * MAX_BLOCK_RANGE + 1); from <= last; from += MAX_BLOCK_RANGE) {
        const to = Math.min(last, from + MAX_BLOCK_RANGE - 1)
        const found = (await transfersTo(addresses, from, to)).filter(({ address }) => !configuredTokens.has(address))
        named += await lease.inTransaction((tx) => recordTokenTransfers(tx, { chainId, to }, found))
      }
      return named
    },
  }

  /** @throws NodeUnavailable */
  async function transfersTo(addresses: readonly string[], from: number, to: number) {
    const receivers = addresses.map((address) => `0x${address.slice(2).padStart(64, '0')}`)
    const wanted = { fromBlock: quantity(from), toBlock: quantity(to), topics: [TRANSFER, null, receivers] }
    try {
      const [answer] = await ask([{ method: 'eth_getLogs', params: [wanted] }])
      return parseAnswer(v.array(log), answer)
    } catch (error) {
      // Skips blocks with too many logs. The next blocks may have fewer.
      if (error instanceof NodeError) return []
      throw error
    }
  }
}

async function startScan(db: Db, chainId: number): Promise<{ addresses: string[]; after: number; last: number }> {
  const { rows } = await sql<{ after: number; last: number; addresses: string[] }>`
    select coalesce(tokens_scanned_to, final_block - 1)::int as after, final_block::int as last,
      array(select address from chain_address order by key_index desc limit ${MAX_ADDRESSES}) as addresses from chain_cursor where chain_id = ${chainId}`.execute(
    db,
  )
  return rows[0] ?? { addresses: [], after: 0, last: 0 }
}

async function recordTokenTransfers(
  tx: Tx,
  { chainId, to }: { chainId: number; to: number },
  found: readonly v.InferOutput<typeof log>[],
): Promise<number> {
  await sql`update chain_cursor set tokens_scanned_to = ${to} where chain_id = ${chainId}`.execute(tx)
  if (found.length === 0) return 0
  const column = (of: (one: v.InferOutput<typeof log>) => string) => found.map(of)
  const noted = await sql`
    with came as (
      select c.receiver, c.token, count(*) as transfers, min(hash) as hash,
        exists (select from chain_unknown_token k where (k.chain_id, k.address, k.token) = (${chainId}, c.receiver, c.token)) as known
      from unnest(${column(({ topics }) => `0x${topics[2]?.slice(-40)}`)}::text[], ${column(({ address }) => address)}::text[],
        ${column(({ transactionHash }) => transactionHash)}::text[]) c (receiver, token, hash)
      join chain_address a on a.address = c.receiver group by 1, 2),
    placed as (
      select c.*, (select count(*) from chain_unknown_token k where k.chain_id = ${chainId} and k.address = c.receiver)
          + row_number() over (partition by c.receiver, c.known order by c.token) as rank,
        (select count(*) from chain_unknown_token) + row_number() over (partition by c.known order by c.receiver, c.token) as of_all
      from came c)
    insert into chain_unknown_token as k (chain_id, address, token, transfers, tx_hash, seen_at)
    select ${chainId}, receiver, token, transfers, hash, (select block_time from chain_cursor where chain_id = ${chainId})
    from placed where known or rank <= ${MAX_TOKENS_PER_ADDRESS} and of_all <= ${MAX_ROWS}
    on conflict (chain_id, address, token) do update set transfers = k.transfers + excluded.transfers, seen_at = excluded.seen_at`.execute(
    tx,
  )
  return Number(noted.numAffectedRows ?? 0n)
}
