import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { startEntry } from '../../entry.ts'
import { openReads } from '../../../src/platform/db/replica.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const rules = read('deploy/alerts.yml')
const alerts = [...rules.matchAll(/- alert: (\w+)\n/g)].map(([, name = '']) => name)
const folder = mkdtempSync(path.join(tmpdir(), 'watching-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the runbook has one row per alert, in the same order', () => {
  const table = read('docs/runbook.md').split('## Alerts')[1]?.split('\n## ')[0] ?? ''
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(alerts)
})

it('alerts and dashboard use metrics that API and worker serve', async () => {
  const { db, url } = await testDatabase()
  const port = String(await freePort())
  // A job held by another worker for an hour, and one removed by settings or a release.
  await sql`insert into job_lease (name, holder, fencing_token, last_started_at, held_until, last_error) values
    ('reward-run', 'another', 1, clock_timestamp() - interval '1 hour', clock_timestamp() + interval '1 minute', null),
    ('was-once', 'another', 1, clock_timestamp() - interval '1 hour', null, 'it broke')`.execute(db)
  const worker = startEntry('worker', { DATABASE_URL: url, METRICS_PORT: port })
  await expect.poll(() => worker.output, { timeout: 60_000 }).toContain('the worker runs')
  const instance = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
  worker.stop()
  // The worker's first response already has all figures, because an alert treats a figure starting at zero as a change.
  expect(instance).toMatch(/^tizara_reward_pool\{asset="USD",part="owed"\} 0$/m)
  expect(instance).toMatch(/^tizara_database_timeline [1-9]\d*$/m)
  expect(instance).toMatch(/^tizara_job_lag_seconds\{job="reward-run"\} 0$/m)
  expect(instance).not.toContain('was-once')
  const reads = openReads(db, String(url), 1)
  const { body } = await (await testApp(db, { routes: () => undefined, reads })).app.inject('/metrics')
  await reads.close()
  const shown = new Set(
    [...`${body}\n${instance}`.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((part) => name + part) : [name],
    ),
  )
  const dashboard = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] }
  const expressions = [...rules.matchAll(/expr: (.+(?:\n {10}.+)*)/g)].map(([, text = '']) => text)
  expect(expressions).toHaveLength(alerts.length)
  expressions.push(...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
  // Removes functions, labels, braces and durations. Only metric names remain.
  const names = expressions.flatMap(
    (text) => text.replace(/\{[^}]*\}|\b(by|without) \([^)]*\)|"[^"]*"/g, ' ').match(/\b[a-z]+_[a-z0-9_]+\b(?!\()/g) ?? [],
  )
  expect(names.length).toBeGreaterThan(expressions.length)
  expect([...new Set(names)].filter((name) => !shown.has(name))).toEqual([])
})

/** Series that raise each alert, one minute apart in promtool's notation, and the resulting labels. */
const RAISED: Readonly<Record<string, { series: Record<string, string>; at?: string; labels?: Record<string, string> }>> = {
  ApiDown: { series: { 'tizara_build_info{process="worker"}': '1x10' }, labels: { process: 'api' } },
  ErrorRateHigh: { series: { 'tizara_http_request_duration_seconds_count{status="503"}': '0+60x20' }, at: '20m' },
  LatencyHigh: {
    series: {
      'tizara_http_request_duration_seconds_bucket{route="/a",le="1"}': '0x30',
      'tizara_http_request_duration_seconds_bucket{route="/a",le="2.5"}': '0+60x30',
      'tizara_http_request_duration_seconds_bucket{route="/a",le="+Inf"}': '0+60x30',
    },
    at: '30m',
  },
  DbPoolSaturated: { series: { 'tizara_database_connections{instance="a",state="waiting"}': '3x10' }, labels: { instance: 'a' } },
  EventLoopLagHigh: { series: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.7x20' }, at: '20m', labels: { instance: 'a' } },
  WorkerStalled: { series: { 'tizara_job_lag_seconds{job="a"}': '200x10', 'tizara_build_info{process="worker"}': '1x10' } },
  JobFailing: { series: { 'tizara_job_failing{job="a"}': '1x20' }, at: '20m', labels: { job: 'a' } },
  MailQueueBacklog: { series: { 'tizara_mails_waiting{why="full"}': '15x20', 'tizara_mails_waiting{why="gone"}': '9x20' }, at: '20m' },
  ApprovalOverdue: { series: { 'tizara_pending_request_age_seconds{queue="changes"}': '90000x10' }, labels: { queue: 'changes' } },
  RewardPoolDepleted: { series: { 'tizara_reward_pool{asset="USD",part="owed"}': '1x10' }, labels: { asset: 'USD' } },
  RewardCoverageLow: {
    series: {
      'tizara_reward_pool{asset="USD",part="pool"}': '100x200',
      'tizara_reward_pool{asset="USD",part="committed"}': '0x200',
      'tizara_reward_pool{asset="USD",part="promised"}': '0+0.4x200',
      'tizara_reward_pool{asset="USD",part="owed"}': '0x200',
    },
    at: '200m',
    labels: { asset: 'USD' },
  },
  AuditOrBackupStale: {
    series: { 'tizara_command_age_seconds{command="audit"}': '100000x90', 'tizara_command_age_seconds{command="backup"}': '10x90' },
    at: '90m',
    labels: { command: 'audit' },
  },
  WebhookFailing: { series: { 'tizara_webhook_failing_seconds{endpoint="a"}': '90000x10' }, labels: { endpoint: 'a' } },
  PayoutVolumeAnomaly: {
    series: { 'tizara_transferred_amount_total{asset="USD",kind="payout"}': '0+1x120 200+100x60' },
    at: '180m',
    labels: { asset: 'USD' },
  },
  MetricsUnavailable: { series: { tizara_metrics_up: '0x10' } },
  ReplicaLagHigh: { series: { 'tizara_database_replica_lag_seconds{replica="b"}': '60x10' }, labels: { replica: 'b' } },
  ReplicaMissing: { series: { tizara_database_replicas: '2x60 1x20' }, at: '80m' },
  FailoverOccurred: { series: { tizara_database_timeline: '1x30 2x30' }, at: '40m' },
  ReplicasUnused: {
    series: { 'tizara_database_reads_total{from="primary"}': '0+60x30', 'tizara_database_reads_total{from="replica"}': '0+6x30' },
    at: '30m',
  },
  WalArchivingFailing: { series: { tizara_database_archive_failing: '1x20' }, at: '20m' },
  VersionMismatch: { series: { 'tizara_build_info{version="1"}': '1x90', 'tizara_build_info{version="2"}': '1x90' }, at: '90m' },
}

it('each alert has a test series', () => expect(Object.keys(RAISED)).toEqual(alerts))

// Validates the files with promtool, if installed.
if (spawnSync('promtool', ['--version']).status === 0) {
  it('promtool accepts alerts and configuration', () => {
    const check = () => execFileSync('promtool', ['check', 'config', path.join(root, 'deploy/prometheus.yml')], { stdio: 'pipe' })
    expect(check).not.toThrow()
  })

  it.each(Object.entries(RAISED))('%s fires for its series, and not without it', (alertname, { series, at = '9m', labels = {} }) => {
    const severity = new RegExp(`alert: ${alertname}\\n[^]*?severity: (\\w+)`).exec(rules)?.[1]
    const quiet = { 'tizara_build_info{process="api"}': '1x200', 'tizara_build_info{process="worker"}': '1x200' }
    const check = (input: Record<string, string>, raised: object[]) => ({
      interval: '1m',
      input_series: Object.entries(input).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: at, alertname, exp_alerts: raised }],
    })
    const calm = {
      ...quiet,
      'tizara_command_age_seconds{command="audit"}': '9x200',
      'tizara_command_age_seconds{command="backup"}': '9x200',
    }
    const file = path.join(folder, `${alertname}.yml`)
    const tests = [check(series, [{ exp_labels: { ...labels, severity } }]), check(calm, [])]
    writeFileSync(file, JSON.stringify({ rule_files: [path.join(root, 'deploy/alerts.yml')], tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  })
}
