import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { jobLag } from './lease.ts'

const { db } = await testDatabase()

it.each([
  ['by the time since its last start', { started: '-1 hour', held: null }, 3_600],
  ['by 0 seconds while a worker runs it, however long', { started: '-1 hour', held: '30 seconds' }, 0],
  ['by the time since a start whose lease expired', { started: '-1 hour', held: '-1 second' }, 3_600],
  ['by the time until a future start, after the clock was set back', { started: '1 hour', held: '1 hour' }, 3_600],
  ['by infinity when it never ran', { started: null, held: null }, Infinity],
])('a job is late %s', async (_, { started, held }, late) => {
  await db.deleteFrom('job_lease').execute()
  await sql`insert into job_lease (name, holder, fencing_token, last_started_at, held_until)
    values ('reward-run', 'here', 1, clock_timestamp() + ${started}::interval, clock_timestamp() + ${held}::interval)`.execute(db)
  const { lag } = await db.selectFrom('job_lease').select(jobLag.as('lag')).executeTakeFirstOrThrow()
  expect(Number.isFinite(lag) ? Math.round(lag / 60) * 60 : lag).toBe(late)
})
