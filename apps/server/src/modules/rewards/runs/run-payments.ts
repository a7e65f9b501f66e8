import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import { balanceOfHouse, isRefused, postBatch, postBulk, refusalError } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { STREAM_FACTS, type Stream } from '../programme/rewards.rules.ts'

/** A part of a run that is not paid in full, and behind whom its next credit stands. */
interface OpenPayment {
  run_id: bigint
  stream: Stream
  cursor_sponsor: bigint
  cursor_member: bigint
}

/** The credits that one transaction pays: those behind the payment's cursor, up to and including the last one. */
interface Slice {
  members: number
  total: Units
  lastSponsor: bigint
  lastMember: bigint
  /** Whether the pool holds less than the next credit. */
  short: boolean
}

/**
 * Pays what runs owe, oldest run first, as far as the pool goes (MF-15, MF-16, MF-19, MF-21, MF-23). What the pool cannot
 * pay stays owed; nothing of the same asset overtakes it.
 * @returns how many credits were paid
 */
export async function payRuns(lease: Lease, deps: Deps, sliceSize: number): Promise<number> {
  const coin = await lease.untilDone((tx) => payNextSlice(tx, deps.clock.now(), [0, 1], sliceSize))
  return coin + (await lease.untilDone((tx) => payNextSlice(tx, deps.clock.now(), [2], sliceSize)))
}

async function payNextSlice(tx: Tx, at: Date, ofStreams: readonly Stream[], sliceSize: number): Promise<Batch> {
  const open = await sql<OpenPayment>`
    select p.run_id, p.stream, p.cursor_sponsor, p.cursor_member from reward_payment p
    where p.paid < p.total and p.stream = any (${ofStreams}::int[]) order by p.run_id, p.stream limit 1`.execute(tx)
  const payment = open.rows[0]
  if (payment === undefined) return { done: 0, more: false }
  await tuneForSlices(tx)
  const slice = await takeSlice(tx, payment, sliceSize)
  if (slice.members > 0 && slice.members <= FEW && slice.members < sliceSize) await postFew(tx, payment, slice, at)
  else if (slice.members > 0) await postMany(tx, payment, slice, at)
  await finishRun(tx, payment.run_id, at)
  return { done: slice.members, more: !slice.short }
}

/**
 * Up to this many credits are posted as a batch. A posting in bulk works through a temporary table; made every few seconds,
 * such tables would fill the catalogue with dead rows.
 */
const FEW = 200

async function postFew(tx: Tx, payment: OpenPayment, slice: Slice, at: Date): Promise<void> {
  const facts = STREAM_FACTS[payment.stream]
  const credits = await sql<{ member_id: bigint; amount: Units }>`
    select member_id, amount from ${creditsOf(payment, slice)} order by member_id`.execute(tx)
  const results = await postBatch(
    tx,
    credits.rows.map(({ member_id, amount }) => ({
      kind: facts.transferKind,
      cause: { type: 'reward_run', id: String(payment.run_id) },
      at,
      transfers: [{ from: { house: 'SYS-REWARD' as const, asset: facts.asset }, to: { owner: member_id, kind: facts.wallet }, amount }],
    })),
  )
  for (const result of results) if (isRefused(result)) throw refusalError(result)
}

async function postMany(tx: Tx, payment: OpenPayment, slice: Slice, at: Date): Promise<void> {
  const facts = STREAM_FACTS[payment.stream]
  await postBulk(tx, {
    from: 'SYS-REWARD',
    to: facts.wallet,
    kind: facts.transferKind,
    causeType: 'reward_run',
    at,
    total: slice.total,
    source: sql`select member_id as owner_id, amount, ${String(payment.run_id)}::text as cause_id, null::text as key
      from ${creditsOf(payment, slice)}`,
  })
}

/**
 * Settings of a slice's transaction. A slice is a small part of large tables, wherever it begins: always by their
 * indexes. Left to statistics, which are older than the run, every slice would read the tables up to its place, and a
 * run ten times as large take a hundred times as long. The end of a slice does not wait for the disk (as in the run's
 * other transactions): a slice that a power cut takes back is paid again.
 */
async function tuneForSlices(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
    set_config('synchronous_commit', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    tx,
  )
}

const creditsBehind = ({ run_id, stream, cursor_sponsor, cursor_member }: OpenPayment) => sql`reward_credit
  where run_id = ${run_id}::bigint and stream = ${stream}::smallint and amount > 0
    and (sponsor_id, member_id) > (${cursor_sponsor}::bigint, ${cursor_member}::bigint)`

const creditsOf = (payment: OpenPayment, slice: Slice) => sql`${creditsBehind(payment)}
    and (sponsor_id, member_id) <= (${slice.lastSponsor}::bigint, ${slice.lastMember}::bigint)`

/** Finds the next credits that the pool can pay, in order, and moves the cursor behind them. */
async function takeSlice(tx: Tx, payment: OpenPayment, size: number): Promise<Slice> {
  const pool = await balanceOfHouse(tx, 'SYS-REWARD', STREAM_FACTS[payment.stream].asset)
  const moved = await sql<Omit<Slice, 'short'> & { left: boolean }>`
    with next as (
      select sponsor_id, member_id, reward_add(amount) over upto as running, row_number() over upto as members
      from (select sponsor_id, member_id, amount from ${creditsBehind(payment)} order by sponsor_id, member_id limit ${size}) credit
      window upto as (order by sponsor_id, member_id rows unbounded preceding)
    ), last as (
      select * from next where running <= ${pool}::bigint order by members desc limit 1
    )
    update reward_payment p set paid = p.paid + l.running, paid_credits = p.paid_credits + l.members,
      cursor_sponsor = l.sponsor_id, cursor_member = l.member_id
    from last l where p.run_id = ${payment.run_id} and p.stream = ${payment.stream}
    returning l.members::int as members, l.running as total, l.sponsor_id as "lastSponsor", l.member_id as "lastMember", p.paid < p.total as left`.execute(
    tx,
  )
  const row = moved.rows[0]
  if (row === undefined) return { members: 0, total: 0n, lastSponsor: 0n, lastMember: 0n, short: true }
  return { ...row, short: row.left && row.members < size }
}

/** Marks a run as done when all of it is paid. */
export async function finishRun(tx: Tx, runId: bigint, at: Date): Promise<void> {
  await sql`update reward_run set status = 'DONE', finished_at = ${at} where id = ${runId} and status = 'PAY'
    and not exists (select 1 from reward_payment where run_id = ${runId} and paid < total)`.execute(tx)
}
