import type { InferOutput } from 'valibot'
import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import type { simulationResult } from '@tizara/contract/staff-programme'
import { formatUnits, ONE, mulDiv, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import type { RunningJob, JobKind, JobStep } from '../../../jobs/background-job.ts'
import { membersById } from '../../members/index.ts'
import {
  takeFigures,
  type BatchResult,
  type Simulation,
  type SimulatedDays,
  simulateMembers,
  simulateReferrals,
  simulateSources,
  simulateUnrewarded,
  unrewardedSpans,
} from '../../rewards/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { asJson } from '../proposals/shared/as-json.ts'
import { currentMaxGain } from '../proposals/shared/max-gain.ts'
import { poolDepletionDate, poolForecast } from './pool-forecast.queries.ts'
import { effectInputHash, saveSimulation, readRules } from '../proposals/shared/programme-simulation.ts'
import { personOf } from '../access/person.ts'
import { assetOf, EMPTY_TOTALS, type SimulationTotals, totalsOf, withMembers, withChange } from './simulation-totals.ts'

/** Input of a simulation: all rules of the draft as JSON, and the days. */
interface SimulationInput {
  rules: unknown
  days: SimulatedDays
}

const PHASES = ['sources', 'referrals', 'unrewarded', 'members', 'file'] as const
interface Checkpoint {
  phase: (typeof PHASES)[number]
  after?: string
  done: number
  total: number
  coinPrice: string
  totals: SimulationTotals
}

/** Number of rows per batch. A step takes about a second, even if each row belongs to a leader. */
const SIZES = { sources: 300, referrals: 5_000, unrewarded: 1_000, members: 500, file: 500 } as const
const HEADING = ['Member', 'Name', 'Mail address', 'Kind', 'Asset', 'Current programme', 'Draft', 'Difference']

/**
 * Simulates a draft of the programme over past days, in batches: sales, purchases, rewards of each member, then the file. Rows of past
 * days do not change. Reversible rows are read once for both columns, so that the result is consistent. No money moves.
 */
export const simulationJob: JobKind<SimulationInput, Checkpoint> = {
  name: 'staff-simulation',
  atOnce: 2,
  file: ({ days }) => ({ name: `simulation-${days.first}-${days.last}.csv`, type: 'text/csv; charset=utf-8' }),
  step: async (tx, deps, job) => {
    const checkpoint = job.checkpoint ?? (await firstCheckpoint(tx, deps))
    const simulation: Simulation = { id: job.id, rules: readRules(job.input.rules), days: job.input.days }
    if (checkpoint.phase === 'file') return writeSlice(tx, deps, job, simulation, checkpoint)
    const after = checkpoint.after === undefined ? undefined : BigInt(checkpoint.after)
    const { next, change } = await simulateBatch(tx, simulation, job.createdAt, checkpoint.phase, after)
    const position = Math.min(checkpoint.done + SIZES[checkpoint.phase], checkpoint.total - 1)
    const nextCheckpoint = { ...checkpoint, done: position, totals: withChange(checkpoint.totals, change) }
    const { after: _, ...behind } = nextCheckpoint
    const phase = PHASES[PHASES.indexOf(checkpoint.phase) + 1] ?? 'file'
    return {
      done: position,
      total: checkpoint.total,
      next: next === undefined ? { ...behind, phase } : { ...nextCheckpoint, after: String(next) },
    }
  },
}

async function firstCheckpoint(tx: Tx, deps: Deps): Promise<Checkpoint> {
  const { coinPrice } = await currentSettings(tx, deps.clock.now())
  const { rows } = await sql<{ total: number }>`select 2 * count(*)::int + 10000 as total from team_member`.execute(tx)
  return { phase: 'sources', done: 0, total: rows[0]?.total ?? 1, coinPrice: String(coinPrice), totals: EMPTY_TOTALS }
}

function simulateBatch(
  tx: Tx,
  simulation: Simulation,
  at: Date,
  phase: Exclude<Checkpoint['phase'], 'file'>,
  after: bigint | undefined,
): Promise<BatchResult> {
  const size = SIZES[phase]
  if (phase === 'sources') return simulateSources(tx, simulation, at, after, size)
  if (phase === 'referrals') return simulateReferrals(tx, simulation, at, after, size)
  if (phase === 'members') return simulateMembers(tx, simulation, at, after ?? 0n, size)
  return simulateBought(tx, simulation, at, after, size)
}

/** Simulates referral rewards for coin purchases from spans without them. Spans are consecutive, and so are their ids. */
async function simulateBought(tx: Tx, simulation: Simulation, at: Date, after: bigint | undefined, size: number): Promise<BatchResult> {
  if (simulation.rules.referralPercent === 0n) return { next: undefined }
  for (const { from, to } of await unrewardedSpans(tx, simulation)) {
    const { rows } = await sql<{ id: bigint; memberId: bigint; coin: Units }>`
      select id, member_id as "memberId", coin_amount as coin from coin_purchase
      where id >= coalesce(${after ?? null}::bigint + 1, (select min(id) from coin_purchase where created_at >= ${from}))
        and created_at >= ${from} and created_at < ${to} and reversed_at is null order by id limit ${size}`.execute(tx)
    const last = rows.at(-1)
    if (last !== undefined) return { next: last.id, change: await simulateUnrewarded(tx, simulation, at, rows) }
  }
  return { next: undefined }
}

async function writeSlice(
  tx: Tx,
  deps: Deps,
  job: RunningJob<SimulationInput, Checkpoint>,
  simulation: Simulation,
  checkpoint: Checkpoint,
): Promise<JobStep<Checkpoint>> {
  const figures = await takeFigures(tx, simulation.id, SIZES.file)
  const people = await membersById(tx, [...new Set(figures.map((row) => row.memberId))])
  const lines = figures.map(({ memberId, kind, before, after }) => {
    const { id, name, email } = personOf(people.get(memberId))
    return [id, name, email, kind, assetOf(kind), formatUnits(before), formatUnits(after), formatUnits(after - before)]
  })
  const totals = withMembers(checkpoint.totals, figures, BigInt(checkpoint.coinPrice))
  const write = writeCsv(lines)
  if (figures.length > 0) {
    const position = Math.min(checkpoint.done + SIZES.file, checkpoint.total - 1)
    const head = checkpoint.after === undefined ? BYTE_ORDER_MARK + writeCsv([HEADING]) : ''
    return { done: position, total: checkpoint.total, write: head + write, next: { ...checkpoint, done: position, totals, after: '0' } }
  }
  const result = await resultOf(tx, deps, simulation, totals)
  await saveSimulation(tx, deps, { id: simulation.id, askedBy: job.ownerId, simulation, hash: result.hash })
  const empty = checkpoint.after === undefined ? BYTE_ORDER_MARK + writeCsv([HEADING]) : undefined
  return { done: checkpoint.total, total: checkpoint.total, result: asJson(result), ...(empty === undefined ? {} : { write: empty }) }
}

async function resultOf(
  tx: Tx,
  deps: Deps,
  simulation: Simulation,
  totals: SimulationTotals,
): Promise<InferOutput<typeof simulationResult>> {
  const now = deps.clock.now()
  const byKind = totalsOf(totals)
  const inputHash = await effectInputHash(tx, now, simulation)
  const people = await membersById(
    tx,
    totals.top.map((one) => BigInt(one.memberId)),
  )
  const shown = JSON.stringify([inputHash, byKind.map(({ kind, before, after }) => [kind, String(before), String(after)])])
  return {
    from: simulation.days.first,
    to: simulation.days.last,
    hash: digest(shown).slice(0, 16),
    totals: byKind,
    coverage: await coverageEffect(tx, now, totals),
    maxGain: { before: await currentMaxGain(tx, now), after: await currentMaxGain(tx, now, simulation.rules) },
    more: totals.more,
    less: totals.less,
    same: totals.same,
    buckets: Object.entries(totals.buckets)
      .filter(([from]) => from !== 'same')
      .map(([from, members]) => ({ fromPercent: Number(from), members }))
      .toSorted((a, b) => a.fromPercent - b.fromPercent),
    top: totals.top.map(({ memberId, asset, before, after }) => ({
      member: personOf(people.get(BigInt(memberId))),
      asset,
      before: BigInt(before),
      after: BigInt(after),
    })),
  }
}

/** Returns the coverage now and under the draft. Liabilities move by the same share in all months. */
async function coverageEffect(db: Db, now: Date, { change }: SimulationTotals) {
  return (await poolForecast(db, now)).map(
    ({ asset, balance, owed, promised, committed, coverage, poolDepletionDate: until, forecast }) => {
      const [more, settled] = (
        asset === 'coin' ? [change.liabilityCoin, change.settledCoin] : [change.liabilityUsd, change.settledUsd]
      ).map(BigInt)
      if (more === undefined || settled === undefined) throw new AppError('NOT_FOUND')
      const [pool, then] = [balance - settled, promised + more < 0n ? 0n : promised + more]
      const due = then + owed
      const months = forecast.map(({ month, amount }) => ({ month, amount: promised > 0n ? mulDiv(amount, then, promised, 'down') : 0n }))
      return {
        asset,
        before: { pool: balance, promised, owed, committed, coverage, poolDepletionDate: until },
        after: {
          pool,
          promised: then,
          owed,
          committed,
          coverage: due === 0n ? null : mulDiv(pool + committed, 100n * ONE, due, 'down'),
          poolDepletionDate: poolDepletionDate(pool - owed, months, now),
        },
      }
    },
  )
}
