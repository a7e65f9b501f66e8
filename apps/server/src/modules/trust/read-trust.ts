import type { RewardKind } from '@tizara/contract/rewards'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { forecastByMonth } from '../rewards/index.ts'
import { readLiabilities } from './liabilities.ts'

/** Percent of `part` in `whole`, rounded down, in units; null when there is nothing to cover. */
const percentOf = (part: Units, whole: Units): Units | null =>
  whole <= 0n ? null : mulDiv(part > 0n ? part : 0n, 100n * ONE, whole, 'down')

/** Statements per page of the history: more than a year. */
const HISTORY_ROWS = 400

/** Reads liabilities and coverage from the ledger and the forecast of rewards, and the newest published statement. */
export async function readTrust(db: Db, now: Date) {
  const [liabilities, forecast, newest] = await Promise.all([
    readLiabilities(db),
    forecastByMonth(db, utcDay(now)),
    sql<{
      number: number
      text: string
      digest: string
      signer: string | null
      signature: string | null
      at: Date
      balanced: boolean
      transfers: bigint
    }>`
      select s.number, s.text, s.digest, g.signer, g.signature, s.at, s.balanced, s.transfers
      from trust_statement s left join trust_signature g using (number) order by s.number desc limit 1`.execute(db),
  ])
  const [statement] = newest.rows
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
    proof:
      statement === undefined
        ? null
        : { text: statement.text, digest: statement.digest, signer: statement.signer, signature: statement.signature },
    ledger: statement === undefined ? null : { at: statement.at, ok: statement.balanced, transfers: Number(statement.transfers) },
  }
}

/** Reads the published statements after a number, oldest first. */
export async function readHistory(db: Db, after: number) {
  const { rows } = await sql<{ text: string; digest: string; signer: string | null; signature: string | null }>`
    select s.text, s.digest, g.signer, g.signature from trust_statement s left join trust_signature g using (number)
    where s.number > ${after}::int order by s.number limit ${HISTORY_ROWS}`.execute(db)
  return rows
}
