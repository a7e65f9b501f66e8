import { ONE } from '@tizara/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchParameters, searchTimeout } from '../../../../../../test/search.ts'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { type Lease, LeaseLost, leaseOn } from '../../../jobs/lease.ts'
import { runJob } from '../../../jobs/job.ts'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { assistRuns } from './assist-runs.ts'
import { simulateDay } from './reward-runs.ts'
import { runDueRewards } from './run-rewards.ts'

const sizes = (workers: number) => ({ accruals: 7, partition: 3, workers, sharedFrom: 1 })

/** Returns a seeded generator for numbers between 0 and 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const person = fc.record({
  sponsor: fc.option(fc.nat({ max: 40 }), { freq: 8 }),
  earns: fc.integer({ min: 0, max: 6 }).map((one) => one > 0),
  stakes: fc.array(
    fc.record({
      amount: fc.bigInt({ min: 100_000_001n, max: 300n * ONE }),
      apy: fc.integer({ min: 1, max: 40_000 }),
      omega: fc.boolean(),
      minute: fc.integer({ min: 1, max: 1439 }),
    }),
    { maxLength: 3 },
  ),
})
const story = fc.record({
  people: fc.array(person, { minLength: 12, maxLength: 25 }),
  workers: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
})

describe('reward day with several workers', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db, deps } = instance
  await instance.fundPool('COIN', 1_000_000_000n * ONE)

  const fill = async (people: (typeof story extends fc.Arbitrary<infer T> ? T : never)['people']) => {
    clock.set(new Date(Math.ceil(clock.now().getTime() / DAY_MS) * DAY_MS))
    const start = clock.now().getTime()
    const members: Awaited<ReturnType<typeof instance.join>>[] = []
    for (const { sponsor, earns } of people)
      members.push(await instance.join({ sponsor: sponsor === null ? undefined : members[sponsor % members.length], active: earns }))
    for (const [index, { stakes }] of people.entries()) {
      for (const { amount, apy, omega, minute } of stakes) {
        clock.set(new Date(start + minute * 60_000))
        const member = members[index]
        if (member !== undefined) await instance.stake(member, { amount, apy: BigInt(apy) * 1_000_000n, days: 1, omega })
      }
    }
    // Closes the days before the one in which all rewards are due.
    clock.set(new Date(start + DAY_MS))
    await instance.job('reward-run')
    clock.set(new Date(start + 2 * DAY_MS))
  }

  /** A worker's lease whose transactions sometimes fail after their work, or lose the lease to another worker. */
  const hurt = (lease: Lease, name: string, next: () => number) =>
    leaseOn({
      read: lease.read,
      inTransaction: async (work) => {
        const fate = next()
        if (fate < 0.05)
          await sql`update job_lease set fencing_token = fencing_token + 1, held_until = clock_timestamp() where name = ${name}`.execute(db)
        return lease.inTransaction(async (tx) => {
          const done = await work(tx)
          if (fate > 0.9) throw new Error('cut off')
          return done
        })
      },
    })

  /** Runs all workers at once, each until it ends or is interrupted. */
  const runWorkers = (workers: number, next: () => number) =>
    Promise.all(
      Array.from({ length: workers }, (_, index) => {
        const name = index === 0 ? 'reward-run' : `reward-helper-${index + 1}`
        const run = (lease: Lease) => (index === 0 ? runDueRewards : assistRuns)(hurt(lease, name, next), deps, sizes(workers))
        return runJob(db, deps, { name, everySeconds: 20, run }, `worker ${index}`).catch((error: Error) => {
          if (!(error instanceof LeaseLost) && error.message !== 'cut off') throw error
        })
      }),
    )

  const isDone = async () =>
    (
      await sql<{ open: boolean }>`
      select exists (select from reward_run where status <> 'DONE') or exists (select from reward_source where processed < steps) as open`.execute(
        db,
      )
    ).rows[0]?.open === false

  it(
    '[I10] [I18] has the hash of a single worker, through any number of workers, interruptions and takeovers',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, async ({ people, workers, seed }) => {
          await fill(people)
          const day = utcDay(new Date(clock.now().getTime() - DAY_MS))
          const alone = await simulateDay(db, deps, day)
          const next = numbers(seed)
          for (let attempt = 0; !(await isDone()); attempt += 1) {
            expect(attempt).toBeLessThan(200)
            await runWorkers(workers[attempt % workers.length] ?? 1, attempt < 40 ? next : () => 0.5)
            expect(await instance.damage()).toEqual([])
          }
          const runs = await sql<{
            hash: string
            accruals: bigint
          }>`select hash, accruals from reward_run where day = ${day}::date`.execute(db)
          expect(runs.rows).toEqual(alone.accruals === 0 ? [] : [{ hash: alone.hash, accruals: BigInt(alone.accruals) }])
        }),
        { ...searchParameters('workers of a reward run', { short: 4, long: 20, seed: 20_261_122 }), endOnFailure: true },
      )
    },
    searchTimeout(240_000),
  )

  it('leaves no partition and no balance on pool shards, and the audit finds an amount missing from a shard', async () => {
    const left = await sql<{ slices: number; taken: number }>`
      select (select count(*)::int from reward_partition) as slices, (select count(*)::int from reward_payment_claim) as taken`.execute(db)
    expect(left.rows).toEqual([{ slices: 0, taken: 0 }])
    await inTransaction(db, (tx) => sql`select ledger_post_one(-9200, -9203, 5, 'shardMove', 'reward_run', '1', null, now())`.execute(tx))
    expect(await instance.damage()).toEqual([expect.stringContaining('each shard of the reward pool holds')])
  })
})
