import { formatUnits } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { Counter, Gauge, Registry } from 'prom-client'
import { jobLag } from '../../jobs/lease.ts'
import { coverageOf } from '../../modules/rewards/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { addReplicaMetrics } from './replica-metrics.ts'

/** Minimum interval between two readings of the metrics in ms, however often they are scraped. */
const EVERY_MS = 10_000

/** Converts units to a number with loss of digits, which suffices for charts and alerts. */
const figure = (units: bigint) => Number(formatUnits(units))

/**
 * Adds the metrics of the platform to a registry. These are pending requests, reward pool, delay of jobs, waiting mails, age of audit and
 * backup, failing webhooks, and transfers since the start of the process.
 * @param jobs names of this process's jobs; other jobs are never late here
 * @param everyMs minimum interval between the end of a reading and the next one
 */
export async function addPlatformMetrics(registry: Registry, db: Db, jobs: readonly string[], everyMs = EVERY_MS): Promise<void> {
  const ownJobs = jobsNamed(jobs)
  const platform = new Registry()
  const gauge = (name: string, help: string, labelNames: readonly string[]) => new Gauge({ name, help, labelNames, registers: [platform] })
  const figures = [
    await moneyMoves(platform, db),
    rows(gauge('tizara_pending_requests', 'Pending requests for staff', ['queue']), db, QUEUES, ({ waiting }) => waiting),
    rows(
      gauge('tizara_pending_request_age_seconds', 'Age of the oldest pending request for staff', ['queue']),
      db,
      QUEUES,
      ({ seconds }) => seconds,
    ),
    rewardPool(gauge('tizara_reward_pool', 'Reward pool by part: held, committed, promised, owed', ['asset', 'part']), db),
    rows(
      gauge('tizara_job_lag_seconds', 'Seconds since a job began its last run; 0 while it runs', ['job']),
      db,
      ownJobs,
      ({ seconds }) => seconds,
    ),
    rows(gauge('tizara_job_failing', '1 while the last run of a job failed', ['job']), db, ownJobs, ({ waiting }) => waiting),
    rows(gauge('tizara_mails_waiting', 'Pending mails by the error of the last attempt', ['why']), db, MAILS, ({ waiting }) => waiting),
    rows(
      gauge('tizara_command_age_seconds', 'Age of the last successful audit and backup', ['command']),
      db,
      COMMANDS,
      ({ seconds }) => seconds,
    ),
    rows(
      gauge('tizara_webhook_failing_seconds', 'Seconds since an endpoint of webhooks fails, or was switched off by the platform', [
        'endpoint',
      ]),
      db,
      WEBHOOKS,
      ({ seconds }) => seconds,
    ),
    ...addReplicaMetrics(platform, db),
  ]
  const metricsUp = new Gauge({ name: 'tizara_metrics_up', help: '1 while the platform metrics could be read', registers: [platform] })
  let reading: Promise<void> | undefined
  // While the database is unreachable, `up` is 0 and the other metrics keep their last values.
  const readMetrics = async () => {
    const results = await Promise.allSettled(figures.map((read) => read()))
    metricsUp.set(results.every(({ status }) => status === 'fulfilled') ? 1 : 0)
    // Two readings at the same time would both count the transfers since the one before.
    setTimeout(() => (reading = undefined), everyMs).unref()
  }
  // Each metric waits for the read. The registry collects all metrics at once, and a metric that did not wait would show its
  // previous value.
  for (const one of platform.getMetricsAsArray()) {
    one.collect = () => (reading ??= readMetrics())
    registry.registerMetric(one as unknown as Gauge)
  }
}

interface Row {
  label: string
  waiting: number
  seconds: number
}

/** Age in seconds. A time in the future was written before the database's clock was set back, so the absolute difference is used. */
const age = (moment: string) => sql.raw(`coalesce(abs(extract(epoch from clock_timestamp() - ${moment})), 0)::float8`)

const QUEUES = sql<Row>`
  select kind || 's' as label, count(*)::int as waiting, ${age('min(created_at)')} as seconds
  from payout_request where status = 'PENDING' and kind <> 'transfer' group by kind
  union all select 'changes', count(*)::int, ${age('min(created_at)')} from staff_proposal where status = 'PENDING'`
const jobsNamed = (names: readonly string[]) => sql<Row>`
  select name as label, (last_error is not null)::int as waiting, ${jobLag} as seconds
  from job_lease where name = any(${[...names]}::text[])`
const MAILS = sql<Row>`
  select left(coalesce(last_error, 'not tried yet'), 80) as label, count(*)::int as waiting, ${age('min(created_at)')} as seconds
  from mail_outbox where status = 'WAITING' group by 1 order by 2 desc limit 10`
const COMMANDS = sql<Row>`select name as label, 1 as waiting, ${age('finished_at')} as seconds from command_last_run where succeeded`
const WEBHOOKS = sql<Row>`
  select public_id as label, 1 as waiting, ${age('coalesce(failing_since, changed_at)')} as seconds from webhook_endpoint
  where (state = 'ON' and failing_since is not null) or (state = 'OFF' and off_reason <> 'STAFF')`

function rows(gauge: Gauge, db: Db, query: RawBuilder<Row>, read: (row: Row) => number): () => Promise<void> {
  const [label = 'label'] = (gauge as unknown as { labelNames: string[] }).labelNames
  return async () => {
    const found = await query.execute(db)
    gauge.reset()
    for (const row of found.rows) gauge.set({ [label]: row.label }, read(row))
  }
}

function rewardPool(gauge: Gauge, db: Db): () => Promise<void> {
  return async () => {
    for (const asset of ['COIN', 'USD'] as const) {
      const coverage = await coverageOf(db, asset)
      for (const part of ['pool', 'committed', 'promised', 'owed'] as const) gauge.set({ asset, part }, figure(coverage[part]))
    }
  }
}

/** Counts new transfers by kind. Each read covers only the transfers since the previous read. */
async function moneyMoves(registry: Registry, db: Db): Promise<() => Promise<void>> {
  const labelNames = ['kind', 'asset']
  const count = new Counter({
    name: 'tizara_transfers_total',
    help: 'Ledger transfers since this process began',
    labelNames,
    registers: [registry],
  })
  const amount = new Counter({
    name: 'tizara_transferred_amount_total',
    help: 'Amount moved by ledger transfers since this process began',
    labelNames,
    registers: [registry],
  })
  const newest = async () =>
    (await sql<{ id: bigint }>`select coalesce(max(id), 0)::bigint as id from ledger_transfer`.execute(db)).rows[0]?.id ?? 0n
  let seen = await newest()
  return async () => {
    const until = await newest()
    const { rows: moved } = await sql<{ kind: string; asset: string; count: number; amount: string }>`
      select kind, asset, count(*)::int as count, sum(amount)::text as amount from ledger_transfer
      where id > ${seen} and id <= ${until} group by kind, asset`.execute(db)
    seen = until
    for (const move of moved) {
      const labels = { kind: move.kind, asset: move.asset }
      count.inc(labels, move.count)
      amount.inc(labels, figure(BigInt(move.amount)))
    }
  }
}
