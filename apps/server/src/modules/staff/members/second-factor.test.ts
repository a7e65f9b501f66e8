import { TOTP } from 'otpauth'
import { allRoutes } from '@tizara/contract/all-routes'
import { errorCatalogue } from '@tizara/contract'
import { describe, expect, it } from 'vitest'
import { type AuthTestApp, authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD, type TestMember } from '../../../../test/members.ts'
import { wellInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { approveProposal } from '../proposals/decide-proposal.ts'
import { staffRoutes } from '../index.ts'
import { proposeSecondFactorReset } from './reset-second-factor.ts'

const REFUSED = { status: 400, body: { success: false, message: errorCatalogue.STAFF_SECOND_FACTOR.message } }

describe('required second factor of staff', async () => {
  const app: AuthTestApp = await authTestApp({ STAFF_SECOND_FACTOR: 'required' }, (bind) => staffRoutes(bind, wellInstance))
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() })
  const signIn = async (who: TestMember, otp?: string) => {
    const reply = await app.call('POST', '/auth/login', { body: { email: who.email, password: TEST_PASSWORD, otp } })
    expect(reply.status).toBe(200)
    return String(reply.body.data.token)
  }
  const overview = (token: string) => app.call('GET', '/staff/overview', { token })
  /** Enrols an authenticator app and returns its secret. */
  const enrol = async (token: string) => {
    const begun = await app.call('POST', '/auth/totp/begin', { token, body: { password: TEST_PASSWORD } })
    const secret = String(begun.body.data.secret)
    expect((await app.call('POST', '/auth/totp/confirm', { token, body: { otp: codeOf(secret) } })).status).toBe(200)
    app.clock.advance(30_000)
    return secret
  }
  const admin = async () => {
    const who = await createTestMember(app.db, { role: 'ADMIN' })
    const secret = await enrol(await signIn(who))
    return { ...who, secret, actor: { memberId: who.id, role: 'ADMIN' as const } }
  }
  const reset = (maker: { actor: { memberId: bigint; role: 'ADMIN' } }, who: { publicId: string }) =>
    inTransaction(app.db, (tx) => proposeSecondFactorReset(tx, app.deps, maker.actor, { id: who.publicId, reason: 'seen in person' }))
  const approve = (checker: { actor: { memberId: bigint; role: 'ADMIN' } }, id: string) =>
    inTransaction(app.db, (tx) => approveProposal(tx, app.deps, checker.actor, { id }))

  it.each(['SUPPORT', 'ADMIN'] as const)('[T11] no staff call of %s succeeds without it', async (role) => {
    const who = await createTestMember(app.db, { role })
    const { token } = await app.signIn(who.id)
    for (const route of allRoutes.filter((candidate) => candidate.access === 'staff')) {
      const path = route.path.replace(/:(\w+)/g, 'x')
      const reply = await app.call(route.method, path, { token, ...(route.method === 'GET' ? {} : { body: {} }) })
      expect(reply, route.name).toMatchObject(REFUSED)
    }
    // Calls needed for enrolment still work. Members see no staff routes.
    expect((await app.call('GET', '/profile', { token })).body.data).toMatchObject({ isStaff: true, secondFactor: false })
    const member = await createTestMember(app.db)
    expect((await overview((await app.signIn(member.id)).token)).status).toBe(404)
  })

  it('[T11] allows the session that enabled it, and later ones that used it', async () => {
    const who = await createTestMember(app.db, { role: 'ADMIN' })
    const first = await signIn(who)
    expect(await overview(first)).toMatchObject(REFUSED)
    const secret = await enrol(first)
    expect((await overview(first)).status).toBe(200)
    expect((await overview(await signIn(who, codeOf(secret)))).status).toBe(200)
  })

  it('rejects a session that was opened without it', async () => {
    const who = await admin()
    const { token } = await app.signIn(who.id)
    expect(await overview(token)).toMatchObject(REFUSED)
  })

  it('rejects again after it is disabled', async () => {
    const who = await createTestMember(app.db, { role: 'SUPPORT' })
    const token = await signIn(who)
    const secret = await enrol(token)
    const off = await app.call('POST', '/auth/totp/disable', { token, body: { password: TEST_PASSWORD, otp: codeOf(secret) } })
    expect(off.status).toBe(200)
    expect(await overview(token)).toMatchObject(REFUSED)
  })

  it('[ASVS 6.4.4] is removed by two other admins when lost, and then required again', async () => {
    const [lost, maker, checker] = [await admin(), await admin(), await admin()]
    const before = await signIn(lost, codeOf(lost.secret))
    const id = await reset(maker, lost)
    await expect(approve(maker, id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    await expect(approve(lost, id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    expect((await overview(before)).status).toBe(200)
    await approve(checker, id)
    expect((await overview(before)).status).toBe(401)
    const after = await signIn(lost)
    expect(await overview(after)).toMatchObject(REFUSED)
    await enrol(after)
    expect((await overview(after)).status).toBe(200)
    await app.runJobs()
    expect(app.mails.to(lost.email).map((mail) => mail.subject)).toContain('Tizara: authenticator app switched off')
    const audit = await app.db.selectFrom('audit_event').select(['action', 'actor_id']).where('subject_id', '=', id).orderBy('id').execute()
    expect(audit).toEqual([
      { action: 'staff.change.propose', actor_id: maker.id },
      { action: 'staff.change.approve', actor_id: checker.id },
    ])
  })

  it("is not reset for the proposer's own account, by support, or for an account without one", async () => {
    const maker = await admin()
    const plain = await createTestMember(app.db)
    const support = await createTestMember(app.db, { role: 'SUPPORT' })
    await expect(reset(maker, maker)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    await expect(reset(maker, plain)).rejects.toMatchObject({ code: 'SECOND_FACTOR_OFF' })
    await expect(reset(maker, { publicId: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const bySupport = { actor: { memberId: support.id, role: 'ADMIN' as const } }
    await expect(reset(bySupport, maker)).rejects.toMatchObject({ code: 'STAFF_ONLY' })
  })
})
