import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { earnedFrom } from './earned-from.ts'

const coin = (count: number) => BigInt(count) * ONE
const instance = await testInstance(await testDatabase())
const { db, clock } = instance

/** Sums the rewards that a member earned from all downline members. */
async function byRewards(memberId: bigint): Promise<bigint> {
  const { rows } = await sql<{ coin: bigint }>`select (
      (select coalesce(sum(b1 + b2 + b3 + b4 + b5), 0) from reward_credit where member_id = ${memberId} and eligible and stream < 2)
      + (select coalesce(sum(amount - reversed), 0) from reward_instant where beneficiary_id = ${memberId} and kind = 'level'))::bigint as coin`.execute(
    db,
  )
  return rows[0]?.coin ?? 0n
}

it('returns the earnings of each upline level from a member, equal to the sum of the rewards', async () => {
  await instance.fundPool('COIN', coin(1_000_000))
  const line = [await instance.join()]
  for (let level = 0; level < 6; level += 1) line.push(await instance.join({ sponsor: line.at(-1) }))
  for (const [index, member] of line.entries()) await instance.stake(member, { amount: coin(7_000 + index), apy: 100n * ONE, days: 99 })
  const [, second] = line
  if (second === undefined) throw new Error('no line')
  await instance.stake(second, { amount: coin(333), apy: 77n * ONE, days: 365 })
  for (let day = 0; day < 3; day += 1) {
    clock.advance(DAY_MS)
    await instance.job('reward-run')
  }
  for (const [index, upline] of line.entries()) {
    const below = line.slice(index + 1, index + 6).map((member, level) => ({ memberId: member.id, uplineId: upline.id, level: level + 1 }))
    const found = await earnedFrom(db, below)
    const sum = found.reduce((all, one) => all + (one?.coin ?? 0n), 0n)
    expect(sum).toBe(await byRewards(upline.id))
    expect(sum > 0n).toBe(index < 6)
  }
})

it('returns nothing for a member with too many stakes, and zero for one without any', async () => {
  const [upline, idle] = [await instance.join(), await instance.join()]
  const busy = await instance.join({ sponsor: upline })
  for (let count = 0; count < 3; count += 1) await instance.stake(busy, { amount: coin(100), apy: 100n * ONE, days: 99 })
  const pairs = [busy, idle].map((member) => ({ memberId: member.id, uplineId: upline.id, level: 1 }))
  expect(await earnedFrom(db, pairs, 2)).toEqual([undefined, { coin: 0n, usd: 0n }])
  expect(await earnedFrom(db, [])).toEqual([])
})
