import { type RawBuilder, sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import type { Db, Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { STREAM_FACTS } from '../programme/rewards.rules.ts'
import { type DueWindow, isDue, isNear, moveWatch, type Watch } from './run-due.ts'
import { finishRun } from './run-payments.ts'

/** How a run cuts its work. */
export interface RunSizes {
  /** Sources looked at in one transaction. */
  facts: number
  /** Members paid in one transaction. */
  slice: number
}
export const RUN_SIZES: RunSizes = { facts: 50_000, slice: 50_000 }

/** A run as its row says. */
export interface Run extends DueWindow {
  id: bigint
  /** Where the watch stood when it began; undefined when everything was looked at. */
  watch: Watch | undefined
  /** Whether there is so little to do that it looks only at the sources near the watch, in one batch. */
  few: boolean
}

/** Opens a run; {@link workOut} does its work. */
export async function openRun(tx: Tx, deps: Deps, run: Omit<Run, 'id'>, by: string | null): Promise<Run> {
  const { watch } = run
  const row = await tx
    .insertInto('reward_run')
    .values({
      day: run.day,
      through: run.through,
      status: 'FACTS',
      by_hand: run.byHand,
      started_by: by,
      started_at: deps.clock.now(),
      few: run.few,
      clear_through: watch?.clearThrough ?? null,
      seen_source: watch?.seen ?? null,
      newest_source: watch?.newest ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...run, id: row.id }
}

/** The run whose rewards are not all written down, if there is one: there is never more than one. */
export async function unfinishedRun(db: Db): Promise<Run | undefined> {
  const row = await db.selectFrom('reward_run').selectAll().where('status', '=', 'FACTS').executeTakeFirst()
  if (row === undefined) return undefined
  const { clear_through: clearThrough, seen_source: seen, newest_source: newest } = row
  const watch = clearThrough === null || seen === null || newest === null ? undefined : { clearThrough, seen, newest }
  return { id: row.id, day: row.day, through: row.through, byHand: row.by_hand, few: row.few, watch }
}

/**
 * Works out the run that is open, if one is: in batches, the sums with the last of them. It does not matter who opened it,
 * and whether somebody was cut off in it.
 * @returns how many rewards were written down
 */
export function workOut(lease: Lease, deps: Deps, size: number): Promise<number> {
  return lease.untilDone(async (tx) => {
    const run = await unfinishedRun(tx)
    return run === undefined ? { done: 0, more: false } : workOutBatch(tx, deps, run, size)
  })
}

/** One batch: counts a step on each due source, and writes down what its owner earns; after the last one sums the run. */
export async function workOutBatch(tx: Tx, deps: Deps, run: Run, size: number): Promise<Batch> {
  await liftLimits(tx)
  const stretch = await nextStretch(tx, run, size)
  const done = await writeFacts(tx, run, stretch, deps.clock.now())
  deps.log.info({ run: String(run.id), day: run.day, facts: done }, 'reward run')
  if (!stretch.more) await sumRun(tx, run, deps.clock.now())
  return { done, more: stretch.more }
}

/**
 * Settings of a long transaction of a run. It does not wait for the disk at its end: what a power cut takes back is whole
 * batches from the end, which the next worker does again, and whatever is confirmed to anybody afterwards is on the disk
 * together with everything before it.
 */
async function liftLimits(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true), set_config('jit', 'off', true),
    set_config('synchronous_commit', 'off', true)`.execute(tx)
}

/** The sources that a batch looks at, where the run's cursor stands afterwards, and whether there are more behind. */
interface Stretch {
  which: RawBuilder<boolean>
  to: bigint
  more: boolean
}

/** The next stretch of ids behind a run's cursor; of a run of few rewards all sources that may have one due. */
async function nextStretch(tx: Tx, run: Run, size: number): Promise<Stretch> {
  if (run.few && run.watch !== undefined) return { which: isNear(run.watch, run.through), to: run.watch.newest, more: false }
  const found = await sql<{ from: bigint; to: bigint; count: bigint }>`
    select r.source_cursor as from, coalesce(max(s.id), r.source_cursor) as to, count(s.id) as count from reward_run r
    left join lateral (select id from reward_source where id > r.source_cursor order by id limit ${size}) s on true
    where r.id = ${run.id} group by r.source_cursor`.execute(tx)
  const row = found.rows[0]
  if (row === undefined) throw new Error(`run ${run.id} is gone`)
  return { which: sql<boolean>`s.id > ${row.from} and s.id <= ${row.to}`, to: row.to, more: Number(row.count) >= size }
}

/** Whether the owner of a source earns: a question for each row, not a join: of the few who do not, found in an index of their own. */
const earns = (source: string) =>
  sql<boolean>`(select true from member m where m.id = ${sql.ref(`${source}.member_id`)} and not (m.is_verified and m.is_active)) is null`

const OWN_KINDS = ([0, 1, 2] as const).map((stream) => STREAM_FACTS[stream].own)
const BOUNTY_KINDS = ([0, 1, 2] as const).map((stream) => STREAM_FACTS[stream].bounty)

/**
 * Counts and writes in one statement, so that the two never differ (RW-03, RW-06). The step of an owner who is blocked or
 * not verified counts and earns nothing (RW-12). What was promised of the counted steps goes with the run.
 */
async function writeFacts(tx: Tx, run: Run, stretch: Stretch, at: Date): Promise<number> {
  const done = await sql<{ facts: bigint }>`
    with moved as (
      update reward_source s set counted = s.counted + 1,
        distributed = case when s.stream = 2 and ${earns('s')} then s.distributed + s.amount else s.distributed end,
        distributed_at = case when s.stream = 2 and s.amount > 0 and ${earns('s')} then ${at}::timestamptz else s.distributed_at end
      where ${stretch.which} and ${isDue(run)}
      returning s.id, s.stream, s.member_id, s.amount, s.bounty, s.programme_version, s.counted as ordinal,
        reward_step(s.stream = 2, s.starts_at, s.counted) as due_at
    ), written as (
      insert into reward_fact (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
      select ${run.id}, moved.stream, moved.id, moved.member_id, moved.ordinal, moved.programme_version, moved.amount, moved.due_at
      from moved where moved.amount > 0 and ${earns('moved')}
      returning due_at
    ), counted as (select count(*) as facts, min(due_at) as first_due, max(due_at) as last_due from written),
    progress as (
      update reward_run r set source_cursor = ${stretch.to}, facts = r.facts + c.facts,
        first_due = least(r.first_due, c.first_due), last_due = greatest(r.last_due, c.last_due)
      from counted c where r.id = ${run.id}
    ), kept as (
      insert into reward_promise_pending (kind, step, starts_at, times, amount, run_id)
      select p.kind, 'day', (k.day - 1)::timestamp at time zone 'UTC', 1, -p.amount, ${run.id}
      from (select stream, (due_at at time zone 'UTC')::date as day, reward_add(amount) as own, reward_add(bounty) as bounty from moved group by 1, 2) k
      cross join lateral (values ((${OWN_KINDS}::text[])[k.stream + 1], k.own), ((${BOUNTY_KINDS}::text[])[k.stream + 1], k.bounty)) p (kind, amount)
      where p.amount > 0
    )
    select facts from counted`.execute(tx)
  return Number(done.rows[0]?.facts ?? 0n)
}

/** Sums a run's facts into one credit a member, bounties of five levels included, and names what it pays by a fingerprint. */
async function sumRun(tx: Tx, run: Run, at: Date): Promise<void> {
  await sql`select reward_sum_run(${run.id}::bigint)`.execute(tx)
  await sql`update reward_promise_pending set run_id = null where run_id = ${run.id}`.execute(tx)
  await sql`update reward_run set hash = reward_fingerprint(id), status = 'PAY' where id = ${run.id}`.execute(tx)
  await moveWatch(tx, run.through, run.watch)
  await finishRun(tx, run.id, at)
}
