import { expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { emptyDatabase, testDatabase } from '../../database.ts'
import { startEntry } from '../../entry.ts'
import { createTestMember, fund } from '../../members.ts'
import { recordCommandRun } from '../../../src/jobs/command-runs.ts'
import { VERSION } from '../../../src/platform/runtime/release.ts'
import { ONE } from '@tizara/money'

interface Line {
  level: number
  time: string
  msg: string
}

/** Parses a process's output lines as log entries in the runbook's format. */
function entries(output: string): Line[] {
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  for (const { level, time, msg } of lines) {
    expect([10, 20, 30, 40, 50, 60]).toContain(level)
    expect(new Date(time).toISOString()).toBe(time)
    expect(msg).not.toBe('')
  }
  return lines
}

it.each(['api', 'worker'])('%s writes only log lines for invalid settings, a missing schema and shutdown', async (name) => {
  const wrong = startEntry(name, { NODE_ENV: 'production', PORT: 'many' })
  expect(await wrong.ended).toBe(2)
  expect(entries(wrong.output)).toEqual([
    expect.objectContaining({ level: 60, errors: expect.arrayContaining(['PORT: must be a port number']) }),
  ])

  const { url } = await emptyDatabase()
  const port = String(await freePort())
  const env = { DATABASE_URL: url, PORT: port }
  const early = startEntry(name, env)
  await expect.poll(() => early.output).toContain('is empty and needs')
  early.stop()
  await early.ended
  entries(early.output)
})

it('the worker serves platform metrics on a separate port', async () => {
  const { db, url } = await testDatabase()
  await recordCommandRun(db, 'audit', true, 'all checks hold')
  const port = String(await freePort())
  const worker = startEntry('worker', { DATABASE_URL: url, METRICS_PORT: port })
  await expect.poll(() => worker.output, { timeout: 60_000 }).toContain('the worker runs')
  const read = () => fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
  await expect.poll(read).toMatch(/^tizara_job_lag_seconds\{job="send-mails"\} \d/m)
  const who = await createTestMember(db)
  await fund(db, who.id, 'depositWallet', 25n * ONE)
  // The worker reads its metrics every ten seconds, and a reading may fail on a busy machine.
  let figures = ''
  await expect
    .poll(async () => (figures = await read()), { interval: 1_000, timeout: 90_000 })
    .toMatch(/^tizara_transferred_amount_total\{kind="\w+",asset="USD"\} 25$[^]*^tizara_metrics_up 1$/m)
  for (const line of [
    'tizara_reward_pool{asset="COIN",part="owed"} 0',
    'tizara_pending_requests{queue="changes"} 0',
    'process_cpu_seconds_total',
    `tizara_build_info{version="${VERSION}",process="worker"} 1`,
    // A job may wait for a connection at this moment.
    'tizara_database_connections{to="primary",state="waiting"} ',
    'tizara_job_items_total{job="send-mails"} 0',
    'tizara_job_seconds_count{job="send-mails"} ',
  ])
    expect(figures).toContain(line)
  expect(figures).toMatch(/^tizara_command_age_seconds\{command="audit"\} \d/m)
  // The worker does not report API figures.
  expect(figures).not.toContain('http_')
  worker.stop()
  expect(await worker.ended).toBe(0)
  entries(worker.output)
})
