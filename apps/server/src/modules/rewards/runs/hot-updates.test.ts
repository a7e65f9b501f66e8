import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { holdJobs } from '../../../jobs/job.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { asOneTransaction } from '../../../platform/db/database.ts'
import { rewardJobs } from '../rewards.jobs.ts'

const database = await testDatabase()
const instance = await testInstance(database)
const { clock, db, deps } = instance
await instance.fundPool('COIN', 1_000_000n * ONE)
await instance.fundPool('USD', 1_000_000n * ONE)

it('a run over many sources updates counters in place, without index changes', async () => {
  const member = await instance.join()
  await sql`insert into reward_source (stream, public_id, label, member_id, principal, percent, amount, bounty, steps, programme_version, starts_at)
    select n % 3, 'many-' || n, 'Test', ${member.id}, ${1000n * ONE}, ${10n * ONE}, ${ONE}, ${ONE / 5n}, 40, 1, ${clock.now()} from generate_series(1, 400) n`.execute(
    db,
  )
  clock.advance(DAY_MS)
  const runs = rewardJobs.filter((job) => job.name === 'reward-run')
  for (let day = 0; day < 33; day += 1) {
    const counted = await asOneTransaction(db, async (tx) => {
      const run = await holdJobs(tx, deps, runs, 'test')
      await run()
      return sql<{ all: bigint; inPlace: bigint }>`
        select n_tup_upd as all, n_tup_hot_upd as "inPlace" from pg_stat_xact_user_tables where relname = 'reward_source'`.execute(tx)
    })
    const { all = 0n, inPlace = 0n } = counted.rows[0] ?? {}
    expect(all).toBeGreaterThanOrEqual(266n)
    expect(inPlace).toBe(all)
    // Frees space for the next updates. VACUUM must be sent alone.
    await database.pool.query('vacuum reward_source')
    clock.advance(DAY_MS)
  }
})
