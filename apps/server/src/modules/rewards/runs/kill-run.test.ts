import { execFileSync, spawn } from 'node:child_process'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchRuns } from '../../../../../../test/search.ts'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { testInstance } from '../../../../test/test-instance.ts'

/** The workers of one day each die after another part of this number of batches. */
const BATCHES = 12
const KILLS = searchRuns({ short: 3, long: 6 })

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** A worker process that makes one reward run in batches of one, and exits with the outcome. It stops in transaction STOPS_IN. */
const WORKER = `
import { leaseOn } from ${here('../../../jobs/lease.ts')}
import { runJob } from ${here('../../../jobs/job.ts')}
import { openDatabase } from ${here('../../../platform/db/database.ts')}
import { testClock } from ${here('../../../platform/runtime/clock.ts')}
import { createLog } from ${here('../../../platform/runtime/log.ts')}
import { randomIds } from ${here('../../../platform/runtime/ids.ts')}
import { runDueRewards } from ${here('./run-rewards.ts')}
const { db } = openDatabase({ url: process.env.URL }, { max: 4 })
const deps = { clock: testClock(process.env.NOW), ids: randomIds, log: createLog('silent') }
let until = Number(process.env.STOPS_IN ?? 0)
const stopping = (lease) => leaseOn({ ...lease, inTransaction: (work) => lease.inTransaction((tx) => {
  until -= 1
  if (until === 0) process.kill(process.pid, 'SIGSTOP')
  return work(tx)
}) })
const run = (lease, deps) => runDueRewards(stopping(lease), deps, { accruals: 1, partition: 1, workers: 1, sharedFrom: 1 })
const done = await runJob(db, deps, { name: 'reward-run', everySeconds: 20, run }, String(process.pid))
process.exit(done === null ? 3 : 0)
`

function worker(env: Record<string, string>): { pid: number; ended: Promise<number | NodeJS.Signals | null> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WORKER], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], NODE_ENV: 'test', ...env },
    stdio: 'ignore',
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  return { pid: child.pid ?? 0, ended }
}

describe('reward run whose process dies', async () => {
  const database = await testDatabase()
  const instance = await testInstance(database)
  const { url } = database
  const { db, clock } = instance
  await instance.fundPool('COIN', 1_000_000n * ONE)
  const sponsor = await instance.join()
  const members = [
    await instance.join({ sponsor }),
    await instance.join({ sponsor }),
    await instance.join({ sponsor }),
    await instance.join({ sponsor }),
  ]
  for (const member of members) await instance.stake(member, { amount: 1000n * ONE, apy: 100n * ONE, days: 100 })
  const expectDay = async (day: number) => {
    for (const member of members) expect(await instance.wallet(member, 'nativeWallet')).toBe(BigInt(day) * 10n * ONE)
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(BigInt(day) * 4n * ONE)
  }
  const freeLease = () =>
    sql`update job_lease set held_until = clock_timestamp() - interval '1 second' where name = 'reward-run'`.execute(db)

  // The embedded database lives inside one process. Only PostgreSQL supports a separate worker.
  if (url !== undefined) {
    it('[I10] is finished by the next worker, whichever batch it died after', async () => {
      const deaths: (number | NodeJS.Signals | null)[] = []
      for (let day = 1; day <= KILLS; day += 1) {
        clock.advance(DAY_MS)
        const env = { URL: url, NOW: clock.now().toISOString() }
        deaths.push(await worker({ ...env, FAULT_POINT: `sweep_batch:${(day * BATCHES) / KILLS}` }).ended)
        await freeLease()
        expect(await worker(env).ended).toBe(0)
        await expectDay(day)
      }
      expect(deaths).toEqual(Array.from({ length: KILLS }, () => 'SIGKILL'))
      expect(await instance.damage()).toEqual([])
    })

    it('pays once when a worker is stopped past its lease, another one finishes, and the first resumes', async () => {
      clock.advance(DAY_MS)
      const env = { URL: url, NOW: clock.now().toISOString() }
      const first = worker({ ...env, STOPS_IN: '3' })
      await expect.poll(() => execFileSync('ps', ['-o', 'stat=', '-p', String(first.pid)], { encoding: 'utf8' })).toMatch(/^T/)
      // The stopped worker holds its transaction's row locks. In production the server's timeout ends such a session.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()`.execute(
        db,
      )
      await freeLease()
      expect(await worker(env).ended).toBe(0)
      await expectDay(KILLS + 1)
      process.kill(first.pid, 'SIGCONT')
      await first.ended
      await expectDay(KILLS + 1)
      expect(await instance.damage()).toEqual([])
    })
  }

  it('[I18] leaves every day closed once, in order', async () => {
    for (let day = 0; day < 2; day += 1) {
      clock.advance(DAY_MS)
      await instance.job('reward-run')
    }
    const days = await sql<{ day: string; status: string }>`select day, status from reward_day order by day desc limit 2`.execute(db)
    expect(days.rows.map((row) => row.status)).toEqual(['OPEN', 'DONE'])
  })
})
