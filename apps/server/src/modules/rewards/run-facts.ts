import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { Tx } from '../../platform/database.ts'
import { type DueWindow, nftIsDue, stakeIsDue } from './run-days.ts'

/** A run as its row says. */
export interface Run extends DueWindow {
  id: bigint
  byHand: boolean
}

/** What one batch did. */
export interface FactBatch {
  /** Sources looked at; fewer than the batch size means that none are left. */
  moved: number
  facts: number
}

/**
 * Writes the next batch of daily rewards: counts a day on each due stake, and writes down what its owner earns. A blocked
 * or unverified owner's day counts and earns nothing (RW-12).
 * @param tx a transaction that holds the lease; progress is kept in the run's row in the same transaction
 * @param run the run
 * @param size most stakes of a batch
 */
export async function writeStakeFacts(tx: Tx, run: Run, size: number): Promise<FactBatch> {
  const done = await sql<{ moved: bigint; facts: bigint }>`
    with due as materialized (
      select s.id, s.member_id, s.is_omega, s.daily_reward, s.programme_version, s.paid_days + 1 as ordinal,
        s.started_at + (s.paid_days + 1) * interval '24 hours' as due_at
      from stake s
      where s.id > (select stake_cursor from reward_run where id = ${run.id}) and ${stakeIsDue(run)}
      order by s.id limit ${size}
    ), moved as (
      update stake s set paid_days = due.ordinal from due where s.id = due.id and s.paid_days = due.ordinal - 1 returning s.id
    ), written as (
      insert into reward_fact (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
      select ${run.id}, case when due.is_omega then 1 else 0 end, due.id, due.member_id, due.ordinal, due.programme_version, due.daily_reward, due.due_at
      from due join member m on m.id = due.member_id where m.is_verified and m.is_active and due.daily_reward > 0
      returning due_at
    ), counted as (select count(*) as facts, min(due_at) as first_due, max(due_at) as last_due from written),
    progress as (
      update reward_run r set stake_cursor = greatest(r.stake_cursor, coalesce((select max(id) from due), 0)), facts = r.facts + c.facts,
        first_due = least(r.first_due, c.first_due), last_due = greatest(r.last_due, c.last_due)
      from counted c where r.id = ${run.id}
    )
    select (select count(*) from moved) as moved, (select facts from counted) as facts`.execute(tx)
  return read(done.rows[0])
}

/**
 * Writes the next batch of monthly NFT rewards (RW-06): counts a month on each due purchase, closes it after the last.
 * @param tx a transaction that holds the lease
 * @param run the run
 * @param size most purchases of a batch
 * @param at the current moment, kept as the purchase's last distribution
 */
export async function writeNftFacts(tx: Tx, run: Run, size: number, at: Date): Promise<FactBatch> {
  const done = await sql<{ moved: bigint; facts: bigint }>`
    with due as materialized (
      select p.id, p.member_id, p.monthly_reward, p.programme_version, p.months_paid + 1 as ordinal,
        reward_month(p.purchased_at, p.months_paid + 1) as due_at, m.is_verified and m.is_active and p.monthly_reward > 0 as earns
      from nft_purchase p join member m on m.id = p.member_id
      where p.id > (select nft_cursor from reward_run where id = ${run.id}) and ${nftIsDue(run)}
      order by p.id limit ${size}
    ), moved as (
      update nft_purchase p set months_paid = due.ordinal,
        total_paid = p.total_paid + case when due.earns then due.monthly_reward else 0 end,
        last_distribution_date = case when due.earns then ${at}::timestamptz else p.last_distribution_date end,
        status = case when due.ordinal = p.duration_months then 'CLOSED' else p.status end
      from due where p.id = due.id and p.months_paid = due.ordinal - 1 returning p.id
    ), written as (
      insert into reward_fact (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
      select ${run.id}, 2, due.id, due.member_id, due.ordinal, due.programme_version, due.monthly_reward, due.due_at from due where due.earns
      returning due_at
    ), counted as (select count(*) as facts, min(due_at) as first_due, max(due_at) as last_due from written),
    progress as (
      update reward_run r set nft_cursor = greatest(r.nft_cursor, coalesce((select max(id) from due), 0)), facts = r.facts + c.facts,
        first_due = least(r.first_due, c.first_due), last_due = greatest(r.last_due, c.last_due)
      from counted c where r.id = ${run.id}
    )
    select (select count(*) from moved) as moved, (select facts from counted) as facts`.execute(tx)
  return read(done.rows[0])
}

const read = (row: { moved: bigint; facts: bigint } | undefined): FactBatch => ({ moved: Number(row?.moved ?? 0n), facts: Number(row?.facts ?? 0n) })

/**
 * Sums a run's facts into one credit a member, bounties of five levels included, and names what it pays by a fingerprint.
 * @param tx a transaction that holds the lease; it may take long, so it lifts the time limit of statements
 * @param run the run, whose facts are complete
 * @returns the fingerprint
 */
export async function sumRun(tx: Tx, run: Run): Promise<string> {
  await sql`select reward_sum_run(${run.id}::bigint)`.execute(tx)
  const found = await sql<{ hash: string }>`
    update reward_run set hash = reward_fingerprint(id), status = 'PAY' where id = ${run.id} returning hash`.execute(tx)
  const hash = found.rows[0]?.hash
  if (hash === undefined) throw new Error(`run ${run.id} is gone`)
  return hash
}

/** What a run comes to, by kind of reward. */
export interface KindTotal {
  kind: string
  asset: 'COIN' | 'USD'
  rows: bigint
  amount: bigint
}

/**
 * What a run pays by kind.
 * @param db where
 * @param runId the run
 */
export async function totalsOfRun(db: Db, runId: bigint): Promise<KindTotal[]> {
  const found = await sql<KindTotal>`
    select k.kind, k.asset, k.rows::bigint as rows, k.amount::bigint as amount
    from (select stream, sum(n0) as n0, sum(daily) as daily, sum((n1 + n2 + n3 + n4 + n5)) filter (where eligible) as n, sum(b1 + b2 + b3 + b4 + b5) as bounty
      from reward_credit where run_id = ${runId} group by stream) s
    cross join lateral (values
      (case stream when 0 then 'daily' when 1 then 'stake-log' else 'nft-monthly' end, case stream when 2 then 'USD' else 'COIN' end, n0, daily),
      (case stream when 0 then 'profit-bounty' when 1 then 'stake-log-bounty' else 'nft-profit-bounty' end, case stream when 2 then 'USD' else 'COIN' end, coalesce(n, 0), bounty)
    ) k (kind, asset, rows, amount) order by stream, k.kind`.execute(db)
  return found.rows
}
