import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import { rewardNames } from '@tizara/contract/reward-names'
import type { RewardKind } from '@tizara/contract/rewards'
import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { mailLanguage } from '../../../gateways/mailer/index.ts'
import { type JobKind, JobError, type JobStep } from '../../../jobs/background-job.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { CREDIT_PARTS, earnedInYear } from '../instant/earned.ts'
import { earningsPdf, earningsTexts, unitOf } from './earnings-pdf.ts'

/** The member's request: a UTC year such as `2026`. */
export interface EarningsInput {
  year: string
  format: 'csv' | 'pdf'
}

/** Progress: the month (from 0), the last instant reward written in it, and sums in units so far by kind. */
interface Checkpoint {
  month: number
  after?: { at: string; id: string }
  sums: Record<string, string>
  rows: number
}

const MONTHS = 12
/** Instant rewards per step. */
const STEP = 500
const HEADING = ['Day (UTC)', 'Kind', 'Amount', 'Unit', 'Rewards', 'Paid (UTC)', 'Transfer']

/**
 * Writes a member's rewards of a year to a file: CSV by day and kind with each instant reward and its transfer, or PDF by month and kind.
 * The file does not name other members, because members give it to third parties.
 */
export const earningsJob: JobKind<EarningsInput, Checkpoint> = {
  name: 'own-earnings',
  file: ({ year, format }) =>
    format === 'pdf'
      ? { name: `rewards-${year}.pdf`, type: 'application/pdf' }
      : { name: `rewards-${year}.csv`, type: 'text/csv; charset=utf-8' },
  read: async (db, deps, { ownerId, input, checkpoint }) => {
    if (Number(input.year) > deps.clock.now().getUTCFullYear()) throw new JobError('This year has not started yet')
    if (input.format === 'pdf') return writePdf(db, deps, ownerId, input.year)
    return writeMonth(db, ownerId, input.year, checkpoint)
  },
}

async function writePdf(db: Db, deps: Deps, ownerId: bigint, year: string): Promise<JobStep<Checkpoint>> {
  const [months, member] = await Promise.all([earnedInYear(db, ownerId, Number(year)), memberById(db, ownerId)])
  if (member === undefined) throw new Error('the member of the statement does not exist')
  const { name, email, language } = member
  const write = await earningsPdf({
    brand: deps.config.brand,
    language: mailLanguage(deps.config, language),
    name,
    email,
    writtenAt: deps.clock.now(),
    year,
    months,
  })
  return { done: 1, total: 1, write, result: { rows: months.length } }
}

/** A line of the file, in units. */
interface Line {
  day: string
  kind: RewardKind
  amount: Units
  count: number
  paidAt: Date | null
  transfer: bigint | null
  id: bigint
}

async function writeMonth(
  db: Db,
  ownerId: bigint,
  year: string,
  checkpoint: Checkpoint = { month: 0, sums: {}, rows: 0 },
): Promise<JobStep<Checkpoint>> {
  const { month, after } = checkpoint
  const since = new Date(Date.UTC(Number(year), month, 1))
  const until = new Date(Date.UTC(Number(year), month + 1, 1))
  const runs = after === undefined ? await dayLines(db, ownerId, since, until) : []
  const instants = await instantLines(db, ownerId, since, until, after)
  const lines = [...runs, ...instants]
  const sums = new Map(Object.entries(checkpoint.sums).map(([kind, sum]) => [kind, BigInt(sum)]))
  for (const { kind, amount } of lines) sums.set(kind, (sums.get(kind) ?? 0n) + amount)
  const rows = checkpoint.rows + lines.length
  const text = lines.map((line) => [
    line.day,
    rewardNames[line.kind],
    formatUnits(line.amount),
    unitOf(line.kind.startsWith('nft-') ? 'usd' : 'coin'),
    String(line.count),
    line.paidAt?.toISOString() ?? '',
    line.transfer === null ? '' : String(line.transfer),
  ])
  const isFirst = month === 0 && after === undefined
  const head = isFirst ? [[earningsTexts.rule], HEADING] : []
  const last = instants.length === STEP ? instants.at(-1) : undefined
  const isDone = last === undefined && month + 1 === MONTHS
  const write = (isFirst ? BYTE_ORDER_MARK : '') + writeCsv([...head, ...text, ...(isDone ? totalLines(year, sums) : [])])
  if (isDone) return { done: MONTHS, total: MONTHS, write, result: { rows } }
  const next = { sums: Object.fromEntries([...sums].map(([kind, sum]) => [kind, String(sum)])), rows }
  return {
    done: month,
    total: MONTHS,
    write,
    next:
      last === undefined
        ? { ...next, month: month + 1 }
        : { ...next, month, after: { at: (last.paidAt ?? since).toISOString(), id: String(last.id) } },
  }
}

const totalLines = (year: string, sums: ReadonlyMap<string, Units>): string[][] =>
  [...sums].map(([kind, sum]) => [
    `Total ${year}`,
    rewardNames[kind as RewardKind],
    formatUnits(sum),
    unitOf(kind.startsWith('nft-') ? 'usd' : 'coin'),
    '',
    '',
    '',
  ])

/** Sums the rewards of a month's runs by day and kind. The range of run ids finds them by index. */
async function dayLines(db: Db, ownerId: bigint, since: Date, until: Date): Promise<Line[]> {
  const { rows } = await sql<Line>`
    with bound as (
      select (select id from reward_run where day >= ${since}::date order by day, id limit 1) as low,
        (select id from reward_run where day < ${until}::date order by day desc, id desc limit 1) as high
    )
    select to_char(r.day, 'YYYY-MM-DD') as day, v.kind, sum(v.amount)::bigint as amount,
      sum(case when v.kind in ('daily', 'stake-log', 'nft-monthly') then c.n0 else c.n1 + c.n2 + c.n3 + c.n4 + c.n5 end)::int as count,
      null::timestamptz as "paidAt", null::bigint as transfer, 0::bigint as id
    from bound, unnest(array[0, 1, 2]::smallint[]) s (stream)
    join reward_credit c on c.member_id = ${ownerId} and c.stream = s.stream
    join reward_run r on r.id = c.run_id
    cross join lateral ${CREDIT_PARTS}
    where c.run_id between bound.low and bound.high and r.status <> 'RECORDING' and r.day >= ${since}::date and r.day < ${until}::date and v.amount > 0
    group by r.day, v.kind order by r.day, v.kind`.execute(db)
  return rows
}

/** Reads the next instant rewards that were paid in a month. */
async function instantLines(db: Db, ownerId: bigint, since: Date, until: Date, after: Checkpoint['after']): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD') as day, kind, amount - reversed as amount, 1 as count,
      settled_at as "paidAt", transfer_id as transfer, id
    from reward_instant where beneficiary_id = ${ownerId} and kind in ('referral', 'level', 'nft-level', 'rank')
      and settled_at >= ${since} and settled_at < ${until}
      and (settled_at, id) > (${new Date(after?.at ?? since)}::timestamptz, ${BigInt(after?.id ?? 0)}::bigint)
    order by settled_at, id limit ${STEP}`.execute(db)
  return rows
}
