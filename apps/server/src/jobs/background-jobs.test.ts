import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { DAY_MS } from '../platform/runtime/clock.ts'
import { inTransaction } from '../platform/db/database.ts'
import { type AnyJobKind, FILE_MAX_BYTES, jobFile, type JobKind, JobError, jobState, OPEN_JOBS, type WritingJob } from './background-job.ts'
import { readsOf } from '../platform/db/replica.ts'
import { backgroundJobs, jobRetention } from './background-jobs.job.ts'
import { LeaseLost } from './lease.ts'
import { retentionJob } from './retention.ts'
import { runJob } from './job.ts'
import { startJob } from './start-job.ts'

interface Count {
  upTo: number
}

/** Counts one number per step and writes each into the file. */
const count: WritingJob<Count, { last: number }> = {
  name: 'count',
  file: ({ upTo }) => ({ name: `to-${upTo}.txt`, type: 'text/plain' }),
  step: (_, __, { input, checkpoint }) => {
    const last = (checkpoint?.last ?? 0) + 1
    steps.push(last)
    const base = { done: last, total: input.upTo, write: `${last}\n` }
    return Promise.resolve(last < input.upTo ? { ...base, next: { last } } : { ...base, result: { counted: last } })
  },
}
const kindOf = (name: string, step: WritingJob<object, object>['step']): JobKind<object, object> => ({ name, step })
const broken = kindOf('broken', async (tx) => {
  await sql`insert into command_last_run values ('broken', now(), true, 'half done')`.execute(tx)
  throw new Error('the reason is for the log')
})
const refused = kindOf('refused', () => Promise.reject(new JobError('The month has not begun')))
/** The second part exceeds the limit only together with the first. */
const huge = kindOf('huge', (_, __, { checkpoint }) =>
  Promise.resolve({ done: 1, total: 1, next: {}, write: checkpoint === undefined ? 'x' : Buffer.alloc(FILE_MAX_BYTES) }),
)
const split: JobKind<object, object> = { ...huge, name: 'split', smallerFile: () => 'Export each rank' }

const kinds: readonly AnyJobKind[] = [count, broken, refused, huge, split]
const { db } = await testDatabase()
const runner = backgroundJobs(kinds)
let at: TestApp
let steps: number[] = []
at = await testApp(db, { routes: () => undefined, jobs: [runner, retentionJob(jobRetention)] })
beforeEach(async () => {
  await db.deleteFrom('background_job').execute()
  steps = []
})

const ask = (upTo = 3, ownerId = 7n) => inTransaction(db, (tx) => startJob(tx, at.deps, count, { ownerId, input: { upTo } }))
const other = (kind: JobKind<object, object>) => inTransaction(db, (tx) => startJob(tx, at.deps, kind, { ownerId: 7n, input: {} }))
const read = (id: string) => jobState(db, at.deps, id)
const fileOf = async (id: string) => (await Array.fromAsync(jobFile(readsOf(db), id))).map((part) => Buffer.from(part).toString()).join('')

describe('background job', () => {
  it('runs step by step, reports progress and end time, and stores result and file', async () => {
    const id = await ask()
    expect(await read(id)).toMatchObject({ state: 'WAITING', done: 0, ownerId: 7n })
    await at.runJobs()
    expect(await read(id)).toMatchObject({ state: 'DONE', done: 3, total: 3, result: { counted: 3 }, file: { name: 'to-3.txt', bytes: 6 } })
    expect(await fileOf(id)).toBe('1\n2\n3\n')
    const running = await ask()
    const half = { state: 'RUNNING', done: 2n, total: 6n, started_at: new Date(at.clock.now().getTime() - 10_000) }
    await db.updateTable('background_job').set(half).where('public_id', '=', running).execute()
    expect(await read(running)).toMatchObject({ state: 'RUNNING', etaSeconds: 20 })
    expect((await read(running))?.file).toBeUndefined()
  })

  it('continues at its last step when the worker dies, and writes nothing twice', async () => {
    const id = await ask(5)
    const dying: JobKind<Count, { last: number }> = {
      ...count,
      step: async (tx, deps, job) => {
        const step = await count.step(tx, deps, job)
        if (steps.length === 3) throw new LeaseLost('killed')
        return step
      },
    }
    await expect(runJob(db, at.deps, backgroundJobs([dying]), 'one')).rejects.toThrow('killed')
    expect(await read(id)).toMatchObject({ state: 'RUNNING', done: 2 })
    await at.runJobs()
    expect(steps).toEqual([1, 2, 3, 3, 4, 5])
    expect(await fileOf(id)).toBe('1\n2\n3\n4\n5\n')
  })

  it('takes turns with other jobs, so that a small job does not wait for a large one', async () => {
    await ask(50)
    await ask(2, 8n)
    await at.runJobs()
    expect(steps.slice(0, 4)).toEqual([1, 1, 2, 2])
  })

  it('rolls back a failing step, tries it three times, and reports no details', async () => {
    const id = await other(broken)
    await at.runJobs()
    expect(await read(id)).toMatchObject({ state: 'FAILED', error: expect.stringContaining('Something went wrong') })
    const { attempts } = await db.selectFrom('background_job').select('attempts').executeTakeFirstOrThrow()
    expect([attempts, await db.selectFrom('command_last_run').select('name').execute()]).toEqual([3, []])
  })

  it('reports the reason of a rejection at once', async () => {
    const id = await other(refused)
    await at.runJobs()
    expect(await read(id)).toMatchObject({ state: 'FAILED', error: 'The month has not begun' })
    expect((await db.selectFrom('background_job').select('attempts').executeTakeFirstOrThrow()).attempts).toBe(1)
  })

  it('fails when a step crashes the process three times, or when its kind no longer exists', async () => {
    const deadly = await ask()
    await db.updateTable('background_job').set({ attempts: 3 }).execute()
    const gone = await other(kindOf('gone', () => Promise.reject(new Error('never'))))
    await at.runJobs()
    for (const id of [deadly, gone]) expect(await read(id)).toMatchObject({ state: 'FAILED' })
    expect(steps).toEqual([])
  })

  it.each([
    ['a shorter period is a way', huge, /larger than 64 MB\. Choose a shorter period/],
    ['the kind knows another way', split, /^Export each rank$/],
  ])('limits the file size, and keeps nothing of a file that is too large, when %s', async (_, kind, text) => {
    const id = await other(kind)
    await at.runJobs()
    expect(await read(id)).toMatchObject({ state: 'FAILED', error: expect.stringMatching(text) })
    expect(await db.selectFrom('background_job_part').select('number').execute()).toEqual([])
  })

  it('is rejected above the limit of open jobs per person, also for parallel requests', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: OPEN_JOBS + 3 }, () => ask()))
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(OPEN_JOBS)
    await ask(1, 8n)
    await at.runJobs()
    await ask()
  })

  it('is deleted with its file after a week', async () => {
    const id = await ask()
    await at.runJobs()
    at.clock.advance(7 * DAY_MS)
    await at.runJobs()
    expect((await read(id))?.file).toBeDefined()
    at.clock.advance(1)
    await at.runJobs()
    expect(await read(id)).toBeUndefined()
    expect(await db.selectFrom('background_job_part').select('number').execute()).toEqual([])
  })
})
