import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../../../test/auth-app.ts'
import { createTestMember } from '../../../../test/members.ts'
import { balancesOf } from '../../../ledger/index.ts'
import { memberByEmail } from '../../members/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { applySettings, endSetup } from '../../settings/index.ts'

const app = await authTestApp()

describe('POST /limit/auth/register', () => {
  it('[GN-05] [GN-06] [API-25] [EN-07] opens an account with seven empty wallets and answers with a token', async () => {
    const email = freshEmail()
    const reply = await app.register({ email: ` ${email.toUpperCase()} ` })
    expect(reply).toMatchObject({
      status: 200,
      body: { success: true, statusCode: 200, message: expect.any(String), data: { token: expect.any(String) } },
    })
    const member = await memberByEmail(app.db, email)
    expect(member).toMatchObject({
      name: 'Ada Byron',
      phone: '+12025550143',
      is_verified: false,
      is_active: true,
      role: 'MEMBER',
      sponsor_id: null,
    })
    expect(Object.values(await balancesOf(app.db, member?.id ?? 0n))).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 0n])
    const profile = await app.call('GET', '/profile', { token: reply.body.data.token })
    expect(profile.body.data).toMatchObject({ email, isVerified: false, status: true, referralCount: 0 })
  })

  it('[API-21] sets the refresh cookie: HttpOnly, Lax, for the auth calls only, 30 days', async () => {
    const reply = await app.register()
    const cookie = reply.cookies['refreshToken']
    expect(cookie?.attributes).toBe('Max-Age=2592000; Path=/api/v1/auth; HttpOnly; SameSite=Lax')
    expect(reply.text).not.toContain(cookie?.value)
  })

  it('[EN-06] [CO-07] places the member below the owner of the referral code in any case; empty counts as none', async () => {
    const sponsor = await createTestMember(app.db)
    const email = freshEmail()
    await app.register({ email, referralCode: sponsor.referralCode.toLowerCase() })
    expect((await memberByEmail(app.db, email))?.sponsor_id).toBe(sponsor.id)
    for (const none of ['', null]) expect((await app.register({ referralCode: none })).status).toBe(200)
    expect(await app.register({ referralCode: 'ABC' })).toMatchObject({ status: 400, body: { message: 'Minimum length is 6' } })
  })

  it('[VA-21] [ER-70] rejects an unknown referral code', async () => {
    expect(await app.register({ referralCode: 'NOBODY99' })).toMatchObject({
      status: 400,
      body: { success: false, message: 'Invalid referral code' },
    })
  })

  it('[ER-13] [ER-70] [API-16] rejects a registered address, also before its owner has verified it', async () => {
    const email = freshEmail()
    await app.register({ email })
    expect(await app.register({ email: email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { success: false, message: 'Email already exists' },
    })
  })

  it('[GN-07] [VA-14] [VA-15] [CO-05] accepts only the listed mail domains', async () => {
    for (const domain of ['gmail.com', 'yahoo.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'OUTLOOK.com']) {
      expect((await app.register({ email: freshEmail().replace('gmail.com', domain) })).status).toBe(200)
    }
    for (const email of ['a@example.org', 'a@gmail.com.example.org', 'a@notgmail.com', 'a@mail.gmail.com']) {
      expect(await app.register({ email })).toMatchObject({ status: 400, body: { message: 'Invalid Email' } })
    }
  })

  it('[VA-12] rejects a malformed email address', async () => {
    expect(await app.register({ email: 'a b@gmail.com' })).toMatchObject({
      status: 400,
      body: { message: 'Entered value does not match email format' },
    })
  })

  it('[VA-16] [VA-17] rejects a phone number that is not a valid international one', async () => {
    for (const phone of ['+12345', '2025550143', '+1 555 000 0000 00', '+999123456789']) {
      expect(await app.register({ phone })).toMatchObject({ status: 400, body: { message: 'Invalid Phone' } })
    }
    expect((await app.register({ phone: '+49 30 901820' })).status).toBe(200)
  })

  it('[VA-10] [VA-11] [VA-16] [VA-18] [VA-01] requires every field', async () => {
    for (const field of ['name', 'email', 'phone', 'password']) {
      const reply = await app.register({ [field]: undefined })
      expect(reply).toMatchObject({ status: 400, body: { message: 'This field is required', errorMessages: [{ path: field }] } })
    }
  })

  it("[VA-18] [VA-20] [CO-06] rejects a short password, a common one and one made of the member's name or the brand", async () => {
    expect(await app.register({ password: 'x7!kq' })).toMatchObject({ status: 400, body: { message: 'Minimum length is 6' } })
    for (const password of ['password', '123456', 'Tizara2026', 'adabyron1']) {
      expect(await app.register({ password })).toMatchObject({ status: 400, body: { message: expect.stringContaining('too easy') } })
    }
  })

  it('accepts one of ten parallel registrations of one address', async () => {
    const email = freshEmail()
    const replies = await Promise.all(Array.from({ length: 10 }, () => app.register({ email })))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.body.message === 'Email already exists')).toHaveLength(9)
  })

  it('[ER-52] accepts an address again after the link of an unfinished registration has expired', async () => {
    const email = freshEmail()
    const first = await app.register({ email, password: 'quiet-lantern-51' })
    app.clock.advance(24 * 3_600_000 + 1000)
    const second = await app.register({ email, name: 'Grace Hopper' })
    expect(second.status).toBe(200)
    expect((await app.call('GET', '/profile', { token: first.body.data.token })).status).toBe(401)
    expect((await app.call('GET', '/profile', { token: second.body.data.token })).body.data.name).toBe('Grace Hopper')
    expect((await app.call('POST', '/auth/login', { body: { email, password: 'quiet-lantern-51' } })).status).toBe(400)
  })

  it('[I15] stores neither password, code nor token', async () => {
    const email = freshEmail()
    const password = 'marked-secret-7713'
    const reply = await app.register({ email, password })
    const dump = JSON.stringify(
      await Promise.all([
        app.db.selectFrom('member').selectAll().execute(),
        app.db.selectFrom('mail_code').selectAll().execute(),
        app.db.selectFrom('mail_link').selectAll().execute(),
        app.db.selectFrom('refresh_token').selectAll().execute(),
        app.db.selectFrom('audit_event').selectAll().execute(),
        app.db.selectFrom('mail_outbox').selectAll().execute(),
      ]),
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    )
    await app.runJobs()
    expect(dump).not.toContain(password)
    expect(dump).not.toContain(reply.cookies['refreshToken']?.value)
    expect(dump).not.toContain(app.mails.linkTokenFor(email))
    expect(dump).not.toMatch(new RegExp(`"code[^"]*":"${app.mails.codeFor(email)}"`))
    expect((await memberByEmail(app.db, email))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

it("[VA-15] applies the operator's mail domains as soon as they are set", async () => {
  const other = await authTestApp()
  const register = (email: string) => other.register({ email })
  expect((await register('someone@proton.me')).body.message).toBe('Invalid Email')
  await other.db
    .transaction()
    .execute((tx) => applySettings(tx, other.deps, { changes: { allowedEmailDomains: ['proton.me'] }, actorId: null, reason: 'test' }))
  expect((await register('someone@proton.me')).status).toBe(200)
  expect((await register('someone@gmail.com')).body.message).toBe('Invalid Email')
})

describe('registration before the end of the initial setup', () => {
  it('rejects everyone and adds no account, until the setup has ended', async () => {
    const fresh = await authTestApp({ SANDBOX: 'off' })
    const members = () => fresh.db.selectFrom('member').select('id').execute()
    expect(await fresh.register()).toMatchObject({
      status: 400,
      body: { success: false, message: 'Registration is not open yet, please try again later' },
    })
    expect(await members()).toEqual([])
    await inTransaction(fresh.db, (tx) => endSetup(tx, fresh.clock.now()))
    expect((await fresh.register()).status).toBe(200)
    expect(await members()).toHaveLength(1)
  })
})
