import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { DAY_MS, systemClock } from '../platform/runtime/clock.ts'
import { DatabaseClock } from '../platform/runtime/database-clock.ts'
import { recordCommandRun, hasRunWithin } from './command-runs.ts'
import { underLease } from './lease.ts'
import { isHeld, lastErrorOf } from './job.ts'

const { db } = await testDatabase()
const take = (name: string, holder: string) => underLease(db, { name, holder, clock: systemClock }, () => Promise.resolve(holder))
const leaseUntil = (name: string, until: string) =>
  sql`insert into job_lease (name, holder, fencing_token, held_until, last_started_at)
    values (${name}, 'gone', 7, clock_timestamp() + ${until}::interval, clock_timestamp() + ${until}::interval)`.execute(db)

it('a lease from before the clock was set back does not block the next worker', async () => {
  await leaseUntil('mails', '1 day')
  expect([await isHeld(db, 'mails'), await take('mails', 'next')]).toEqual([false, 'next'])
})

it('a held lease is not taken, even if the clocks differ by seconds', async () => {
  await leaseUntil('rewards', '65 seconds')
  expect([await isHeld(db, 'rewards'), await take('rewards', 'next')]).toEqual([true, null])
})

it('a command recorded before the clock was set back does not count as recent', async () => {
  await recordCommandRun(db, 'ledger-check', true, 'noted')
  expect(await hasRunWithin(db, 'ledger-check', 300)).toBe(true)
  await sql`update command_last_run set finished_at = clock_timestamp() + interval '1 day'`.execute(db)
  expect(await hasRunWithin(db, 'ledger-check', 300)).toBe(false)
})

it.each([40, -40])(
  'a worker whose clock is wrong by %i days runs nothing, reports why, and resumes when the clock is right',
  async (days) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS })
    let done = 0
    const turn = () =>
      underLease(db, { name: 'payments', holder: 'jumped', clock: new DatabaseClock() }, () => Promise.resolve((done += 1)))
    try {
      await expect(turn()).rejects.toThrow('the clock of this machine differs from the database by')
    } finally {
      vi.useRealTimers()
    }
    expect([done, await isHeld(db, 'payments'), await lastErrorOf(db, 'payments')]).toEqual([
      0,
      false,
      expect.stringContaining('timedatectl'),
    ])
    const { rows } = await sql<{ now: boolean }>`
    select failing_since between clock_timestamp() - interval '1 hour' and clock_timestamp() as now from job_lease where name = 'payments'`.execute(
      db,
    )
    expect(rows).toEqual([{ now: true }])
    expect([await turn(), await lastErrorOf(db, 'payments')]).toEqual([1, null])
  },
)
