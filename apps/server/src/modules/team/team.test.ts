import { ONE } from '@tizara/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchParameters } from '../../../../../test/search.ts'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, type TestMember } from '../../../test/members.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { creditedDeposits } from '../deposits/index.ts'
import { memberByPublicId } from '../members/index.ts'
import { newestStakes } from '../staking/index.ts'
import {
  branchTotals,
  downlineCount,
  downlineStake,
  applyPendingTeamVolume,
  isWithinTeam,
  monthTotals,
  recordTeamVolume,
  teamRoutes,
  uplinesOf,
} from './index.ts'
import { activity } from '../../main/activity.ts'

describe('team', async () => {
  const database = await testDatabase()
  const { db } = database
  const instance = await testApp(db, { routes: (bind) => teamRoutes(bind, { newestStakes, creditedDeposits, ...activity }) })
  const fold = () => inTransaction(db, (tx) => applyPendingTeamVolume(tx, 1000, 1n))
  const stake = (member: TestMember, amount: bigint, at = instance.clock.now()) =>
    inTransaction(db, (tx) => recordTeamVolume(tx, [{ memberId: member.id, at, stake: amount, running: amount }]))

  it('[I11] returns ancestry, counts and volume of random forests as a parent-to-parent walk does, aggregated or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ sponsor: fc.option(fc.nat(40), { freq: 8 }), stake: fc.nat(50), foldNow: fc.boolean() }), {
          minLength: 2,
          maxLength: 25,
        }),
        async (people) => {
          const members: TestMember[] = []
          const parents: (number | null)[] = []
          const stakes: bigint[] = []
          for (const person of people) {
            const parent = person.sponsor === null || members.length === 0 ? null : person.sponsor % members.length
            const sponsor = parent === null ? undefined : members[parent]
            const member = await createTestMember(db, sponsor === undefined ? {} : { sponsorId: sponsor.id })
            members.push(member)
            parents.push(parent)
            stakes.push(BigInt(person.stake))
            if (person.stake > 0) await stake(member, BigInt(person.stake))
            if (person.foldNow) await fold()
          }
          const isBelow = (low: number, top: number) => {
            let at = parents[low] ?? null
            while (at !== null && at !== top) at = parents[at] ?? null
            return at === top
          }
          for (const [top, leader] of members.entries()) {
            const below = members
              .keys()
              .filter((index) => isBelow(index, top))
              .toArray()
            expect(await downlineCount(db, leader.id)).toBe(below.length)
            const totalStake = below.reduce((sum, index) => sum + (stakes[index] ?? 0n), 0n)
            expect(await downlineStake(db, leader.id)).toEqual({ totalStake, runningStake: totalStake })
            for (const [low, person] of members.entries()) {
              expect(await isWithinTeam(db, leader.id, person.id)).toBe(low === top || isBelow(low, top))
            }
          }
        },
      ),
      { ...searchParameters('teams', { short: 10, long: 60, seed: 7 }), endOnFailure: true },
    )
  })

  it('[I11] adds up a deep tree of many registrations as a walk over all pairs does, pending, partly aggregated and aggregated', async () => {
    const top = await createTestMember(db)
    // Lines of up to 400 levels that start at different depths and meet again above: each level has up to three members.
    await sql`
      insert into member (id, public_id, name, email, phone, password_hash, referral_code, sponsor_id, is_verified, created_at, updated_at)
      overriding system value
      select ${top.id}::bigint + n, 'deep-' || n, 'Deep', 'deep-' || n || '@example.com', '', '-', 'DEEP' || n,
        ${top.id}::bigint + greatest(0, n - 1 - (n * 7 + n / 5) % 3), true, '2026-01-01', '2026-01-01' from generate_series(1, 900) n`.execute(
      db,
    )
    await sql`select setval(pg_get_serial_sequence('member', 'id'), ${top.id + 900n}::bigint)`.execute(db)
    const walked = await sql<{ id: bigint; people: bigint }>`
      with recursive above as (
        select member_id, sponsor_id from team_member where member_id > ${top.id} and sponsor_id is not null
        union all
        select above.member_id, t.sponsor_id from above join team_member t on t.member_id = above.sponsor_id where t.sponsor_id is not null
      ) select sponsor_id as id, count(*) as people from above group by 1`.execute(db)
    const depth = await sql<{ depth: number }>`select max(depth) as depth from team_member where member_id > ${top.id}`.execute(db)
    expect(depth.rows[0]?.depth).toBeGreaterThan(300)
    const expected = new Map(walked.rows.map(({ id, people }) => [id, Number(people)]))
    const ids = [...expected.keys()]
    const people = async () => new Map((await branchTotals(db, ids)).values().map((branch) => [branch.memberId, branch.people]))
    expect(await people()).toEqual(expected)
    const deepest = ids.reduce((one, other) => (one > other ? one : other))
    expect((await branchTotals(db, [deepest])).get(deepest)?.people).toBe(expected.get(deepest))
    await inTransaction(db, (tx) => applyPendingTeamVolume(tx, 400, 1n))
    expect(await people()).toEqual(expected)
    await fold()
    expect(await people()).toEqual(expected)
  })

  it('[I11] rejects an entry without a sponsor, a second entry and a moved entry', async () => {
    const sponsor = await createTestMember(db)
    const member = await createTestMember(db, { sponsorId: sponsor.id })
    await expect(sql`update team_member set sponsor_id = null, depth = 0 where member_id = ${member.id}`.execute(db)).rejects.toThrow(
      /fixed/,
    )
    await expect(sql`insert into team_member values (${member.id}, null, 0, ${member.id}, 0)`.execute(db)).rejects.toThrow(/duplicate/)
    await expect(sql`select team_place(${member.id + 1_000_000n}, ${member.id})`.execute(db)).rejects.toThrow(/foreign key/)
    expect((await uplinesOf(db, [member.id], 5))(member.id).map((one) => one.memberId)).toEqual([sponsor.id])
  })

  it('[API-88] [EN-50] [UI-RCM-01] [UI-RCM-02] [UI-RCM-03] sums stakes and NFTs by UTC month', async () => {
    const leader = await createTestMember(db, { specialRcm: true })
    const below = await createTestMember(db, { sponsorId: leader.id })
    const deeper = await createTestMember(db, { sponsorId: below.id })
    await stake(deeper, 5n * ONE, new Date('2026-01-31T23:59:59Z'))
    await stake(deeper, 7n * ONE, new Date('2026-02-01T00:00:00Z'))
    await stake(below, 11n * ONE, new Date('2026-02-28T23:59:59Z'))
    await fold()
    await stake(below, 13n * ONE, new Date('2026-03-01T00:00:00Z'))
    await inTransaction(db, (tx) => recordTeamVolume(tx, [{ memberId: deeper.id, at: new Date('2026-02-10T00:00:00Z'), nft: 3n * ONE }]))
    await stake(leader, 100n * ONE, new Date('2026-03-01T00:00:00Z'))
    const expected = {
      lastMonthStakeSumTotal: 18n * ONE,
      currentMonthStakeSumTotal: 13n * ONE,
      lastMonthNFTSum: 3n * ONE,
      currentMonthNFTSum: 0n,
    }
    expect(await monthTotals(db, leader.id, new Date('2026-03-02T09:00:00Z'))).toEqual(expected)
    await fold()
    expect(await monthTotals(db, leader.id, new Date('2026-03-02T09:00:00Z'))).toEqual(expected)
    const { token } = await instance.signIn(leader.id)
    const reply = await instance.call('GET', '/special-rcm/get-total-team-stake', { token })
    expect(reply.body.data).toEqual({
      lastMonthStakeSumTotal: 18,
      currentMonthStakeSumTotal: 13,
      lastMonthNFTSum: 3,
      currentMonthNFTSum: 0,
    })
  })

  describe('team over HTTP', () => {
    let root: TestMember
    let child: TestMember
    let grandchild: TestMember
    let stranger: TestMember
    let token = ''
    beforeAll(async () => {
      root = await createTestMember(db, { name: 'Root Person' })
      child = await createTestMember(db, { sponsorId: root.id, name: 'Child Person', rank: 'gold' })
      const second = await createTestMember(db, { sponsorId: root.id, name: 'Second Child' })
      grandchild = await createTestMember(db, { sponsorId: child.id, name: 'Grand Child' })
      const level3 = await createTestMember(db, { sponsorId: grandchild.id })
      await createTestMember(db, { sponsorId: level3.id, name: 'Deep Person' })
      stranger = await createTestMember(db, { name: 'Deep Stranger' })
      await stake(grandchild, 25n * ONE)
      await stake(second, 4n * ONE)
      token = (await instance.signIn(root.id)).token
    })

    it('[API-82] [EN-47] [EN-48] [UI-TEAM-03] [UI-TEAM-05] returns three levels with counts and volume', async () => {
      const { body } = await instance.call('GET', '/test', { token })
      const tree = body.data
      expect(tree).toMatchObject({
        id: root.publicId,
        name: 'Root Person',
        myReferralCode: root.referralCode,
        referralCode: null,
        childCount: 2,
        teamStake: 29,
      })
      expect(tree.children.map((one: { name: string }) => one.name)).toEqual(['Second Child', 'Child Person'])
      expect(tree.children[1]).toMatchObject({
        rank: 'gold',
        referralCode: root.referralCode,
        email: child.email,
        childCount: 1,
        teamStake: 25,
      })
      const level3 = tree.children[1].children[0].children[0]
      expect(level3).toMatchObject({ childCount: 1, children: [] })
    })

    it("[API-83] opens a branch of the member's downline, and of no other", async () => {
      const branch = await instance.call('GET', `/test?root=${child.publicId}`, { token })
      expect(branch.body.data.children[0].children[0].children[0].name).toBe('Deep Person')
      expect((await instance.call('GET', `/test?root=${stranger.publicId}`, { token })).status).toBe(404)
      const childToken = (await instance.signIn(child.id)).token
      expect((await instance.call('GET', `/test?root=${root.publicId}`, { token: childToken })).status).toBe(404)
      expect((await instance.call('GET', '/test?root=nobody', { token })).status).toBe(404)
    })

    /** Creates a member with many direct referrals; later ones have greater numbers in their names. */
    async function wideTeam(
      name: string,
      count: number,
    ): Promise<{ leader: TestMember; token: string; join: (from: number, to: number) => Promise<unknown> }> {
      const leader = await createTestMember(db)
      const join = (from: number, to: number) =>
        sql`insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, sponsor_id, created_at, updated_at)
          select ${name}::text || '-' || n, ${name}::text || ' ' || n, ${name}::text || n || '@gmail.com', '+1', 'x', true, upper(${name}::text) || n,
            ${leader.id}, '2026-01-01', '2026-01-01' from generate_series(${from}::int, ${to}::int) n`.execute(db)
      await join(1, count)
      return { leader, token: (await instance.signIn(leader.id)).token, join }
    }
    interface Person {
      id: string
      childCount: number
      children: Person[]
    }
    const idsOf = (tree: Person): string[] => tree.children.map((one) => one.id)
    const everybodyIn = (tree: Person): number => tree.children.reduce((sum, one) => sum + everybodyIn(one), 1)

    it('[API-83] returns at most 100 people per answer, however wide the team is', async () => {
      const wide = await wideTeam('wide', 700)
      const reply = await instance.call('GET', '/test', { token: wide.token })
      expect(reply.body.data.childCount).toBe(700)
      expect(reply.body.data.children.length).toBe(99)
    })

    it('[API-83] pages 250 direct referrals in three answers without gaps or repeats while others join', async () => {
      const { leader, token: own, join } = await wideTeam('many', 250)
      await createTestMember(db, { sponsorId: (await memberByPublicId(db, 'many-3'))?.id ?? 0n, name: 'Below The Third' })
      const all = Array.from({ length: 250 }, (_, index) => `many-${250 - index}`)
      const first = (await instance.call('GET', '/test', { token: own })).body.data
      await join(251, 251)
      const second = (await instance.call('GET', `/test?root=${leader.publicId}&after=${idsOf(first).at(-1)}`, { token: own })).body.data
      await join(252, 260)
      // Without `root`, it is the caller's own team.
      const third = (await instance.call('GET', `/test?after=${idsOf(second).at(-1)}`, { token: own })).body.data
      expect([first, second, third].map((tree) => [tree.id, tree.childCount, tree.children.length])).toEqual([
        [leader.publicId, 250, 99],
        [leader.publicId, 251, 99],
        [leader.publicId, 260, 52],
      ])
      expect([first, second, third].flatMap(idsOf)).toEqual(all)
      expect([first, second, third].map(everybodyIn)).toEqual([100, 100, 54])
      expect(third.children.at(-3).children[0].name).toBe('Below The Third')
      const end = await instance.call('GET', '/test?after=many-1', { token: own })
      expect(end.body.data).toMatchObject({ id: leader.publicId, childCount: 260, children: [] })
    })

    it('[API-83] continues a branch only after one of its own direct referrals', async () => {
      const after = (id: string, of: string) => instance.call('GET', `/test?root=${of}&after=${id}`, { token })
      expect((await after(grandchild.publicId, child.publicId)).body.data.children).toEqual([])
      // Two levels below, the root itself, a member of another team, a stranger's referral, and an unknown id.
      const foreign = await createTestMember(db, { sponsorId: stranger.id })
      for (const wrong of [grandchild.publicId, root.publicId, stranger.publicId, foreign.publicId, 'nobody']) {
        expect((await after(wrong, root.publicId)).status, wrong).toBe(404)
      }
      expect((await after(foreign.publicId, stranger.publicId)).status).toBe(404)
      expect((await after('not%20an%20id', root.publicId)).status).toBe(400)
    })

    it('[API-84] [API-85] [UI-TEAM-01] sums the stakes of the whole downline without the member', async () => {
      await stake(root, 1000n * ONE)
      expect((await instance.call('GET', '/stake-logs/count-my-downline-stake', { token })).body.data).toEqual({
        totalStake: 29,
        runningStake: 29,
      })
    })

    it("finds only people of the member's downline, with the path to them", async () => {
      const deep = await instance.call('GET', '/team/search?q=deep', { token })
      expect(deep.body.data.data).toHaveLength(1)
      expect(deep.body.data.data[0]).toMatchObject({ name: 'Deep Person', level: 4 })
      expect(deep.body.data.data[0].path.map((one: { name: string }) => one.name)).toEqual([
        'Child Person',
        'Grand Child',
        expect.any(String),
        'Deep Person',
      ])
      expect((await instance.call('GET', '/team/search?q=%25%25', { token })).body.data.data).toEqual([])
    })

    it('[API-86] [API-87] [UI-RCM-11] lists direct referrals with credited deposits for special members, and nothing for others', async () => {
      const special = await createTestMember(db, { specialRcm: true })
      const older = await createTestMember(db, { sponsorId: special.id })
      const newer = await createTestMember(db, { sponsorId: special.id })
      await createTestMember(db, { sponsorId: newer.id })
      await sql`insert into deposit (public_id, member_id, method, description, amount, credited, usd_amount, status, created_at)
        values ('rcm-1', ${older.id}, 'hosted', 'USDT', 500000000, 500000000, 500000000, 'APPROVE', '2026-02-03'),
          ('rcm-2', ${older.id}, 'hosted', 'USDT', 900000000, 0, 900000000, 'PENDING', '2026-02-04')`.execute(db)
      await sql`insert into deposit (public_id, member_id, method, description, amount, credited, usd_amount, status, created_at, address, expires_at,
          watched_until, state)
        values ('rcm-3', ${older.id}, 'chain', 'TIZARA', 100000000000, 100000000000, 800000000, 'APPROVE', '2026-02-05', 'rcm', '2026-02-05',
          '2026-02-05', 'settled')`.execute(db)
      const reply = await instance.call('GET', '/special-rcm/last-refferer', { token: (await instance.signIn(special.id)).token })
      expect(reply.body.data.data.map((one: { email: string }) => one.email)).toEqual([newer.email, older.email])
      expect(reply.body.data.data[1].payment).toEqual([{ id: 'rcm-1', payAmountNum: 5, createdAt: '2026-02-03T00:00:00.000Z' }])
      // 1,000 coin at 0.008 USD: the deposit request's amount, next to amounts in USD.
      expect(reply.body.data.data[1].deposit).toEqual([{ id: 'rcm-3', amount: 8, createdAt: '2026-02-05T00:00:00.000Z' }])
      const plain = await instance.call('GET', '/special-rcm/last-refferer', { token })
      expect(plain.body.data).toEqual({ data: [], meta: { total: 0, page: 1, limit: 1000 } })
      const totals = await instance.call('GET', '/special-rcm/get-total-team-stake', { token })
      expect(totals.body.data.currentMonthStakeSumTotal).toBe(0)
    })
  })
})
