import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { jobLag } from './lease.ts'

const { db } = await testDatabase()

it.each([
  ['as long as its last turn is ago', { started: '-1 hour', held: null }, 3_600],
  ['not at all while a worker is at it, however long', { started: '-1 hour', held: '30 seconds' }, 0],
  ['from the beginning of a turn that renews its lease no more', { started: '-1 hour', held: '-1 second' }, 3_600],
  ['as far as a moment to come is away, which a clock that was set back left', { started: '1 hour', held: '1 hour' }, 3_600],
  ['without end when it never had a turn', { started: null, held: null }, Infinity],
])('a job is late %s', async (_, { started, held }, late) => {
  await db.deleteFrom('job_lease').execute()
  await sql`insert into job_lease (name, holder, token, last_started_at, held_until)
    values ('reward-run', 'here', 1, clock_timestamp() + ${started}::interval, clock_timestamp() + ${held}::interval)`.execute(db)
  const { lag } = await db.selectFrom('job_lease').select(jobLag.as('lag')).executeTakeFirstOrThrow()
  expect(Number.isFinite(lag) ? Math.round(lag / 60) * 60 : lag).toBe(late)
})
