import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { dice } from '../../../../test/dice.ts'
import type { TestMember } from '../../../../test/members.ts'
import { type TestInstance, testInstance } from '../../../../test/test-instance.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { onCoinSold } from '../instant/new-money.ts'
import { addProgramme } from '../pool/add-programme.ts'
import { currentProgramme } from '../programme/programme.ts'
import type { ProgrammeRules } from '../programme/rewards.rules.ts'
import { takeFigures, type Simulation, simulatedDays, type BatchResult } from './simulation.ts'
import { simulateMembers } from './simulate-members.ts'
import { simulateReferrals } from './simulate-referrals.ts'
import { simulateSources } from './simulate-sources.ts'

const percent = (value: number) => BigInt(Math.round(value * 1e8))
const draft: Partial<ProgrammeRules> = {
  referralPercent: percent(7.25),
  levelPercents: [4, 4.5, 0, 2.1234, 1].map(percent),
  bountyPercents: [9, 5, 4, 0, 1.5].map(percent),
  stakeLogLevelPercents: [6, 3, 2, 1, 0.5].map(percent),
  stakeLogBountyPercents: [10, 6, 3, 2, 2].map(percent),
  nftLevelPercents: [5, 2.5, 2, 1, 1].map(percent),
  nftBountyPercents: [12, 5, 3, 2, 0].map(percent),
  fullLevelShareDays: 60,
}

/** By member (in joining order) and kind. */
type Figures = Map<string, bigint>
const key = (member: bigint, first: bigint, kind: string) => `${member - first} ${kind}`

/** Plays the same days in any app: 14 before the draft, 30 with it, and a few hours on the next day. */
async function play(instance: TestInstance, from?: Partial<ProgrammeRules>): Promise<TestMember[]> {
  const roll = dice(77)
  const members: TestMember[] = []
  await instance.fundPool('COIN', 50_000_000n * ONE)
  await instance.fundPool('USD', 20_000n * ONE)
  const some = () => members[roll(members.length)] as TestMember
  const act = async () => {
    const what = roll(12)
    const [member, amount] = [some(), BigInt(roll(900_000_000) + 2) * 12_345n]
    if (what < 4)
      await instance.stake(member, { amount, apy: BigInt(roll(200) + 1) * 12_345_678n, days: roll(90) + 2, omega: roll(4) === 0 })
    else if (what < 6)
      await instance.buyNft(member, {
        price: (amount / 1_000_000n) * 1_000_000n,
        percent: BigInt(roll(300) + 1) * ONE,
        months: roll(12) + 1,
      })
    else if (what < 8) await instance.buyCoin(member, amount)
    else if (what === 8)
      await inTransaction(instance.db, (tx) =>
        onCoinSold(tx, instance.clock.now(), [{ memberId: member.id, coin: amount / 3n, usd: 0n, transferId: 0n }]),
      )
    else if (what === 9) await instance.setActive(member, roll(3) > 0)
    else members.push(await instance.join({ sponsor: roll(9) === 0 ? undefined : member, verified: roll(12) > 0 }))
  }
  const days = async (count: number) => {
    for (let hour = 0; hour < count * 24; hour += 12) {
      for (let acts = roll(6); acts > 0; acts -= 1) await act()
      instance.clock.advance(12 * 3_600_000)
      await instance.job()
      await instance.mature()
    }
  }
  // A small ladder, so that stakes of these days complete bonuses.
  const ranks = [
    { rank: 'starter', teamStake: 1_000n * ONE, bonus: ONE },
    { rank: 'bronze', teamStake: 20_000n * ONE, bonus: 200n * ONE },
  ]
  await inTransaction(instance.db, (tx) =>
    addProgramme(tx, { rules: { ranks }, startsAt: instance.clock.now(), at: instance.clock.now(), reason: 'test', by: null }),
  )
  for (let head = 0; head < 6; head += 1) members.push(await instance.join({ sponsor: members[head - 1] }))
  await days(14)
  if (from !== undefined)
    await inTransaction(instance.db, (tx) =>
      addProgramme(tx, { rules: from, startsAt: instance.clock.now(), at: instance.clock.now(), reason: 'test', by: null }),
    )
  await days(30)
  // A day in progress belongs to neither.
  await instance.job()
  await act()
  await instance.stake(members[0] as TestMember, { amount: 5_000n * ONE, apy: 10n * ONE, days: 30 })
  instance.clock.advance(4 * 3_600_000)
  await instance.job()
  return members
}

/** Runs a draft as the job does, a few rows per batch. */
async function simulateChange(
  instance: TestInstance,
  first: bigint,
  change: Partial<ProgrammeRules>,
): Promise<{ before: Figures; after: Figures }> {
  const { version: _, startsAt: __, ...current } = await currentProgramme(instance.db, instance.clock.now())
  const at = instance.clock.now()
  const one: Simulation = { id: 'simulation', rules: { ...current, ...change }, days: await simulatedDays(instance.db, at, 30) }
  for (const step of [simulateSources, simulateReferrals, simulateMembers]) {
    let after: bigint | undefined = step === simulateMembers ? 0n : undefined
    for (;;) {
      const { next }: BatchResult = await inTransaction(instance.db, (tx) => step(tx, one, at, after as bigint, 7))
      if (next === undefined) break
      after = next
    }
  }
  const [before, after]: Figures[] = [new Map(), new Map()]
  for (;;) {
    const figures = await inTransaction(instance.db, (tx) => takeFigures(tx, one.id, 5))
    if (figures.length === 0) break
    for (const row of figures) {
      if (row.before !== 0n) before?.set(key(row.memberId, first, row.kind), row.before)
      if (row.after !== 0n) after?.set(key(row.memberId, first, row.kind), row.after)
    }
  }
  if (before === undefined || after === undefined) throw new Error('no figures')
  return { before, after }
}

/** Sums the days' paid, pending and due rewards from accruals, credits and rewards. */
async function paid(instance: TestInstance, first: bigint): Promise<Figures> {
  const today = instance.clock.now().toISOString().slice(0, 10)
  const found = await sql<{ member: bigint; kind: string; amount: bigint }>`
    with days as (select ${today}::date - 30 as first, ${today}::date as behind), runs as (select r.id from reward_run r, days where r.day >= first and r.day < behind)
    select member, kind, sum(amount)::bigint as amount from (
      select c.member_id as member, (array['daily', 'stake-log', 'nft-monthly'])[c.stream + 1] as kind, c.daily as amount from reward_credit c where c.run_id in (select id from runs)
      union all select c.member_id, (array['profit-bounty', 'stake-log-bounty', 'nft-profit-bounty'])[c.stream + 1], c.amount - c.daily from reward_credit c where c.run_id in (select id from runs)
      union all select i.beneficiary_id, i.kind, i.amount - i.reversed from reward_instant i, days where (i.created_at at time zone 'UTC')::date >= first and (i.created_at at time zone 'UTC')::date < behind
    ) all_of_it group by 1, 2 having sum(amount) <> 0`.execute(instance.db)
  return new Map(found.rows.map((row) => [key(row.member, first, row.kind), row.amount]))
}

const sorted = (figures: Figures) => [...figures].toSorted(([a], [b]) => (a < b ? -1 : 1))
const firstOf = (members: TestMember[]) => members[0]?.id ?? 0n

describe('simulation of a programme over past days', async () => {
  // Midnight, so that the draft begins with a day.
  const start = '2026-03-02T00:00:00Z'
  const instance = await testInstance(await testDatabase(), start)
  const other = await testInstance(await testDatabase(), start)

  it('equals paid, pending and due rewards by member and kind, with the current programme', async () => {
    const members = await play(instance)
    const was = await paid(instance, firstOf(members))
    expect(new Set([...was.keys()].map((one) => one.split(' ')[1])).size).toBe(10)
    const { before, after } = await simulateChange(instance, firstOf(members), {})
    expect(sorted(before)).toEqual(sorted(was))
    expect(sorted(after)).toEqual(sorted(was))
    expect(await instance.damage()).toEqual([])
  })

  it('equals the rewards of another instance that ran the same days under the draft', async () => {
    const first = firstOf(await play(other, draft))
    const ids = await sql<{ first: bigint }>`select min(id) as first from member`.execute(instance.db)
    const { after } = await simulateChange(instance, ids.rows[0]?.first ?? 0n, draft)
    expect(sorted(after)).toEqual(sorted(await paid(other, first)))
  })

  it('leaves nothing behind, and changes no account, liability or reward', async () => {
    const state = () =>
      sql<{ mark: string }>`
        select (select sum(balance) filter (where balance > 0) from ledger_account)::text || ' ' || (select sum(amount) from reward_liability)::text || ' ' ||
          (select sum(amount + reversed) from reward_instant)::text || ' ' || (select count(*) from reward_simulation)::text as mark`
        .execute(instance.db)
        .then(({ rows }) => rows[0]?.mark)
    const before = await state()
    instance.clock.advance(DAY_MS / 24)
    await simulateChange(instance, 0n, draft)
    expect(await state()).toBe(before)
    expect(before).toMatch(/ 0$/)
  })
})
