import { allRoutes } from '@tizara/contract/all-routes'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, type TestMember } from '../../../../test/members.ts'
import { bindRoutes } from '../../../main/routes.ts'
import { createPorts } from '../../../main/ports.ts'

let at: TestApp
let member: TestMember
let support: { token: string; sessionId: bigint; publicId: string; id: bigint }

beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9')) })
  member = await createTestMember(db, { phone: '+2348035550118' })
  const who = await createTestMember(db, { role: 'SUPPORT' })
  support = { ...who, ...(await at.signIn(who.id)) }
})

const viewAs = (who: { token: string } = support, subject: { publicId: string } = member) =>
  at.call('POST', `/staff/members/${subject.publicId}/view-as`, { token: who.token, body: { reason: 'The member asked' } })
const tokenOf = async () => String((await viewAs()).body.data.token)
const pathOf = (path: string) => path.replace(/:(\w+)/g, 'x')

describe("staff view of a member's pages", () => {
  it("shows the member's pages except the phone number, and is recorded for staff", async () => {
    const token = await tokenOf()
    const own = await at.call('GET', '/profile', { token: (await at.signIn(member.id)).token })
    const seen = await at.call('GET', '/profile', { token })
    expect(seen.body.data).toEqual({ ...own.body.data, phone: '+234803•••••18' })
    expect((await at.call('GET', '/user-wallet', { token })).status).toBe(200)
    const { rows } = (await at.call('GET', '/profile/staff-actions', { token: (await at.signIn(member.id)).token })).body.data
    expect(rows[0]).toMatchObject({ text: 'Viewed your pages, without being able to change anything', role: 'Support' })
    expect(JSON.stringify(rows)).not.toContain('The member asked')
  })

  it('[I14] [RO-05] rejects every writing call, and changes nothing', async () => {
    const token = await tokenOf()
    const writing = allRoutes.filter((route) => route.method !== 'GET' && route.access !== 'public' && route.access !== 'link')
    expect(writing.length).toBeGreaterThan(60)
    for (const route of writing) {
      const { status, body } = await at.call(route.method, pathOf(route.path), { token, body: {} })
      expect([route.name, status, body.message]).toEqual([route.name, 400, 'You are viewing this account as staff, read-only'])
    }
  })

  it('reads no staff page, ends no session and renews nothing', async () => {
    const token = await tokenOf()
    for (const route of allRoutes.filter((one) => one.access === 'staff' && one.method === 'GET'))
      expect([route.name, (await at.call('GET', pathOf(route.path), { token })).status]).toEqual([route.name, 404])
    const others = await at.db.selectFrom('session').select('id').where('ended_at', 'is', null).execute()
    expect((await at.call('POST', '/auth/log-out', { token })).status).toBe(200)
    expect((await at.call('POST', '/auth/refresh-token', { token })).status).toBe(401)
    expect(await at.db.selectFrom('session').select('id').where('ended_at', 'is', null).execute()).toEqual(others)
  })

  it('leaves no session, device or link with the member', async () => {
    const { token: own } = await at.signIn(member.id)
    const sessions = async () => (await at.call('GET', '/auth/sessions', { token: own })).body.data.length
    const before = await sessions()
    await viewAs()
    expect(await sessions()).toBe(before)
  })

  it("expires after 10 minutes, and ends with the viewer's session, role or account", async () => {
    const token = await tokenOf()
    at.clock.advance(9 * 60_000)
    expect((await at.call('GET', '/profile', { token })).status).toBe(200)
    at.clock.advance(60_001)
    expect((await at.call('GET', '/profile', { token })).status).toBe(401)
    const again = await createTestMember(at.db, { role: 'FINANCE' })
    const session = await at.signIn(again.id)
    const { token: second } = (await viewAs(session)).body.data
    expect((await at.call('GET', '/profile', { token: second })).status).toBe(200)
    await at.call('POST', '/auth/log-out', { token: session.token })
    expect((await at.call('GET', '/profile', { token: second })).status).toBe(401)
  })

  it("is rejected for staff, for the viewer's own account and for members who cannot sign in", async () => {
    const who = await at.signIn(support.id)
    const admin = await createTestMember(at.db, { role: 'ADMIN' })
    expect((await viewAs(who, admin)).status).toBe(404)
    expect((await viewAs(who, support)).body.message).toMatch(/Another staff member/)
    expect((await viewAs(who, await createTestMember(at.db, { active: false }))).body.message).toBe('Your account is blocked')
    expect((await viewAs(who, await createTestMember(at.db, { verified: false }))).body.message).toBe('Please verify your email')
    const auditor = await createTestMember(at.db, { role: 'AUDITOR' })
    expect((await viewAs(await at.signIn(auditor.id))).status).toBe(404)
  })
})
