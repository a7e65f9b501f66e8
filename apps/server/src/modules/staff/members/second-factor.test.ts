import { TOTP } from 'otpauth'
import { allRoutes } from '@tizara/contract/all-routes'
import { errorCatalogue } from '@tizara/contract'
import { RECOVERY_DAYS } from '@tizara/contract/limits'
import { describe, expect, it } from 'vitest'
import { type AuthTestApp, authTestApp } from '../../../../test/auth-app.ts'
import { addAuthenticator, createTestMember, TEST_PASSWORD, type TestMember } from '../../../../test/members.ts'
import { rejectionsOf } from '../../../../test/rejections.ts'
import { wellInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { revokeAllAccess } from '../../auth/index.ts'
import { approveProposal } from '../proposals/decide-proposal.ts'
import { staffRoutes } from '../index.ts'
import { cancelAccountRecovery, proposeAccountRecovery } from './account-recovery.ts'

const WAIT_MS = RECOVERY_DAYS * DAY_MS
const REFUSED = { status: 400, body: { success: false, message: errorCatalogue.STAFF_SECOND_FACTOR.message } }

/** Status, verified session and last audit entry of a sign-in at the moment of a reset that is completed. */
const REJECTED_SIGN_IN = [400, undefined, 'auth.account-recovered']
const UNVERIFIED_SIGN_IN = [200, false, 'auth.account-recovered']

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
    const enrollment = await app.call('POST', '/auth/totp/begin', { token, body: { password: TEST_PASSWORD } })
    const secret = String(enrollment.body.data.secret)
    expect((await app.call('POST', '/auth/totp/confirm', { token, body: { otp: codeOf(secret) } })).status).toBe(200)
    app.clock.advance(30_000)
    return secret
  }
  const admin = async () => {
    const who = await createTestMember(app.db, { role: 'ADMIN' })
    const { base32: secret } = (await addAuthenticator(app.db, app.deps, who.id)).secret
    return { ...who, secret, actor: { memberId: who.id, role: 'ADMIN' as const } }
  }
  const reset = (maker: { actor: { memberId: bigint; role: 'ADMIN' } }, who: { publicId: string }) =>
    inTransaction(app.db, (tx) =>
      proposeAccountRecovery(tx, app.deps, maker.actor, { id: who.publicId, secondFactor: true, reason: 'seen in person' }),
    )
  const approve = (checker: { actor: { memberId: bigint; role: 'ADMIN' } }, id: string) =>
    inTransaction(app.db, (tx) => approveProposal(tx, app.deps, checker.actor, { id }))

  const factorOf = async ({ id }: TestMember) =>
    (await app.db.selectFrom('member').select('second_factor').where('id', '=', id).executeTakeFirstOrThrow()).second_factor
  const pendingOf = async ({ id }: TestMember) =>
    (await app.db.selectFrom('account_recovery').select('completes_at').where('member_id', '=', id).executeTakeFirst())?.completes_at
  /** Audit entries about resets of a member's second factor, oldest first. */
  const actionsOn = async ({ publicId }: TestMember) => {
    const found = app.db.selectFrom('audit_event').select('action').where('subject_id', '=', publicId)
    const actions = (await found.orderBy('id').execute()).map(({ action }) => action)
    return actions.filter((action) => /recover/.test(action))
  }

  it.each(['SUPPORT', 'ADMIN'] as const)('no staff call of %s succeeds without it', async (role) => {
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

  it('allows the session that enabled it, and later ones that used it', async () => {
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

  it('[ASVS 6.4.4] is removed seven days after two other admins reset it, and payouts are frozen for as long again', async () => {
    const [lost, maker, checker] = [await admin(), await admin(), await admin()]
    const before = await signIn(lost, codeOf(lost.secret))
    const id = await reset(maker, lost)
    await expect(approve(maker, id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    await expect(approve(lost, id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    expect((await overview(before)).status).toBe(200)
    await approve(checker, id)
    // The app still works during the waiting period. A sign-in with it would cancel the reset.
    expect((await overview(before)).status).toBe(200)
    await app.runJobs()
    app.clock.advance(WAIT_MS - 1)
    await app.runJobs()
    expect(await factorOf(lost)).toBe(true)
    app.clock.advance(1)
    await app.runJobs()
    const frozenUntil = new Date(app.clock.now().getTime() + WAIT_MS)
    expect((await overview(before)).status).toBe(401)
    // The password alone opens no session that can act.
    const login = await app.call('POST', '/auth/login', { body: { email: lost.email, password: TEST_PASSWORD } })
    expect(login.body.data.user.isVerified).toBe(false)
    const token = String(login.body.data.token)
    expect((await app.call('GET', '/auth/sessions', { token })).status).not.toBe(200)
    expect((await app.call('POST', '/limit/auth/resend-otp', { token })).status).toBe(200)
    await app.runJobs()
    const code = app.mails.codeFor(lost.email)
    const verified = await app.call('POST', '/limit/auth/verify-token', { token, body: { token: code } })
    const after = String(verified.body.data.token)
    expect(await overview(after)).toMatchObject(REFUSED)
    await enrol(after)
    expect((await overview(after)).status).toBe(200)
    const subjects = app.mails.to(lost.email).map((mail) => mail.subject)
    for (const title of [
      'your authenticator app will be removed',
      'your authenticator app will be removed soon',
      'authenticator app switched off',
    ])
      expect(subjects.filter((subject) => subject === `Tizara: ${title}`)).toHaveLength(1)
    const held = await app.db
      .selectFrom('member')
      .select(['payouts_frozen_until', 'payouts_frozen_for'])
      .where('id', '=', lost.id)
      .executeTakeFirst()
    expect(held).toEqual({ payouts_frozen_until: frozenUntil, payouts_frozen_for: 'second-factor' })
    const proposal = await app.db
      .selectFrom('audit_event')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
    expect(proposal).toEqual([
      { action: 'staff.change.propose', actor_id: maker.id },
      { action: 'staff.change.approve', actor_id: checker.id },
    ])
    expect(await actionsOn(lost)).toEqual(['staff.member.start-recovery', 'auth.account-recovered'])
  })

  it('keeps the second factor when its owner signs in with it, also after the reminder, and tells earlier addresses', async () => {
    const [owner, maker, checker] = [await admin(), await admin(), await admin()]
    const now = app.clock.now()
    await app.db
      .insertInto('email_change')
      .values({
        member_id: owner.id,
        email: owner.email,
        previous_email: 'earlier@gmail.com',
        stop_digest: 'x',
        created_at: now,
        expires_at: now,
        stoppable_until: now,
        confirmed_at: now,
      })
      .execute()
    await approve(checker, await reset(maker, owner))
    await app.runJobs()
    app.clock.advance(WAIT_MS - 1000)
    await app.runJobs()
    expect(app.mails.to('earlier@gmail.com').map((mail) => mail.subject)).toContain('Tizara: your authenticator app will be removed')
    // A wrong password or code cancels nothing.
    await app.call('POST', '/auth/login', { body: { email: owner.email, password: 'wrong-harbour-93', otp: codeOf(owner.secret) } })
    await app.call('POST', '/auth/login', { body: { email: owner.email, password: TEST_PASSWORD, otp: '000000' } })
    expect(await pendingOf(owner)).toBeDefined()
    await signIn(owner, codeOf(owner.secret))
    expect(await pendingOf(owner)).toBeUndefined()
    await app.runJobs()
    app.clock.advance(2 * WAIT_MS)
    await app.runJobs()
    expect(await factorOf(owner)).toBe(true)
    expect(await actionsOn(owner)).toEqual(['staff.member.start-recovery', 'auth.cancel-recovery'])
    expect(app.mails.to(owner.email).map((mail) => mail.subject)).toContain('Tizara: the recovery of your account was cancelled')
  })

  it('cannot be pending twice: a second proposal neither shortens nor extends the waiting period', async () => {
    const [owner, maker, checker] = [await admin(), await admin(), await admin()]
    const [first, second] = [await reset(maker, owner), await reset(maker, owner)]
    await approve(checker, first)
    const pending = await pendingOf(owner)
    app.clock.advance(1000)
    const { token } = await app.signIn(checker.id)
    await app.db.updateTable('session').set({ second_factor_at: app.clock.now() }).where('member_id', '=', checker.id).execute()
    expect((await app.call('POST', `/staff/changes/${second}/approve`, { token, body: {} })).body.message).toBe(
      errorCatalogue.ALREADY_DECIDED.message,
    )
    expect(await rejectionsOf(app.db, checker)).toEqual(['staff.change.approve ALREADY_DECIDED'])
    await expect(reset(maker, owner)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    expect(await pendingOf(owner)).toEqual(pending)
  })

  it('is either done or cancelled when the owner signs in at the moment of the reset', async () => {
    const [maker, checker] = [await admin(), await admin()]
    for (let turn = 0; turn < 3; turn += 1) {
      const owner = await admin()
      await approve(checker, await reset(maker, owner))
      app.clock.advance(WAIT_MS)
      const body = { email: owner.email, password: TEST_PASSWORD, otp: codeOf(owner.secret) }
      const [login] = await Promise.all([app.call('POST', '/auth/login', { body }), app.runJobs()])
      const outcome = [login.status, login.body.data?.user.isVerified, (await actionsOn(owner)).at(-1)]
      if (await factorOf(owner)) expect(outcome).toEqual([200, true, 'auth.cancel-recovery'])
      // A sign-in that starts after the reset needs the mailed code; one that started before it is refused.
      else expect([REJECTED_SIGN_IN, UNVERIFIED_SIGN_IN]).toContainEqual(outcome)
    }
  })

  it('starts once when two proposals are approved at once', async () => {
    const [owner, maker, checker] = [await admin(), await admin(), await admin()]
    const ids = [await reset(maker, owner), await reset(maker, owner)]
    const results = await Promise.allSettled(ids.map((id) => approve(checker, id)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await actionsOn(owner)).toEqual(['staff.member.start-recovery'])
  })

  it('is cancelled by one staff member, by a block, and when a restore revokes all access', async () => {
    const [maker, checker] = [await admin(), await admin()]
    const support = await createTestMember(app.db, { role: 'SUPPORT' })
    const owners = [await admin(), await admin(), await admin()] as const
    for (const owner of owners) await approve(checker, await reset(maker, owner))
    const cancel = (who: TestMember) =>
      inTransaction(app.db, (tx) =>
        cancelAccountRecovery(tx, app.deps, { memberId: support.id, role: 'SUPPORT' }, { id: who.publicId, reason: 'called' }),
      )
    await cancel(owners[0])
    await expect(cancel(owners[0])).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    await app.db.updateTable('member').set({ is_active: false }).where('id', '=', owners[1].id).execute()
    app.clock.advance(WAIT_MS)
    await inTransaction(app.db, (tx) => revokeAllAccess(tx, app.clock.now()))
    expect(await pendingOf(owners[2])).toBeUndefined()
    await app.db
      .insertInto('account_recovery')
      .values({ member_id: owners[1].id, second_factor: true, completes_at: app.clock.now() })
      .execute()
    await app.runJobs()
    for (const owner of owners) expect(await factorOf(owner)).toBe(true)
    expect(await actionsOn(owners[0])).toEqual(['staff.member.start-recovery', 'staff.member.cancel-recovery'])
    expect(await actionsOn(owners[1])).toEqual(['staff.member.start-recovery', 'auth.cancel-recovery'])
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
