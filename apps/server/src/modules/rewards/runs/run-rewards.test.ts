import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { longSearch } from '../../../../../../test/search.ts'
import { testDatabase } from '../../../../test/database.ts'
import { LeaseLost, leaseOn } from '../../../jobs/lease.ts'
import { runJob, type Job } from '../../../jobs/job.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { addProgramme } from '../pool/add-programme.ts'
import { listRewardRuns, payDueRewardsNow } from './reward-runs.ts'
import { runDueRewards } from './run-rewards.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const HOUR = 3_600_000
const coin = (count: number) => BigInt(count) * ONE
/** Daily reward for 1,000 coin staked at 10 % in 3 days. */
const THIRD = 3_333_333_333n

describe('daily run', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance
  await instance.fundPool('COIN', coin(1_000_000))
  const stakeOf = async (days = 3) => {
    const member = await instance.join()
    await instance.stake(member, { amount: coin(1000), apy: 10n * ONE, days })
    return member
  }

  it('[MF-15] [RW-03] [I10] pays a stake daily, first after 24 hours, each day once, and none after the last', async () => {
    const member = await stakeOf()
    clock.advance(DAY_MS - 1)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(0n)
    clock.advance(1)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
    await instance.job('reward-run')
    clock.advance(HOUR)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
    clock.advance(3 * DAY_MS)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(3n * THIRD)
    expect(await instance.damage()).toEqual([])
  })

  it('is listed for staff, newest first, page by page', async () => {
    for (let day = 0; day < 3; day += 1) {
      clock.advance(DAY_MS)
      await instance.job('reward-run')
    }
    const { data, meta } = await listRewardRuns(db, {})
    const ids = data.map((run) => Number(run.id))
    expect(ids.length).toBeGreaterThan(2)
    expect([ids, meta.total]).toEqual([ids.toSorted((a, b) => b - a), ids.length])
    expect((await listRewardRuns(db, { page: 2, limit: 1 })).data.map((run) => Number(run.id))).toEqual(ids.slice(1, 2))
  })

  it('[RW-04] [RW-12] [MF-19] skips blocked and unverified members, and does not pass on their level', async () => {
    const top = await instance.join()
    const blocked = await instance.join({ sponsor: top, active: false })
    const unverified = await instance.join({ sponsor: blocked, verified: false })
    const bottom = await instance.join({ sponsor: unverified })
    for (const member of [blocked, unverified, bottom]) await instance.stake(member, { amount: coin(100_000), apy: 100n * ONE, days: 100 })
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    expect(await instance.wallet(bottom, 'nativeWallet')).toBe(coin(1000))
    expect(await instance.wallet(unverified, 'nativeWallet')).toBe(0n)
    expect(await instance.wallet(blocked, 'nativeWallet')).toBe(0n)
    expect(await instance.wallet(top, 'nativeWallet')).toBe(coin(30))
    await instance.setActive(blocked, true)
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    expect(await instance.wallet(blocked, 'nativeWallet')).toBe(coin(1000) + coin(50))
    expect(await instance.wallet(top, 'nativeWallet')).toBe(coin(60) + coin(100))
  })

  it('[RW-09] [MF-16] pays Omega stakes separately with their settings, and running stakes by the programme of their sale', async () => {
    const sponsor = await instance.join()
    const old = await instance.join({ sponsor })
    await instance.stake(old, { amount: coin(1000), apy: 100n * ONE, days: 10 })
    await inTransaction(db, (tx) =>
      addProgramme(tx, {
        rules: { bountyPercents: [0n, 0n, 0n, 0n, 0n], stakeLogBountyPercents: [ONE, 0n, 0n, 0n, 0n] },
        startsAt: clock.now(),
        at: clock.now(),
        reason: 'test',
        by: null,
      }),
    )
    const fresh = await instance.join({ sponsor })
    await instance.stake(fresh, { amount: coin(1000), apy: 100n * ONE, days: 10 })
    const omega = await instance.join({ sponsor })
    await instance.stake(omega, { amount: coin(1000), apy: 100n * ONE, days: 10, omega: true })
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    expect(await instance.wallet(sponsor, 'nativeWallet')).toBe(coin(10) + coin(1))
    const versions = await sql<{ source_id: bigint; programme_version: number; stream: number }>`
      select programme_version, stream from reward_accrual where member_id in (${old.id}, ${fresh.id}, ${omega.id}) order by member_id`.execute(
      db,
    )
    expect(versions.rows).toMatchObject([
      { programme_version: 1, stream: 0 },
      { programme_version: 2, stream: 0 },
      { programme_version: 2, stream: 1 },
    ])
  })

  it('[I10] ends the same after any number of interruptions at any call', async () => {
    const members = await Promise.all([stakeOf(20), stakeOf(20), stakeOf(20), stakeOf(20), stakeOf(20)])
    let days = 0
    // Each day cuts three calls, so a short run cuts each of the calls once.
    for (let cutAt = 1; cutAt <= 12; cutAt += longSearch ? 1 : 3) {
      days += 1
      clock.advance(DAY_MS)
      for (let attempt = 0; ; attempt += 1) {
        let calls = 0
        const cutting: Job = {
          name: 'reward-run',
          everySeconds: 20,
          run: (lease, deps) => {
            const cut = leaseOn({
              read: lease.read,
              inTransaction: (work) => {
                calls += 1
                if (attempt < 3 && calls === cutAt + attempt) throw new Error('cut off')
                return lease.inTransaction(work)
              },
            })
            return runDueRewards(cut, deps, { accruals: 2, partition: 2, workers: 1, sharedFrom: 1 })
          },
        }
        const finished = await runJob(db, instance.deps, cutting, 'test').then(
          () => true,
          () => false,
        )
        if (finished) break
      }
      for (const member of members) expect(await instance.wallet(member, 'nativeWallet')).toBe(BigInt(days) * 500_000_000n)
    }
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-12] [I18] pays once when two workers start at the same time', async () => {
    const member = await stakeOf()
    clock.advance(DAY_MS)
    const results = await Promise.all(
      [1, 2, 3].map((number) =>
        payDueRewardsNow(db, instance.deps, `worker-${number}`).then(
          () => 'paid',
          (error: Error) => error.message,
        ),
      ),
    )
    // A worker that starts after another one has finished finds nothing to pay.
    expect(results).toContain('paid')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
  })

  it('has no effect from a stale worker that resumes after another one finished', async () => {
    const member = await stakeOf()
    clock.advance(DAY_MS)
    const overtaken: Job = {
      name: 'reward-run',
      everySeconds: 20,
      run: async (lease, deps) => {
        await sql`update job_lease set held_until = clock_timestamp() - interval '5 seconds' where name = 'reward-run'`.execute(db)
        await instance.job('reward-run')
        return runDueRewards(lease, deps)
      },
    }
    await expect(runJob(db, instance.deps, overtaken, 'stale')).rejects.toThrow(LeaseLost)
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
    expect(await instance.damage()).toEqual([])
  })

  it('[I18] pays nothing twice and skips nothing when the clock is set back', async () => {
    const member = await stakeOf()
    clock.advance(DAY_MS + HOUR)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
    clock.advance(-HOUR - DAY_MS)
    await instance.job('reward-run')
    const later = await stakeOf()
    clock.advance(HOUR)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
    expect(await instance.wallet(later, 'nativeWallet')).toBe(0n)
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(THIRD)
    expect(await instance.wallet(later, 'nativeWallet')).toBe(THIRD)
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-12] collects many due rewards for an hour, and pays few at once', async () => {
    const member = await instance.join()
    await sql`insert into reward_source (stream, public_id, label, member_id, principal, percent, amount, bounty, steps, programme_version, starts_at)
      select 0, 'many-' || n, 'Test plan', ${member.id}, 1000000000, 1000000000, 1, 0, 2, 1, ${clock.now()}::timestamptz + n * interval '1 second'
      from generate_series(1, 600) n`.execute(db)
    clock.advance(DAY_MS - HOUR)
    await instance.job('reward-run')
    await stakeOf()
    clock.advance(HOUR + 400_000)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(400n)
    clock.advance(HOUR)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(600n)
  })
})
