import { sql } from 'kysely'
import { jobLag } from '../jobs/lease.ts'
import type { Job } from '../jobs/job.ts'
import type { Db } from '../platform/db/database.ts'
import { shellCommand, VERSION } from '../platform/runtime/release.ts'
import { wordsOfAlert } from './areas.ts'
import { findingsFor, formatAge, type Finding } from './finding.ts'

/** Every job runs at least every 30 seconds; one that has not run for longer than this has stopped. */
const MAX_JOB_LAG_SECONDS = 180
/** Minutes that a mail may wait before it counts as late. */
const MAIL_MINUTES = 10

/** Checks that due work is done and that mails go out. */
export async function workerFindings(db: Db, jobs: readonly Job[], now: Date): Promise<Finding[]> {
  return [...(await jobFindings(db, jobs)), ...(await mailFindings(db, now)), ...(await recordFindings(db))]
}

/** Reads the version from a worker's name (`jobs/run-worker.ts`). */
const versionOf = (holder: string | null) => /@(\S+)$/.exec(holder ?? '')?.[1]

/** Compares by the database's clock, like leases. */
async function jobFindings(db: Db, jobs: readonly Job[]): Promise<Finding[]> {
  const { good, warning, bad } = findingsFor('worker')
  const { rows } = await sql<{ name: string; lag: number; last_error: string | null; failing_since: Date | null; holder: string | null }>`
    select name, ${jobLag} as lag, last_error, failing_since, holder from job_lease`.execute(db)
  const leases = new Map(rows.map((row) => [row.name, row]))
  const status = 'check `systemctl status tizara-worker`, then its log'
  const still = jobs.filter(({ name }) => (leases.get(name)?.lag ?? Infinity) > MAX_JOB_LAG_SECONDS)
  if (still.length === jobs.length) return [bad('no worker is running', 'run `systemctl start tizara-worker`')]
  const findings = still.map(({ name }) => bad(`${name} has not run for ${formatAge(leases.get(name)?.lag ?? Infinity)}`, status))
  const others = new Set(rows.filter(({ lag }) => lag <= MAX_JOB_LAG_SECONDS).map(({ holder }) => versionOf(holder)))
  for (const version of others)
    if (version !== undefined && version !== VERSION)
      findings.push(warning(`a worker runs version ${version}, this command is ${VERSION}`, 'run `systemctl restart tizara-worker`'))
  for (const { name } of jobs) {
    const { last_error: error, failing_since: since = null } = leases.get(name) ?? {}
    if (typeof error === 'string') findings.push(warning(`${name} failed: ${error.split('\n')[0] ?? ''}`, status, { since }))
  }
  return findings.length > 0 ? findings : [good(`${jobs.length} jobs run on time`)]
}

async function mailFindings(db: Db, now: Date): Promise<Finding[]> {
  const { good, warning } = findingsFor('mail')
  const since = new Date(now.getTime() - MAIL_MINUTES * 60_000)
  const { rows } = await sql<{ why: string; count: number; oldest: Date }>`
    select coalesce(last_error, 'not tried yet') as why, count(*)::int as count, min(created_at) as oldest from mail_outbox
    where status = 'WAITING' and created_at < ${since} group by 1 order by 2 desc limit 5`.execute(db)
  if (rows.length === 0) return [good('no mail is overdue')]
  return rows.map(({ why, count, oldest }) =>
    warning(`${count} mails are overdue: ${why}`, 'correct SMTP_URL; check the mail server and the worker', { since: oldest }),
  )
}

/** Hours within which an audit and a backup are expected. */
const RECORD_HOURS = 26

/**
 * Reports the last balance check, full audit and backup. A failed balance check or audit is omitted, because an alert reports it.
 */
async function recordFindings(db: Db): Promise<Finding[]> {
  const { good, warning, bad } = findingsFor('records')
  const { rows } = await sql<{ name: string; succeeded: boolean; age: number; finished_at: Date; detail: string }>`
    select name, succeeded, abs(extract(epoch from clock_timestamp() - finished_at))::float8 as age, finished_at, detail
    from command_last_run`.execute(db)
  const runs = new Map(rows.map((row) => [row.name, row]))
  const check = runs.get('ledger-check')
  const records = [
    { name: 'audit', full: 'full audit of the ledger', again: shellCommand('audit'), words: NO_AUDIT },
    { name: 'backup', full: 'backup', again: shellCommand('backup FILE'), words: wordsOfAlert('backup') },
  ]
  const findings = records.flatMap(({ name, full, again, words }) => {
    const run = runs.get(name)
    if (run === undefined) return warning(`no ${full} has run yet`, again, words)
    const since = { ...words, since: run.finished_at }
    if (!run.succeeded) return name === 'audit' ? [] : bad(`the last ${full} failed: ${run.detail}`, again, since)
    if (run.age > RECORD_HOURS * 3_600) return warning(`the last ${full} is ${formatAge(run.age)} old`, again, since)
    return good(`${full} ${formatAge(run.age)} ago: ${run.detail}`)
  })
  return check?.succeeded === true ? [good(`balance check ${formatAge(check.age)} ago: ${check.detail}`), ...findings] : findings
}

const NO_AUDIT = {
  affects: 'Nobody yet. A wrong booking would be found late; the balance check every five minutes finds only wrong totals.',
  action: { label: 'Open ledger', href: '/staff/ledger' },
}
