import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Lease } from '../../jobs/sweep.ts'
import { balanceOfHouse, postBulk } from '../../ledger/index.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { faultPoint } from '../../platform/fault-point.ts'
import { STREAM_FACTS, type Stream } from './rewards.rules.ts'

/** A part of a run that is not paid in full. */
interface OpenPayment {
  run_id: bigint
  stream: Stream
}

/**
 * Pays what runs owe, oldest run first, as far as the pool goes (MF-15, MF-16, MF-19, MF-21, MF-23). What the pool cannot
 * pay stays owed; nothing of the same asset overtakes it.
 * @param db where
 * @param deps clock
 * @param lease proof that no other worker took over
 * @param sliceSize most members paid in one transaction
 * @returns how many credits were paid
 */
export async function payRuns(db: Db, deps: Deps, lease: Lease, sliceSize: number): Promise<number> {
  let paid = 0
  for (const streamsOfAsset of [[0, 1], [2]] as const) {
    for (;;) {
      const slice = await inTransaction(db, async (tx) => {
        await lease.assertHeld(tx)
        return payNextSlice(tx, deps.clock.now(), streamsOfAsset, sliceSize)
      })
      faultPoint('reward_batch')
      paid += slice.paid
      if (slice.finished) break
    }
  }
  return paid
}

async function payNextSlice(
  tx: Tx,
  at: Date,
  ofStreams: readonly Stream[],
  sliceSize: number,
): Promise<{ paid: number; finished: boolean }> {
  const open = await sql<OpenPayment>`
    select p.run_id, p.stream from reward_payment p
    where p.paid < p.total and p.stream = any (${ofStreams}::int[]) order by p.run_id, p.stream limit 1`.execute(tx)
  const payment = open.rows[0]
  if (payment === undefined) return { paid: 0, finished: true }
  await sql`set local statement_timeout = 0`.execute(tx)
  const slice = await takeSlice(tx, payment, sliceSize)
  if (slice.members > 0) {
    const facts = STREAM_FACTS[payment.stream]
    await postBulk(tx, {
      from: 'SYS-REWARD',
      to: facts.wallet,
      kind: facts.transferKind,
      causeType: 'reward_run',
      at,
      total: slice.total,
      source: sql`select member_id as owner_id, amount, ${String(payment.run_id)}::text as cause_id, null::text as key from reward_slice`,
    })
  }
  await sql`drop table reward_slice`.execute(tx)
  await finishRun(tx, payment.run_id, at)
  return { paid: slice.members, finished: slice.short }
}

/** Takes the next credits that the pool can pay, in order, and moves the cursor behind them. */
async function takeSlice(
  tx: Tx,
  { run_id, stream }: OpenPayment,
  size: number,
): Promise<{ members: number; total: Units; short: boolean }> {
  const pool = await balanceOfHouse(tx, 'SYS-REWARD', STREAM_FACTS[stream].asset)
  await sql`create temp table reward_slice on commit drop as
    select * from (
      select c.sponsor_id, c.member_id, c.amount, sum(c.amount) over (order by c.sponsor_id, c.member_id rows unbounded preceding) as running
      from reward_credit c join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
      where c.run_id = ${sql.lit(String(run_id))}::bigint and c.stream = ${sql.lit(stream)} and c.amount > 0
        and (c.sponsor_id, c.member_id) > (p.cursor_sponsor, p.cursor_member)
      order by c.sponsor_id, c.member_id limit ${sql.lit(size)}
    ) next where running <= ${sql.lit(String(pool))}::bigint`.execute(tx)
  const moved = await sql<{ members: bigint; total: bigint; left: boolean }>`
    with taken as (select count(*) as members, coalesce(sum(amount), 0)::bigint as total from reward_slice),
    last as (select sponsor_id, member_id from reward_slice order by sponsor_id desc, member_id desc limit 1),
    moved as (
      update reward_payment p set paid = p.paid + t.total, paid_credits = p.paid_credits + t.members,
        cursor_sponsor = coalesce((select sponsor_id from last), p.cursor_sponsor), cursor_member = coalesce((select member_id from last), p.cursor_member)
      from taken t where p.run_id = ${run_id} and p.stream = ${stream} returning p.paid < p.total as left
    )
    select t.members, t.total, m.left from taken t, moved m`.execute(tx)
  const row = moved.rows[0]
  if (row === undefined) throw new Error(`the payment of run ${run_id} is gone`)
  const members = Number(row.members)
  return { members, total: row.total, short: row.left && members < size }
}

/**
 * Marks a run as done when all of it is paid.
 * @param tx an open transaction
 * @param runId the run
 * @param at the current moment
 */
export async function finishRun(tx: Tx, runId: bigint, at: Date): Promise<void> {
  await sql`update reward_run set status = 'DONE', finished_at = ${at} where id = ${runId} and status = 'PAY'
    and not exists (select 1 from reward_payment where run_id = ${runId} and paid < total)`.execute(tx)
}
