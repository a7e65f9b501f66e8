import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, type TestMember } from '../../../../test/members.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { branchTotals } from '../../team/index.ts'
import { addProgramme } from '../pool/add-programme.ts'
import { coverageOf } from '../pool/coverage.ts'
import { currentProgramme } from '../programme/programme.ts'
import { reverseSource, assertSourceReversible } from './source-sales.ts'
import { rankProgress } from '../lists/rank-progress.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('rank bonuses', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  await instance.fundPool('COIN', coin(100_000_000))
  const promised = async () => (await coverageOf(db, 'COIN')).promised
  const stake = (member: TestMember, count: number, days = 365) => instance.stake(member, { amount: coin(count), apy: 1n, days })
  const rankOf = async (member: TestMember) =>
    (await db.selectFrom('member').select('rank').where('id', '=', member.id).executeTakeFirstOrThrow()).rank
  const filled = async (member: TestMember) =>
    (
      await sql<{ rank: string; filled: bigint }>`
        select rank, filled from reward_rank_bonus where member_id = ${member.id} order by team_stake`.execute(db)
    ).rows.map((row) => [row.rank, row.filled])
  const paid = async (member: TestMember) =>
    (
      await sql<{ rank: string }>`
        select rank from reward_instant where kind = 'rank' and status = 'paid' and beneficiary_id = ${member.id} order by id`.execute(db)
    ).rows.map(({ rank }) => rank)
  /** A leader with direct referrals, each of whom stakes. */
  const team = async (sponsor?: TestMember, size = 2) => {
    const leader = await instance.join({ sponsor })
    const members = await Promise.all(Array.from({ length: size }, () => instance.join({ sponsor: leader })))
    return { leader, members: members as [TestMember, TestMember] }
  }

  it('[RW-05] fill the bonus of the nearest leader when each stake matures, and pay it once complete', async () => {
    const top = await instance.join()
    const other = await instance.join({ sponsor: top })
    const { leader, members } = await team(top)
    const before = await promised()
    await stake(other, 500_000, 73)
    for (const member of members) await stake(member, 250_000, 73)
    // 0.5 % of the coin for 73 of 365 days.
    const budgets = await sql<{ budget: bigint }>`select rank_budget as budget from reward_source order by id desc limit 3`.execute(db)
    expect(budgets.rows.map(({ budget }) => budget)).toEqual([coin(250), coin(250), coin(500)])
    await instance.pass(1)
    expect([await rankOf(top), await rankOf(leader)]).toEqual(['gold', 'silver'])
    await instance.pass(71)
    expect([await filled(leader), await filled(top)]).toEqual([[], []])
    await instance.pass(1)
    await instance.mature()
    // The stakes of the leader's team fill the leader's bonus, the other one that of the top.
    expect([await filled(leader), await filled(top)]).toEqual([[['bronze', coin(500)]], [['bronze', coin(500)]]])
    await instance.job()
    expect([await paid(leader), await paid(top)]).toEqual([['bronze'], ['bronze']])
    expect([await rankOf(leader), await rankOf(top)]).toEqual([null, null])
    expect([(await promised()) - before, await instance.damage()]).toEqual([0n, []])
  })

  it('[RW-05] [RW-14] pay nothing to a chain of puppet accounts above one staker, and return its budget', async () => {
    const line: TestMember[] = []
    for (let index = 0; index < 30; index += 1) line.push(await instance.join({ sponsor: line.at(-1) }))
    const before = await promised()
    await stake(line.at(-1) as TestMember, 1_000_000, 10)
    await instance.job('team-totals')
    expect(await Promise.all(line.map(rankOf))).toEqual(line.map(() => null))
    await instance.pass(10)
    await instance.mature()
    await instance.job()
    expect(await Promise.all(line.map(filled))).toEqual(line.map(() => []))
    expect([(await promised()) - before, await instance.damage()]).toEqual([0n, []])
  })

  it('[RW-05] count at most half of a threshold from one direct referral', async () => {
    const { leader, members } = await team()
    await stake(members[0], 1_000_000, 5)
    await stake(members[1], 49_990, 20)
    await instance.pass(1)
    expect(await rankOf(leader)).toBeNull()
    await instance.pass(4)
    await instance.mature()
    expect(await filled(leader)).toEqual([])
    await stake(members[0], 1_000_000, 5)
    await stake(members[1], 10, 20)
    await instance.pass(1)
    expect(await rankOf(leader)).toBe('bronze')
    await instance.pass(4)
    await instance.mature()
    expect(await filled(leader)).toEqual([['bronze', (coin(1_000_000) * 5n) / (200n * 365n)]])
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-05] count the stakes of one moment for each other, and none that ended before, within one run', async () => {
    const early = await team()
    await stake(early.members[0], 50_000, 4)
    await stake(early.members[1], 50_000, 5)
    const together = await team()
    for (const member of together.members) await stake(member, 50_000, 5)
    const late = await team()
    await stake(late.members[0], 50_000, 3)
    await stake(late.members[1], 50_000, 6)
    await instance.pass(6)
    await instance.mature()
    const share = (days: bigint) => (coin(50_000) * days) / (200n * 365n)
    expect(await filled(early.leader)).toEqual([['bronze', share(4n)]])
    expect(await filled(late.leader)).toEqual([['bronze', share(3n)]])
    expect(await filled(together.leader)).toEqual([['bronze', 2n * share(5n)]])
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-12] pass a blocked leader, whose begun bonus stays', async () => {
    const top = await team()
    const below = await team(top.members[0])
    for (const member of [...below.members, top.members[1]]) await stake(member, 50_000, 5)
    for (const member of below.members) await stake(member, 50_000, 8)
    await instance.pass(5)
    await instance.mature()
    await instance.setActive(below.leader, false)
    await instance.pass(3)
    await instance.mature()
    const share = (days: bigint) => (coin(50_000) * days) / (200n * 365n)
    expect(await filled(below.leader)).toEqual([['bronze', 2n * share(5n)]])
    // The upper leader lost the second half when the other branch ended.
    expect(await filled(top.leader)).toEqual([['bronze', share(5n)]])
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-05] leave nothing of a reversed stake, and refuse to reverse a matured one', async () => {
    const { leader, members } = await team()
    const before = await promised()
    const id = await stake(members[0], 100_000, 5)
    const { public_id: publicId } = await db.selectFrom('stake').select('public_id').where('id', '=', id).executeTakeFirstOrThrow()
    await inTransaction(db, async (tx) => {
      await assertSourceReversible(tx, publicId, clock.now())
      await reverseSource(tx, publicId, clock.now())
      await sql`update stake set status = 'REVERSED', reversed_at = ${clock.now()} where id = ${id}`.execute(tx)
    })
    expect((await promised()) - before).toBe(0n)
    const kept = await stake(members[1], 100_000, 5)
    const source = await db.selectFrom('stake').select('public_id').where('id', '=', kept).executeTakeFirstOrThrow()
    await instance.pass(5)
    await instance.mature()
    const undo = inTransaction(db, (tx) => assertSourceReversible(tx, source.public_id, clock.now()))
    await expect(undo).rejects.toThrow('the stake has run its time')
    expect(await filled(leader)).toEqual([])
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-05] keep the terms of the stake that began a bonus when the programme changes', async () => {
    const { leader, members } = await team()
    for (const member of members) await stake(member, 50_000, 5)
    const { ranks } = await currentProgramme(db, clock.now())
    const change = (rules: { rank: string; teamStake: bigint; bonus: bigint }[]) =>
      inTransaction(db, (tx) =>
        addProgramme(tx, { rules: { ranks: rules }, startsAt: clock.now(), at: clock.now(), reason: 'test', by: null }),
      )
    await change([{ rank: 'bronze', teamStake: coin(10_000_000), bonus: coin(1) }])
    await instance.job('team-totals')
    expect(await rankOf(leader)).toBeNull()
    for (const member of members) await stake(member, 50_000, 7)
    await instance.pass(5)
    await instance.mature()
    const share = (coin(50_000) * 5n) / (200n * 365n)
    expect(await filled(leader)).toEqual([['bronze', 2n * share]])
    await instance.pass(2)
    await instance.mature()
    // Sold under the second ladder with its small budgets, they fill the begun bonus by its own threshold.
    const small = (coin(50_000) * 7n) / (10_000_000n * 365n)
    expect(await filled(leader)).toEqual([['bronze', 2n * (share + small)]])
    expect((await rankProgress(db, leader.id, clock.now())).ranks).toEqual([
      { rank: 'bronze', teamStake: coin(100_000), bonus: coin(500), filled: 2n * (share + small) },
    ])
    await change([...ranks])
    await instance.job('team-totals')
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-05] [RW-14] read a line of 10,000 free accounts above one stake once, and give them nothing', async () => {
    const top = await instance.join()
    const found = await sql<{ last: bigint }>`
      with line as (
        insert into member (id, public_id, name, email, phone, password_hash, referral_code, sponsor_id, is_verified, created_at, updated_at)
        overriding system value
        select ${top.id}::bigint + n, 'line-' || n, 'Line', 'line-' || n || '@example.com', '', '-', 'LINE' || n, ${top.id}::bigint + n - 1, true,
          ${clock.now()}, ${clock.now()} from generate_series(1, 10000) n returning id
      ) select max(id) as last from line`.execute(db)
    const last = found.rows[0]?.last ?? 0n
    await sql`select setval(pg_get_serial_sequence('member', 'id'), ${last}::bigint)`.execute(db)
    // The five levels above the staker get rewards, so they have wallets.
    let staker = await createTestMember(db, { sponsorId: last })
    for (let level = 0; level < 5; level += 1) staker = await createTestMember(db, { sponsorId: staker.id })
    // One row per registration and leader would exceed the statement's time limit: 50 million rows.
    expect((await branchTotals(db, [top.id])).get(top.id)?.people).toBe(10_006)
    await instance.job('team-totals')
    const folded = await sql<{ members: number; people: bigint }>`
      select count(*)::int as members, sum(people)::bigint as people from team_total where member_id >= ${top.id}`.execute(db)
    expect(folded.rows).toEqual([{ members: 10_006, people: (10_006n * 10_007n) / 2n }])
    const before = await promised()
    await instance.stake(staker, { amount: coin(10_000_000), apy: 1n, days: 1 })
    await instance.pass(1)
    const leaders = await sql`select from reward_rank_leaders(array[${staker.id}]::bigint[], ${coin(100_000)}::bigint)`.execute(db)
    expect(leaders.rows).toEqual([])
    await instance.mature()
    await instance.job()
    expect([await filled(top), (await promised()) - before]).toEqual([[], 0n])
  })
})
