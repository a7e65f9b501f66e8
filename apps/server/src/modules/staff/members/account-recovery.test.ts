import { RECOVERY_DAYS } from '@tizara/contract/limits'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD, type TestMember, type TestMemberInput } from '../../../../test/members.ts'
import { wellInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { revokeAllAccess } from '../../auth/index.ts'
import { memberById } from '../../members/index.ts'
import { approveProposal } from '../proposals/decide-proposal.ts'
import { staffRoutes } from '../index.ts'
import { proposeAccountRecovery } from './account-recovery.ts'

const WAIT_MS = RECOVERY_DAYS * DAY_MS
const PASSWORD = 'amber-kettle-27'

const app = await authTestApp({ STAFF_SECOND_FACTOR: 'off' }, (bind) => staffRoutes(bind, wellInstance))
const admin = async (options: TestMemberInput = {}) => {
  const who = await createTestMember(app.db, { role: 'ADMIN', ...options })
  return { ...who, actor: { memberId: who.id, role: 'ADMIN' as const } }
}
type Admin = Awaited<ReturnType<typeof admin>>
const [maker, checker] = [await admin(), await admin()]

const propose = (by: Admin, who: TestMember, email: string | undefined, secondFactor = false) =>
  inTransaction(app.db, (tx) =>
    proposeAccountRecovery(tx, app.deps, by.actor, { id: who.publicId, secondFactor, email, reason: 'seen in person' }),
  )
const approve = (by: Admin, id: string) => inTransaction(app.db, (tx) => approveProposal(tx, app.deps, by.actor, { id }))
/** Starts a recovery with a new address by two admins, and returns the address. */
const start = async (who: TestMember, secondFactor = false) => {
  const email = freshEmail()
  await approve(checker, await propose(maker, who, email, secondFactor))
  await app.runJobs()
  return email
}
const linkTo = (email: string, act: 'recover' | 'stop') => {
  const texts = app.mails.to(email).map(({ text }) => new RegExp(`/email-change#${act}:([\\w-]+)`).exec(text)?.[1])
  return texts.findLast((token) => token !== undefined) ?? ''
}
const open = (act: 'confirm' | 'stop', token: string) => app.call('POST', `/auth/email/${act}`, { token })
const prove = async (email: string) => expect((await open('confirm', linkTo(email, 'recover'))).status).toBe(200)
/** Lets the waiting period pass. */
const wait = async () => {
  app.clock.advance(WAIT_MS)
  await app.runJobs()
}
const login = (email: string, more: { password?: string; otp?: string; devices?: string | undefined } = {}) =>
  app.call('POST', '/auth/login', {
    body: { email, password: more.password ?? TEST_PASSWORD, otp: more.otp },
    ...(more.devices === undefined ? {} : { cookie: `devices=${more.devices}` }),
  })
const read = async ({ id }: TestMember) => {
  const member = await memberById(app.db, id)
  if (member === undefined) throw new Error('no member')
  return member
}
const isPending = async ({ id }: TestMember) =>
  (await app.db.selectFrom('account_recovery').select('member_id').where('member_id', '=', id).executeTakeFirst()) !== undefined
const actionsOn = async ({ publicId }: TestMember) => {
  const found = app.db.selectFrom('audit_event').select(['action', 'detail']).where('subject_id', '=', publicId).orderBy('id')
  return (await found.execute()).filter(({ action }) => /recover|stop-email/.test(action))
}
const enrol = async (who: TestMember) => {
  const token = String((await login(who.email)).body.data.token)
  const enrollment = await app.call('POST', '/auth/totp/begin', { token, body: { password: TEST_PASSWORD } })
  const totp = new TOTP({ secret: String(enrollment.body.data.secret) })
  const code = () => {
    app.clock.advance(30_000)
    return totp.generate({ timestamp: app.clock.now().getTime() })
  }
  expect((await app.call('POST', '/auth/totp/confirm', { token, body: { otp: code() } })).status).toBe(200)
  return { token, code }
}
/** Cookie of a device that has passed the payout freeze of new devices. */
const trustedDevice = async (who: TestMember) => {
  const devices = (await login(who.email)).cookies['devices']?.value
  app.clock.advance(2 * DAY_MS)
  return devices
}

describe('recovery of an account without mailbox', () => {
  it('[ASVS 6.4.4] replaces the mailbox after seven days, ends sessions and freezes payouts for as long again', async () => {
    const who = await createTestMember(app.db)
    const { token } = await app.signIn(who.id)
    const email = await start(who)
    await prove(email)
    app.clock.advance(WAIT_MS - DAY_MS)
    await app.runJobs()
    expect((await read(who)).email).toBe(who.email)
    // An access token of a live session is expired, one of an ended session is unknown.
    app.clock.advance(DAY_MS)
    await app.runJobs()
    expect((await app.call('GET', '/profile', { token })).status).toBe(401)
    expect(await read(who)).toMatchObject({
      email,
      is_verified: true,
      payouts_frozen_for: 'contact',
      payouts_frozen_until: new Date(app.clock.now().getTime() + WAIT_MS),
    })
    for (const subject of ['your email address will be replaced', 'your email address will be replaced soon', 'your account was recovered'])
      expect(app.mails.to(who.email).filter((mail) => mail.subject === `Tizara: ${subject}`)).toHaveLength(1)
    expect(app.mails.to(email).map((mail) => mail.subject)).toEqual([
      'Tizara: confirm your new address',
      'Tizara: your account was recovered',
    ])
    expect(await actionsOn(who)).toMatchObject([
      { action: 'staff.member.start-recovery', detail: { replaces: 'mailbox', newEmail: email } },
      { action: 'auth.prove-recovery-address' },
      { action: 'auth.account-recovered', detail: { replaced: 'mailbox' } },
    ])
    // The password alone needs a code from the new mailbox, and the old address signs in no more.
    expect((await login(email)).body.data.user.isVerified).toBe(false)
    expect((await login(who.email)).status).toBe(400)
    await app.call('POST', '/auth/forgot-password', { body: { email } })
    await app.runJobs()
    const body = { newPassword: PASSWORD, confirmPassword: PASSWORD }
    expect((await app.call('POST', '/auth/reset-password', { token: app.mails.linkTokenFor(email), body })).status).toBe(200)
    expect((await read(who)).payouts_frozen_until?.getTime()).toBeGreaterThan(app.clock.now().getTime() + WAIT_MS - DAY_MS)
  })

  it('replaces mailbox and second factor of a member of staff', async () => {
    const who = await admin()
    await enrol(who)
    const email = await start(who, true)
    await prove(email)
    await wait()
    expect(await read(who)).toMatchObject({ email, second_factor: false, role: 'ADMIN' })
  })

  it('keeps the second factor when only the mailbox is lost', async () => {
    const who = await createTestMember(app.db)
    await enrol(who)
    const email = await start(who)
    await prove(email)
    await wait()
    expect(await read(who)).toMatchObject({ email, second_factor: true })
    expect((await login(email)).body.message).toMatch(/code/i)
  })

  it('opens the account of an imported member without an address, which no registration displaces', async () => {
    const who = await createTestMember(app.db, { email: `${freshEmail().replace('@', '=')}.1@invalid`, verified: false })
    await app.db.updateTable('member').set({ password_proved: true }).where('id', '=', who.id).execute()
    const email = await start(who)
    await prove(email)
    await wait()
    expect(await read(who)).toMatchObject({ email, is_verified: true })
    const person = { name: 'Stranger', email, phone: '+12025550100', password: PASSWORD }
    expect((await app.call('POST', '/limit/auth/register', { body: person })).status).toBe(400)
    await app.call('POST', '/auth/forgot-password', { body: { email } })
    await app.runJobs()
    const body = { newPassword: PASSWORD, confirmPassword: PASSWORD }
    expect((await app.call('POST', '/auth/reset-password', { token: app.mails.linkTokenFor(email), body })).status).toBe(200)
    expect((await login(email, { password: PASSWORD })).body.data.user.isVerified).toBe(true)
    expect(await read(who)).toMatchObject({ email, is_active: true })
  })

  it('replaces nothing while the link to the new mailbox is not opened', async () => {
    const who = await createTestMember(app.db)
    const email = await start(who)
    await wait()
    expect((await read(who)).email).toBe(who.email)
    expect((await actionsOn(who)).at(-1)).toMatchObject({
      action: 'auth.cancel-recovery',
      detail: { because: 'new address not confirmed' },
    })
    expect((await open('confirm', linkTo(email, 'recover'))).status).toBe(400)
  })

  it('is cancelled by the mailed stop link, at the present and at earlier addresses, also after it is completed', async () => {
    const [before, after] = [await createTestMember(app.db), await createTestMember(app.db)]
    await prove(await start(before))
    expect((await open('stop', linkTo(before.email, 'stop'))).status).toBe(200)
    const thief = await start(after)
    await prove(thief)
    await wait()
    expect((await read(after)).email).toBe(thief)
    app.clock.advance(WAIT_MS - 1000)
    expect((await open('stop', linkTo(after.email, 'stop'))).status).toBe(200)
    await wait()
    for (const who of [before, after]) {
      const member = await read(who)
      expect([member.email, member.payouts_stopped_at !== null, await isPending(who)]).toEqual([who.email, true, false])
      expect((await actionsOn(who)).at(-1)).toMatchObject({ action: 'auth.stop-email' })
    }
    expect((await open('stop', linkTo(after.email, 'stop'))).status).toBe(400)
  })

  it.each([
    ['the same stop link, which works until seven days after the recovery', false],
    ['a new stop link when DATA_KEY was rotated since the first mail', true],
  ])('reminds the owner with %s', async (_, isRotated) => {
    const who = await createTestMember(app.db)
    await prove(await start(who))
    const first = linkTo(who.email, 'stop')
    const { dataKey } = app.deps.config
    if (isRotated) Object.assign(app.deps.config, { dataKey: 'another-key-of-the-data-0123456789abcdef' })
    app.clock.advance(WAIT_MS - 2 * DAY_MS)
    await app.runJobs()
    const reminder = app.mails.to(who.email).findLast(({ subject }) => subject.endsWith('will be replaced soon'))
    const token = /#stop:([\w-]+)/.exec(reminder?.text ?? '')?.[1] ?? ''
    Object.assign(app.deps.config, { dataKey })
    expect([token.length > 40, token === first]).toEqual([true, !isRotated])
    app.clock.advance(2 * DAY_MS)
    await app.runJobs()
    app.clock.advance(WAIT_MS - 1000)
    expect((await open('stop', token)).status).toBe(200)
    expect(await read(who)).toMatchObject({ email: who.email, payouts_stopped_at: expect.any(Date) })
    for (const used of [token, first]) expect((await open('stop', used)).status).toBe(400)
  })

  it('is cancelled by a proof of the owner: second factor, trusted device, step-up or mailbox', async () => {
    const ways: Record<string, (who: TestMember) => Promise<() => Promise<{ status: number }>>> = {
      'second-factor': async (who) => {
        const { code } = await enrol(who)
        return () => login(who.email, { otp: code() })
      },
      device: async (who) => {
        const devices = await trustedDevice(who)
        return () => login(who.email, { devices })
      },
      'step-up by factor': async (who) => {
        const { token, code } = await enrol(who)
        return () => app.call('POST', '/profile/phone', { token, body: { phone: '+12025550177', otp: code() } })
      },
      'step-up on a trusted device': async (who) => {
        const { token } = await app.signIn(who.id)
        return () => app.call('POST', '/profile/phone', { token, body: { phone: '+12025550178', password: TEST_PASSWORD } })
      },
      mailbox: async (who) => {
        await app.call('POST', '/auth/forgot-password', { body: { email: who.email } })
        await app.runJobs()
        const body = { newPassword: PASSWORD, confirmPassword: PASSWORD }
        return () => app.call('POST', '/auth/reset-password', { token: app.mails.linkTokenFor(who.email), body })
      },
    }
    for (const [way, prepare] of Object.entries(ways)) {
      const who = await createTestMember(app.db)
      const act = await prepare(who)
      const email = freshEmail()
      await approve(checker, await propose(maker, who, email))
      expect([way, (await act()).status]).toEqual([way, 200])
      expect([way, await isPending(who)]).toEqual([way, false])
      expect((await actionsOn(who)).at(-1)).toMatchObject({ action: 'auth.cancel-recovery' })
      await app.runJobs()
      expect((await open('confirm', linkTo(email, 'recover'))).status).toBe(400)
    }
  })

  it('is not cancelled by a thief with the password on a new device', async () => {
    const who = await createTestMember(app.db)
    await start(who)
    expect((await login(who.email)).status).toBe(200)
    const { token } = await app.signIn(who.id, { newDevice: true })
    const body = { phone: '+12025550179', password: TEST_PASSWORD }
    expect((await app.call('POST', '/profile/phone', { token, body })).status).toBe(400)
    expect(await isPending(who)).toBe(true)
  })

  it('takes two of staff who are neither the owner nor linked to the owner', async () => {
    const owner = await admin()
    const twin = await admin({ sponsorId: owner.id })
    const now = app.clock.now()
    const seen = { first_seen_at: now, last_seen_at: now, same_address: true, same_device: true, same_payout_address: false }
    await app.db
      .insertInto('linked_account')
      .values({ member_id: twin.id, upline_id: owner.id, level: 1, ...seen })
      .execute()
    for (const by of [owner, twin]) await expect(propose(by, owner, freshEmail())).rejects.toMatchObject({ code: 'FOUR_EYES' })
    const id = await propose(maker, owner, freshEmail())
    for (const by of [maker, owner, twin]) await expect(approve(by, id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    expect(await isPending(owner)).toBe(false)
  })

  it('refuses an address of another account, at the proposal and at its end', async () => {
    const [who, other] = [await createTestMember(app.db), await createTestMember(app.db)]
    await expect(propose(maker, who, other.email)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
    await expect(propose(maker, who, who.email)).rejects.toMatchObject({ code: 'EMAIL_UNCHANGED' })
    await expect(propose(maker, who, 'who@evil.example')).rejects.toMatchObject({ code: 'EMAIL_DOMAIN_REFUSED' })
    const unfinished = await createTestMember(app.db, { verified: false })
    await expect(propose(maker, unfinished, freshEmail())).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
    const email = await start(who)
    await prove(email)
    await createTestMember(app.db, { email })
    await wait()
    expect((await read(who)).email).toBe(who.email)
    expect((await actionsOn(who)).at(-1)).toMatchObject({ detail: { because: 'new address taken' } })
  })

  it('is not approved after the member changed the address since the proposal', async () => {
    const who = await createTestMember(app.db)
    const id = await propose(maker, who, freshEmail())
    await app.db.updateTable('member').set({ email: freshEmail() }).where('id', '=', who.id).execute()
    await expect(approve(checker, id)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
  })

  it('is completed or cancelled, never both, when the owner stops it at the moment of completion', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const who = await createTestMember(app.db)
      const email = await start(who)
      await prove(email)
      app.clock.advance(WAIT_MS)
      const [stopped] = await Promise.all([open('stop', linkTo(who.email, 'stop')), app.runJobs()])
      expect(stopped.status).toBe(200)
      expect([(await read(who)).email, await isPending(who)]).toEqual([who.email, false])
    }
  })

  it('starts once when two proposals are approved at once, and is cancelled when a restore revokes all access', async () => {
    const who = await createTestMember(app.db)
    const ids = [await propose(maker, who, freshEmail()), await propose(maker, who, freshEmail())]
    const results = await Promise.allSettled(ids.map((id) => approve(checker, id)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await inTransaction(app.db, (tx) => revokeAllAccess(tx, app.clock.now()))
    await wait()
    expect([(await read(who)).email, await isPending(who)]).toEqual([who.email, false])
  })
})
