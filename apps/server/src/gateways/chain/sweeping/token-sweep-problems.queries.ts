import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** Age in ms from which staff see an open move or a balance without a possible sweep. */
const REPORTED_AFTER_MS = 3_600_000

/** Attempt to sweep a balance: its problem, or undefined once the sweep is signed. */
export interface TokenSweepAttempt {
  address: string
  token: string
  problem?: string | undefined
}

/** Records attempts. A signed sweep deletes its problem, and so does a day without an attempt. */
export async function recordAttempts(tx: Tx, chainId: number, attempts: readonly TokenSweepAttempt[], at: Date): Promise<void> {
  const addresses = (some: readonly TokenSweepAttempt[]) => sql`${some.map(({ address }) => address)}::text[]`
  const tokens = (some: readonly TokenSweepAttempt[]) => sql`${some.map(({ token }) => token)}::text[]`
  const failed = attempts.filter(({ problem }) => problem !== undefined)
  const signed = attempts.filter(({ problem }) => problem === undefined)
  await sql`
    delete from chain_sweep_problem where chain_id = ${chainId} and (tried_at < ${new Date(at.getTime() - DAY_MS)}
      or (address, token) in (select * from unnest(${addresses(signed)}, ${tokens(signed)})))`.execute(tx)
  if (failed.length === 0) return
  await sql`
    insert into chain_sweep_problem (chain_id, address, token, problem, since, tried_at)
    select ${chainId}, address, token, problem, ${at}, ${at}
    from unnest(${addresses(failed)}, ${tokens(failed)}, ${failed.map(({ problem }) => problem)}::text[]) w (address, token, problem)
    on conflict (chain_id, address, token) do update set problem = excluded.problem, tried_at = excluded.tried_at`.execute(tx)
}

/** Delayed token sweeps with the same cause. */
export interface TokenSweepDelay {
  problem: string
  count: number
  /** Oldest start of the delay. */
  since: Date
}

/** Returns the sweeps delayed for more than an hour, by cause, the most frequent first, at most ten. */
export async function tokenSweepDelays(db: Db, now: Date): Promise<TokenSweepDelay[]> {
  const before = new Date(now.getTime() - REPORTED_AFTER_MS)
  const { rows } = await sql<TokenSweepDelay>`
    select problem, count(*)::int as count, min(since) as since from (
      select problem, since from chain_sweep_problem where since < ${before} and tried_at > ${new Date(now.getTime() - DAY_MS)}
      union all
      select case kind when 'GAS' then 'gas for an address is in no final block' else 'a sweep is in no final block' end, made_at
      from chain_move where state = 'SIGNED' and made_at < ${before}) d
    group by problem order by count(*) desc, problem limit 10`.execute(db)
  return rows
}
