import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { earnedOf, aggregateEarnings } from './earned.ts'

const coin = (count: number) => BigInt(count) * ONE
const instance = await testInstance(await testDatabase())
const { db, clock } = instance

/** Sums a member's rewards from the reward rows. */
async function byRewards(memberId: bigint) {
  const { rows } = await sql<{ coin: bigint }>`select (
      (select coalesce(sum(amount), 0) from reward_credit where member_id = ${memberId} and stream < 2)
      + (select coalesce(sum(amount), 0) from reward_instant where beneficiary_id = ${memberId} and status <> 'reversed' and asset = 'COIN'))::bigint as coin`.execute(
    db,
  )
  return { coin: rows[0]?.coin ?? 0n, usd: 0n }
}

it('sums all earnings of a member, the same before, during and after credits are aggregated', async () => {
  await instance.fundPool('COIN', coin(1_000_000))
  const line = [await instance.join()]
  for (let level = 0; level < 3; level += 1) line.push(await instance.join({ sponsor: line.at(-1) }))
  for (const member of line) await instance.stake(member, { amount: coin(10_000), apy: 100n * ONE, days: 100 })
  for (let day = 0; day < 3; day += 1) {
    clock.advance(DAY_MS)
    await instance.job('reward-run')
  }
  const wanted = await Promise.all(line.map((member) => byRewards(member.id)))
  expect(wanted.every(({ coin: earned }) => earned >= coin(300))).toBe(true)
  const sums = () => Promise.all(line.map((member) => earnedOf(db, member.id)))
  expect(await sums()).toEqual(wanted)
  let folds = 0
  for (let done = 5; done === 5; folds += 1) {
    done = await inTransaction(db, (tx) => aggregateEarnings(tx, 5))
    expect(await sums()).toEqual(wanted)
  }
  expect(folds).toBe(3)
  // Later credits are read next to the aggregated ones, and aggregated once.
  clock.advance(DAY_MS)
  await instance.job('reward-run')
  const more = await Promise.all(line.map((member) => byRewards(member.id)))
  expect(more).not.toEqual(wanted)
  expect(await sums()).toEqual(more)
  await instance.job('reward-totals')
  await instance.job('reward-totals')
  expect(await sums()).toEqual(more)
  expect(await inTransaction(db, (tx) => aggregateEarnings(tx, 5))).toBe(0)
})
