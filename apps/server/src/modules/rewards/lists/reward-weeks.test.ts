import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { weeklyRewards } from './reward-totals.ts'
import { updateCounters } from '../instant/reward-counters.ts'
import { reverseRewards } from '../instant/reverse-rewards.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-04T09:00:00Z')

/** Adds rewards with 10 units each, 30 hours apart up to now, alternating between two purchases. */
const add = (memberId: bigint, first: number, last: number) =>
  sql`
  insert into reward_instant (kind, beneficiary_id, cause_type, cause_id, level, base, amount, asset, programme_version, status, created_at, release_at)
  select 'referral', ${memberId}::bigint, 'coin_purchase', n % 2, n / 2 % 6, 1000, 10, 'COIN', 1, 'held', ${now}::timestamptz - n * interval '30 hours', '2026-04-01'
  from generate_series(${first}::int, ${last}::int) n`.execute(db)

const sums = async (memberId: bigint) => {
  const { weeks } = await weeklyRewards(db, memberId, 4, now)
  return weeks.map((week) => week.sums.map((sum) => sum.amount))
}

it('sums rewards by ISO week, the same before and after aggregation', async () => {
  const member = await createTestMember(db)
  await add(member.id, 0, 11)
  const fresh = await sums(member.id)
  // Now is a Wednesday, 57 hours into its week.
  expect(fresh).toEqual([[], [40n], [60n], [20n]])
  await inTransaction(db, (tx) => updateCounters(tx, 7))
  expect(await sums(member.id)).toEqual(fresh)
  await inTransaction(db, (tx) => updateCounters(tx, 100))
  expect(await sums(member.id)).toEqual(fresh)
})

it('sums the remaining rewards after a reversed purchase, aggregated or not', async () => {
  const member = await createTestMember(db)
  await sql`delete from reward_instant`.execute(db)
  await add(member.id, 0, 5)
  await inTransaction(db, (tx) => updateCounters(tx, 100))
  await add(member.id, 6, 11)
  await inTransaction(db, (tx) => reverseRewards(tx, { type: 'coin_purchase', id: 1n }))
  const left = [[], [20n], [30n], [10n]]
  expect(await sums(member.id)).toEqual(left)
  await inTransaction(db, (tx) => updateCounters(tx, 100))
  expect(await sums(member.id)).toEqual(left)
})
