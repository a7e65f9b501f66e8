import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { balancesOf, runAudit } from '../../ledger/index.ts'
import { memberChecks, memberRoutes } from './index.ts'
import { activity } from '../../main/activity.ts'

let app: TestApp
beforeAll(async () => {
  const { db } = await testDatabase()
  app = await testApp(db, { routes: (bind) => memberRoutes(bind, { downlineCount: async () => 7, ...activity }) })
})

describe('GET /profile', () => {
  it('[API-55] [EN-09] [EN-10] answers with every field of the signed-in member', async () => {
    const member = await createTestMember(app.db, { name: 'Ada', specialRcm: true, rank: 'Manager' })
    const { token } = await app.signIn(member.id)
    const reply = await app.call('GET', '/profile', { token })
    expect(reply.status).toBe(200)
    expect(reply.body.data).toMatchObject({
      id: member.publicId,
      name: 'Ada',
      email: member.email,
      phone: '+12025550143',
      status: true,
      isVerified: true,
      isActive: false,
      profileImage: null,
      rank: 'Manager',
      isSpecialRcm: true,
      myReferralCode: member.referralCode,
      referralCount: 7,
    })
    expect(reply.text).not.toMatch(/argon2/)
  })

  it('[RO-16] [RO-08] answers a blocked member with status false', async () => {
    const member = await createTestMember(app.db, { active: false })
    const { token } = await app.signIn(member.id)
    expect(await app.call('GET', '/profile', { token })).toMatchObject({ status: 200, body: { data: { status: false, isActive: false } } })
    expect((await app.call('GET', '/profile/my-team', { token })).status).toBe(401)
  })

  it('[RO-16] [RO-07] answers an unverified member, who cannot call other routes', async () => {
    const member = await createTestMember(app.db, { verified: false })
    const { token } = await app.signIn(member.id)
    expect((await app.call('GET', '/profile', { token })).body.data).toMatchObject({ isVerified: false, live: false })
    expect(await app.call('GET', '/profile/my-team', { token })).toMatchObject({
      status: 400,
      body: { message: 'Please verify your email' },
    })
  })

  it('[API-15] rejects a call without a token', async () => {
    expect((await app.call('GET', '/profile')).status).toBe(401)
  })
})

describe('GET /profile/my-team', () => {
  it('[API-56] [EN-20] lists the direct referrals only, newest first, with a total', async () => {
    const sponsor = await createTestMember(app.db)
    const direct = []
    for (let index = 0; index < 5; index += 1)
      direct.push(await createTestMember(app.db, { sponsorId: sponsor.id, name: `Direct ${index}` }))
    await createTestMember(app.db, { sponsorId: direct[0]?.id ?? 0n, name: 'Indirect' })
    const { token } = await app.signIn(sponsor.id)
    const first = await app.call('GET', '/profile/my-team?page=1&limit=2', { token })
    expect(first.body.data.meta).toEqual({ total: 5, page: 1, limit: 2 })
    expect(first.body.data.data.map((row: { name: string }) => row.name)).toEqual(['Direct 4', 'Direct 3'])
    expect(first.body.data.data[0]).toEqual({
      id: direct[4]?.publicId,
      name: 'Direct 4',
      email: direct[4]?.email,
      myReferralCode: direct[4]?.referralCode,
      updatedAt: '2026-01-05T08:00:00.000Z',
    })
    const last = await app.call('GET', '/profile/my-team?page=3&limit=2', { token })
    expect(last.body.data.data.map((row: { name: string }) => row.name)).toEqual(['Direct 0'])
    const all = await app.call('GET', '/profile/my-team', { token })
    expect(all.body.data.data).toHaveLength(5)
    const ranged = await app.call('GET', '/profile/my-team?from=2026-01-06', { token })
    expect(ranged.body.data).toMatchObject({ data: [], meta: { total: 0 } })
  })
})

describe('join date', () => {
  it('[LS-11] [LS-12] stays the day of registration, whatever changes later', async () => {
    const sponsor = await createTestMember(app.db)
    const direct = await createTestMember(app.db, { sponsorId: sponsor.id })
    await app.db
      .updateTable('member')
      .set({ updated_at: new Date('2027-05-05T00:00:00.000Z') })
      .where('id', '=', direct.id)
      .execute()
    const { token } = await app.signIn(sponsor.id)
    const { body } = await app.call('GET', '/profile/my-team', { token })
    expect(body.data.data[0].updatedAt).toBe('2026-01-05T08:00:00.000Z')
  })
})

describe('test funds', () => {
  it('credit USD and coin through the ledger', async () => {
    const member = await createTestMember(app.db)
    await fund(app.db, member.id, 'depositWallet', 5_00000000n)
    await fund(app.db, member.id, 'nativeWallet', 7_00000000n)
    expect(await balancesOf(app.db, member.id)).toMatchObject({ depositWallet: 5_00000000n, nativeWallet: 7_00000000n, icoWallet: 0n })
  })
})

describe('sponsor', () => {
  it('[I11] is fixed at registration', async () => {
    const sponsor = await createTestMember(app.db)
    const member = await createTestMember(app.db)
    const change = app.db.updateTable('member').set({ sponsor_id: sponsor.id }).where('id', '=', member.id).execute()
    await expect(change).rejects.toThrow('a sponsor is fixed at registration')
  })
})

describe('referral graph', () => {
  it('[I11] is reported by the audit when a counter of direct referrals is wrong', async () => {
    const { db } = await testDatabase()
    const broken = async () => (await runAudit(db, memberChecks)).filter((result) => result.broken > 0).map(({ check }) => check.invariant)
    const sponsor = await createTestMember(db)
    await createTestMember(db, { sponsorId: sponsor.id })
    expect(await broken()).toEqual([])
    await db.updateTable('member_referrals').set({ direct_count: 2 }).execute()
    expect(await broken()).toEqual(['I11'])
  })
})
