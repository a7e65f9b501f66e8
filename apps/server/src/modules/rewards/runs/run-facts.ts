import { type RawBuilder, sql } from 'kysely'
import type { Batch } from '../../../jobs/lease.ts'
import type { Db, Tx } from '../../../platform/database.ts'
import { type DueWindow, moveWatch, nftIsDue, nftIsNear, stakeIsDue, stakeIsNear } from './run-due.ts'

/** A run as its row says. */
export interface Run extends DueWindow {
  id: bigint
  byHand: boolean
}

/** The sources that a batch looks at. */
interface Stretch {
  /** Where the run's cursor stands afterwards. */
  to: bigint
  full: boolean
  which: RawBuilder<boolean>
}

/** The next stretch of ids behind a run's cursor; of a run of few rewards all sources that may have one due. */
async function nextStretch(tx: Tx, table: 'stake' | 'nft_purchase', run: Run, size: number): Promise<Stretch> {
  if (run.watch !== undefined && run.few === true)
    return table === 'stake'
      ? { to: run.watch.newestStake, full: false, which: stakeIsNear(run.watch, run.through) }
      : { to: run.watch.newestNft, full: false, which: nftIsNear(run.watch, run.through) }
  const [cursor, id] = table === 'stake' ? [sql.ref('stake_cursor'), sql.ref('stake.id')] : [sql.ref('nft_cursor'), sql.ref('p.id')]
  const found = await sql<{ from: bigint; to: bigint; count: bigint }>`
    select r.cursor as from, coalesce(max(s.id), r.cursor) as to, count(s.id) as count
    from (select ${cursor} as cursor from reward_run where id = ${run.id}) r
    left join lateral (select id from ${sql.table(table)} where id > r.cursor order by id limit ${size}) s on true group by r.cursor`.execute(
    tx,
  )
  const row = found.rows[0]
  if (row === undefined) throw new Error(`run ${run.id} is gone`)
  return { to: row.to, full: Number(row.count) >= size, which: sql<boolean>`${id} > ${row.from} and ${id} <= ${row.to}` }
}

/**
 * Writes the next batch of daily rewards: counts a day on each due stake, and writes down what its owner earns. A blocked
 * or unverified owner's day counts and earns nothing (RW-12).
 * @param tx a transaction that holds the lease; progress is kept in the run's row in the same transaction
 * @param size most stakes that a batch looks at
 */
export async function writeStakeFacts(tx: Tx, run: Run, size: number): Promise<Batch> {
  const stretch = await nextStretch(tx, 'stake', run, size)
  const done = await sql<{ facts: bigint }>`
    with moved as (
      update stake set paid_days = paid_days + 1
      where ${stretch.which} and ${stakeIsDue(run)}
      returning id, member_id, is_omega, daily_reward, programme_version, paid_days as ordinal, started_at + paid_days * interval '24 hours' as due_at
    ), written as (
      insert into reward_fact (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
      select ${run.id}, case when moved.is_omega then 1 else 0 end, moved.id, moved.member_id, moved.ordinal, moved.programme_version,
        moved.daily_reward, moved.due_at
      from moved where moved.daily_reward > 0
        -- A question for each row, not a join: of the few who earn nothing, found in an index of their own.
        and (select true from member m where m.id = moved.member_id and not (m.is_verified and m.is_active)) is null
      returning due_at
    ), counted as (select count(*) as facts, min(due_at) as first_due, max(due_at) as last_due from written),
    progress as (
      update reward_run r set stake_cursor = ${stretch.to}, facts = r.facts + c.facts,
        first_due = least(r.first_due, c.first_due), last_due = greatest(r.last_due, c.last_due)
      from counted c where r.id = ${run.id}
    )
    select facts from counted`.execute(tx)
  return { done: Number(done.rows[0]?.facts ?? 0n), more: stretch.full }
}

/**
 * Writes the next batch of monthly NFT rewards (RW-06): counts a month on each due purchase, closes it after the last.
 * @param tx a transaction that holds the lease
 * @param size most purchases that a batch looks at
 * @param at the current moment, kept as the purchase's last distribution
 */
export async function writeNftFacts(tx: Tx, run: Run, size: number, at: Date): Promise<Batch> {
  const stretch = await nextStretch(tx, 'nft_purchase', run, size)
  const done = await sql<{ facts: bigint }>`
    with moved as (
      update nft_purchase p set months_paid = p.months_paid + 1,
        total_paid = p.total_paid + case when m.is_verified and m.is_active then p.monthly_reward else 0 end,
        last_distribution_date = case when m.is_verified and m.is_active and p.monthly_reward > 0 then ${at}::timestamptz else p.last_distribution_date end,
        status = case when p.months_paid + 1 = p.duration_months then 'CLOSED' else p.status end
      from member m
      where m.id = p.member_id and ${stretch.which} and ${nftIsDue(run)}
      returning p.id, p.member_id, p.monthly_reward, p.programme_version, p.months_paid as ordinal,
        reward_month(p.purchased_at, p.months_paid) as due_at, m.is_verified and m.is_active and p.monthly_reward > 0 as earns
    ), written as (
      insert into reward_fact (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
      select ${run.id}, 2, moved.id, moved.member_id, moved.ordinal, moved.programme_version, moved.monthly_reward, moved.due_at
      from moved where moved.earns
      returning due_at
    ), counted as (select count(*) as facts, min(due_at) as first_due, max(due_at) as last_due from written),
    progress as (
      update reward_run r set nft_cursor = ${stretch.to}, facts = r.facts + c.facts,
        first_due = least(r.first_due, c.first_due), last_due = greatest(r.last_due, c.last_due)
      from counted c where r.id = ${run.id}
    )
    select facts from counted`.execute(tx)
  return { done: Number(done.rows[0]?.facts ?? 0n), more: stretch.full }
}

/**
 * Sums a run's facts into one credit a member, bounties of five levels included, and names what it pays by a fingerprint.
 * @param tx a transaction that holds the lease; it may take long, so it lifts the time limit of statements
 * @returns the fingerprint
 */
export async function sumRun(tx: Tx, run: Run): Promise<string> {
  await sql`select reward_sum_run(${run.id}::bigint)`.execute(tx)
  await moveWatch(tx, run)
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

/** What a run pays by kind. */
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
