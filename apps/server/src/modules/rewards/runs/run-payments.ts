import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import { isRejected, lockFreeBudget, moveToShard, postBatch, postBulk, rejectionError, REWARD_SHARDS } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordEventRows } from '../../notices/index.ts'
import { STREAM_PROPERTIES, type Stream } from '../programme/rewards.rules.ts'

/** A run's part not fully paid, with its cursor: the last credit paid or claimed. */
interface OpenPayment {
  run_id: bigint
  stream: Stream
  cursor_sponsor: bigint
  cursor_member: bigint
}

/** Range of a payment's credits, in order: after one credit, up to and including another. */
interface CreditRange {
  run_id: bigint
  stream: Stream
  after_sponsor: bigint
  after_member: bigint
  last_sponsor: bigint
  last_member: bigint
  members: number
  total: Units
}

/** Credits with their money in a shard of the pool for one worker. */
type PaymentClaim = CreditRange & { shard: number }

/**
 * Pays owed credits, oldest run first, while the pool has enough (MF-15, MF-16, MF-19, MF-21, MF-23). Workers claim the next credits with
 * the money one after the other, and then pay in parallel. Credits without money stay owed, and no later credit in the same asset is paid
 * before them.
 * @returns the number of paid credits
 */
export async function payRuns(lease: Lease, deps: Deps, partitionSize: number): Promise<number> {
  const pay = (streams: readonly Stream[]) => lease.untilDone((tx) => payOrClaim(tx, deps.clock.now(), streams, partitionSize))
  return (await pay([0, 1])) + (await pay([2]))
}

async function payOrClaim(tx: Tx, at: Date, streams: readonly Stream[], partitionSize: number): Promise<Batch> {
  const claimed = await sql<PaymentClaim>`
    select * from reward_payment_claim where stream = any (${streams}::int[]) order by run_id, stream, shard limit 1 for update skip locked`.execute(
    tx,
  )
  const own = claimed.rows[0]
  return own === undefined ? claimNext(tx, at, streams, partitionSize) : { done: await payClaim(tx, own, at), more: true }
}

/** Pays credits claimed by this or another worker. */
async function payClaim(tx: Tx, claim: PaymentClaim, at: Date): Promise<number> {
  await tuneForPartitions(tx)
  await postMany(tx, claim, claim.shard, at)
  await sql`delete from reward_payment_claim where run_id = ${claim.run_id} and stream = ${claim.stream} and shard = ${claim.shard}`.execute(
    tx,
  )
  await recordPaid(tx, claim, at)
  return claim.members
}

/** Claims the next credits that the pool can pay, in order. A few are paid at once. */
async function claimNext(tx: Tx, at: Date, streams: readonly Stream[], partitionSize: number): Promise<Batch> {
  if ((await openPayment(tx, streams)) === undefined) return { done: 0, more: false }
  await tuneForPartitions(tx)
  // Workers claim one after the other, so that no credit is claimed twice and the pool is not exceeded.
  const pool = await lockFreeBudget(tx, streams.includes(2) ? 'USD' : 'COIN')
  const payment = await openPayment(tx, streams)
  if (payment === undefined) return { done: 0, more: false }
  const { short, ...range } = await moveCursor(tx, payment, partitionSize, pool)
  if (short) await recordShortfall(tx, streams)
  if (range.members === 0) return { done: 0, more: false }
  if (range.members <= MAX_BATCH_CREDITS && range.members < partitionSize) {
    await postFew(tx, range, at)
    await recordPaid(tx, range, at)
    return { done: range.members, more: !short }
  }
  const shard = await freeShard(tx, range.stream)
  if (shard === undefined) await postMany(tx, range, 0, at)
  else await moveToShard(tx, { asset: STREAM_PROPERTIES[range.stream].asset, shard, amount: range.total, run: range.run_id, at })
  if (shard === undefined) await recordPaid(tx, range, at)
  else
    await tx
      .insertInto('reward_payment_claim')
      .values({ ...range, shard })
      .execute()
  return { done: shard === undefined ? range.members : 0, more: true }
}

async function openPayment(tx: Tx, streams: readonly Stream[]): Promise<OpenPayment | undefined> {
  const open = await sql<OpenPayment>`
    select run_id, stream, cursor_sponsor, cursor_member from reward_payment
    where paid < total and taken < total and stream = any (${streams}::int[]) order by run_id, stream limit 1`.execute(tx)
  return open.rows[0]
}

/** Returns a free pool shard. Both coin streams share the shards. */
async function freeShard(tx: Tx, stream: Stream): Promise<number | undefined> {
  const found = await sql<{ shard: number }>`
    select shard from generate_series(1, ${REWARD_SHARDS}::int) shard
    where not exists (select from reward_payment_claim t where t.shard = shard.shard and (t.stream = 2) = ${stream === 2}) order by shard limit 1`.execute(
    tx,
  )
  return found.rows[0]?.shard
}

/**
 * Maximum number of credits that are posted as a batch. A bulk posting uses a temporary table; a new one every few seconds would fill the
 * catalogue with dead rows.
 */
const MAX_BATCH_CREDITS = 200

async function postFew(tx: Tx, range: CreditRange, at: Date): Promise<void> {
  const properties = STREAM_PROPERTIES[range.stream]
  const credits = await sql<{ member_id: bigint; amount: Units }>`
    select member_id, amount from ${creditsOf(range)} order by member_id`.execute(tx)
  const results = await postBatch(
    tx,
    credits.rows.map(({ member_id, amount }) => ({
      kind: properties.transferKind,
      cause: { type: 'reward_run', id: String(range.run_id) },
      at,
      transfers: [
        { from: { system: 'SYS-REWARD' as const, asset: properties.asset }, to: { owner: member_id, kind: properties.wallet }, amount },
      ],
    })),
  )
  for (const result of results) if (isRejected(result)) throw rejectionError(result)
}

async function postMany(tx: Tx, range: CreditRange, shard: number, at: Date): Promise<void> {
  const properties = STREAM_PROPERTIES[range.stream]
  await postBulk(tx, {
    from: 'SYS-REWARD',
    shard,
    to: properties.wallet,
    kind: properties.transferKind,
    causeType: 'reward_run',
    at,
    total: range.total,
    source: sql`select member_id as owner_id, amount, ${String(range.run_id)}::text as cause_id, null::text as key
      from ${creditsOf(range)}`,
  })
}

/**
 * Configures a partition's transaction to use only indexes, because a partition is a small part of large tables and the statistics are
 * older than the run. With these statistics, every partition would read the tables up to its start, and a run ten times as large would take
 * a hundred times as long. Commits do not wait for the disk: a partition that a power failure loses is paid again.
 */
async function tuneForPartitions(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
    set_config('synchronous_commit', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    tx,
  )
}

const creditsBehind = (run: bigint, stream: Stream, sponsor: bigint, member: bigint) => sql`reward_credit
  where run_id = ${run}::bigint and stream = ${stream}::smallint and amount > 0
    and (sponsor_id, member_id) > (${sponsor}::bigint, ${member}::bigint)`

const creditsOf = ({ run_id, stream, after_sponsor, after_member, last_sponsor, last_member }: CreditRange) =>
  sql`${creditsBehind(run_id, stream, after_sponsor, after_member)}
    and (sponsor_id, member_id) <= (${last_sponsor}::bigint, ${last_member}::bigint)`

/**
 * Moves a payment's cursor past the next credits that the pool can pay, in order.
 * @param pool available units
 * @returns the credits; `short` is true if the pool has too little for the next credit
 */
async function moveCursor(tx: Tx, payment: OpenPayment, size: number, pool: Units): Promise<CreditRange & { short: boolean }> {
  const { run_id, stream, cursor_sponsor, cursor_member } = payment
  const moved = await sql<{ members: number; total: Units; last_sponsor: bigint; last_member: bigint; left: boolean }>`
    with next as (
      select sponsor_id, member_id, reward_add(amount) over upto as running, row_number() over upto as members
      from (select sponsor_id, member_id, amount from ${creditsBehind(run_id, stream, cursor_sponsor, cursor_member)}
        order by sponsor_id, member_id limit ${size}) credit
      window upto as (order by sponsor_id, member_id rows unbounded preceding)
    ), last as (
      select * from next where running <= ${pool}::bigint order by members desc limit 1
    )
    update reward_payment p set taken = p.taken + l.running, cursor_sponsor = l.sponsor_id, cursor_member = l.member_id
    from last l where p.run_id = ${run_id} and p.stream = ${stream}
    returning l.members::int as members, l.running as total, l.sponsor_id as last_sponsor, l.member_id as last_member, p.taken < p.total as left`.execute(
    tx,
  )
  const from = { run_id, stream, after_sponsor: cursor_sponsor, after_member: cursor_member }
  const row = moved.rows[0]
  if (row === undefined) return { ...from, members: 0, total: 0n, last_sponsor: 0n, last_member: 0n, short: true }
  const { left, ...range } = row
  return { ...from, ...range, short: left && row.members < size }
}

/** Records the pool's shortfall for open payments. Repeated calls do not add to it. */
const recordShortfall = (tx: Tx, streams: readonly Stream[]) =>
  sql`update reward_payment set fell_short = total - taken
    where paid < total and stream = any (${streams}::int[]) and fell_short < total - taken`.execute(tx)

/**
 * Records paid credits, with one notification per member for monthly rewards. Daily rewards have no notification. A row per member and day
 * would hide the others in the inbox, and writing the rows would take as long as the payments of the run.
 */
async function recordPaid(tx: Tx, range: CreditRange, at: Date): Promise<void> {
  const { run_id, stream, members, total } = range
  const { step, asset, transferKind } = STREAM_PROPERTIES[stream]
  if (step === 'month')
    await recordEventRows(
      tx,
      at,
      sql`select member_id, 'reward' as event, ${`${run_id}.${stream}.`}::text || member_id as cause, amount,
        ${asset === 'USD' ? 'usd' : 'coin'}::text as asset, jsonb_build_object('reward', ${transferKind}::text) as facts from ${creditsOf(range)}`,
    )
  await sql`update reward_payment set paid = paid + ${total}::bigint, paid_credits = paid_credits + ${members}::int
    where run_id = ${run_id} and stream = ${stream}`.execute(tx)
  await finishRun(tx, run_id, at)
}

/** Marks a fully paid run as done. */
export async function finishRun(tx: Tx, runId: bigint, at: Date): Promise<void> {
  await sql`update reward_run set status = 'DONE', finished_at = ${at} where id = ${runId} and status = 'PAY'
    and not exists (select 1 from reward_payment where run_id = ${runId} and paid < total)`.execute(tx)
}
