import type { RewardKind } from '@tizara/contract/rewards'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { forecastByMonth } from '../rewards/index.ts'
import { readLiabilities } from './liabilities.ts'

/** Returns `part` as a percentage of `whole` in units, rounded down; null if `whole` is zero. */
const percentOf = (part: Units, whole: Units): Units | null =>
  whole <= 0n ? null : mulDiv(part > 0n ? part : 0n, 100n * ONE, whole, 'down')

/** Statements per page of the history: more than a year. */
const HISTORY_ROWS = 400

/** Reads liabilities and coverage from the ledger and the forecast of rewards, and the newest published statement. */
export async function readTrust(db: Db, now: Date) {
  const [liabilities, forecast, statement] = await Promise.all([readLiabilities(db), forecastByMonth(db, utcDay(now)), readNewest(db)])
  return {
    at: now,
    reserves: liabilities.map(({ asset, wallets, holds, earned, owed, books }) => ({
      asset,
      wallets,
      holds,
      earned,
      liabilities: owed,
      books,
    })),
    rewardPool: liabilities.map(({ asset, pool, promised, earned }) => ({
      asset,
      balance: pool,
      promised,
      owed: earned,
      coverage: percentOf(pool, promised + earned),
    })),
    forecast: forecast.map(({ month, kind, amount }) => ({
      month,
      kind: kind as RewardKind,
      asset: kind.startsWith('nft-') ? ('usd' as const) : ('coin' as const),
      amount,
    })),
    proof: statement === undefined ? null : publishedOf(statement),
    ledger: statement === undefined ? null : { at: statement.at, ok: statement.balanced, transfers: Number(statement.transfers) },
  }
}

/** A statement with its signature and the transaction that published its digest, if there are any. */
interface PublishedRow {
  text: string
  digest: string
  signer: string | null
  signature: string | null
  chain_id: number | null
  hash: string | null
  sender: string | null
  block: number | null
}

/** SQL: columns and tables of `PublishedRow`. Of several final transactions the first is used. */
const COLUMNS = sql`s.text, s.digest, g.signer, g.signature, d.chain_id, d.hash, d.sender, d.block`
const TABLES = sql`trust_statement s left join trust_signature g using (number) left join lateral (
  select t.chain_id, t.hash, t.sender, t.block from trust_digest_transaction t where t.number = s.number and t.block is not null
  order by t.block, t.hash limit 1) d on true`

function publishedOf({ text, digest, signer, signature, chain_id, hash, sender, block }: PublishedRow) {
  const onChain =
    chain_id === null || hash === null || sender === null || block === null ? null : { chainId: chain_id, hash, sender, block }
  return { text, digest, signer, signature, onChain }
}

async function readNewest(db: Db) {
  const { rows } = await sql<PublishedRow & { at: Date; balanced: boolean; transfers: bigint }>`
    select s.at, s.balanced, s.transfers, ${COLUMNS} from ${TABLES} order by s.number desc limit 1`.execute(db)
  return rows[0]
}

/** Reads the published statements after a number, oldest first. */
export async function readHistory(db: Db, after: number) {
  const { rows } = await sql<PublishedRow>`
    select ${COLUMNS} from ${TABLES} where s.number > ${after}::int order by s.number limit ${HISTORY_ROWS}`.execute(db)
  return rows.map(publishedOf)
}
