import { availableParallelism } from 'node:os'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../test/auth-app.ts'
import { addAuthenticator, createTestMember, TEST_PASSWORD, type TestMember } from '../../../test/members.ts'
import { rejectionsOf } from '../../../test/rejections.ts'
import { SoftAuthenticator } from '../../../test/soft-authenticator.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { hashPassword } from './passwords/password-hash.ts'
import { type AttemptBudget, clearAccountAttempts, oneAtATime, registerAttempt, sessionBudget, signInBudget } from './sign-in-limit.ts'
import { countWrongPassword } from './passwords/wrong-passwords.ts'

const STRANGER = '203.0.113.7'
const OWNER = '198.51.100.9'

const app = await authTestApp({ TRUST_PROXY: '1' })

const HOUR = 3_600_000

const login = (email: string, password: string, from: string, devices?: string) =>
  app.call('POST', '/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': from },
    ...(devices === undefined ? {} : { cookie: `devices=${devices}` }),
  })
const devicesOf = async ({ email }: { email: string }) => (await login(email, TEST_PASSWORD, OWNER)).cookies['devices']?.value ?? ''
/** Counts wrong passwords as sign-ins do, without their hashing. */
async function countGuesses({ email }: { email: string }, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await countWrongPassword(app.db, email, app.clock.now())
}
async function mailedCodes({ email }: { email: string }): Promise<string[]> {
  await app.runJobs()
  const mails = app.mails.to(email).filter((mail) => mail.subject === 'Tizara: your sign-in code')
  return mails.map((mail) => /\b\d{6}\b/.exec(mail.text)?.[0] ?? '')
}
const enter = (token: string, code: string) => app.call('POST', '/limit/auth/verify-token', { token, body: { token: code } })
const sessionsOf = ({ token }: { token: string }) => app.call('GET', '/auth/sessions', { token })
async function isAskedForCode(member: TestMember, devices?: string): Promise<boolean> {
  const reply = await login(member.email, TEST_PASSWORD, OWNER, devices)
  expect(reply.status).toBe(200)
  return reply.body.data.user.isVerified === false
}
const change = (token: string, oldPassword: string) =>
  app.call('POST', '/auth/change-password', { token, body: { oldPassword, newPassword: 'quiet-lantern-58' } })

describe('wrong passwords', () => {
  it('[ER-02] of a stranger do not block the owner on another network', async () => {
    const member = await createTestMember(app.db)
    const guesses = await Promise.all(Array.from({ length: 30 }, () => login(member.email, 'wrong-one', STRANGER)))
    expect(guesses.filter((reply) => reply.status === 429)).toHaveLength(25)
    expect((await login(member.email, TEST_PASSWORD, STRANGER)).status).toBe(429)
    expect((await login(member.email, TEST_PASSWORD, OWNER)).status).toBe(200)
  })

  it('[ER-02] are counted together for an IPv6 /64, and separately for another one', async () => {
    const member = await createTestMember(app.db)
    for (let host = 1; host <= 5; host += 1) await login(member.email, 'wrong-one', `2001:db8:0:1::${host}`)
    expect((await login(member.email, TEST_PASSWORD, '2001:db8:0:1::ffff')).status).toBe(429)
    expect(await rejectionsOf(app.db, member)).toEqual(Array.from({ length: 5 }, () => 'auth.login LOGIN_REFUSED'))
    expect((await login(member.email, TEST_PASSWORD, '2001:db8:0:2::1')).status).toBe(200)
  })

  it("[ER-02] of a stranger in the owner's network do not block the owner's known device", async () => {
    const member = await createTestMember(app.db)
    const devices = await devicesOf(member)
    for (let count = 0; count < 5; count += 1) await login(member.email, 'wrong-one', OWNER)
    expect((await login(member.email, TEST_PASSWORD, OWNER)).status).toBe(429)
    expect((await login(member.email, TEST_PASSWORD, OWNER, devices)).status).toBe(200)
  })

  it('[ER-02] on a known device are limited too, and do not block other devices', async () => {
    const member = await createTestMember(app.db)
    const devices = await devicesOf(member)
    for (let count = 0; count < 5; count += 1) await login(member.email, 'wrong-one', STRANGER, devices)
    expect((await login(member.email, TEST_PASSWORD, OWNER, devices)).status).toBe(429)
    expect((await login(member.email, TEST_PASSWORD, STRANGER)).status).toBe(200)
  })

  it('[ER-02] have no separate budget for the device cookie of another account or for random tokens', async () => {
    const [member, stranger] = [await createTestMember(app.db), await createTestMember(app.db)]
    const devices = `${await devicesOf(stranger)}.${'a'.repeat(43)}`
    for (let count = 0; count < 5; count += 1) await login(member.email, 'wrong-one', STRANGER)
    expect((await login(member.email, TEST_PASSWORD, STRANGER, devices)).status).toBe(429)
  })

  it('within one session do not block confirmation in another session', async () => {
    const member = await createTestMember(app.db)
    const [thief, owner] = [await app.signIn(member.id), await app.signIn(member.id)]
    for (let count = 0; count < 11; count += 1) await change(thief.token, 'wrong-one')
    expect(await rejectionsOf(app.db, member)).toEqual([
      ...Array.from({ length: 5 }, () => 'auth.step-up CURRENT_PASSWORD_WRONG'),
      // One entry an hour, because no budget limits further calls.
      'auth.step-up TOO_MANY_REQUESTS',
    ])
    expect((await change(thief.token, TEST_PASSWORD)).status).toBe(429)
    expect((await change(owner.token, TEST_PASSWORD)).status).toBe(200)
  })

  it('are not counted when a right password meets a busy server', async () => {
    const members = await Promise.all(Array.from({ length: 70 }, () => createTestMember(app.db)))
    // One more wrong password would block the account on this network.
    for (const { email } of members) {
      const budget = await signInBudget(app.db, email, { ip: OWNER, userAgent: 'test', requestId: 'test' })
      for (let count = 0; count < 4; count += 1) await registerAttempt(app.db, budget, app.clock.now())
    }
    const statuses = await Promise.all(members.map(async ({ email }) => (await login(email, TEST_PASSWORD, OWNER)).status))
    const rejected = members.filter((_, index) => statuses[index] === 503)
    expect(statuses.filter((status) => status !== 200)).toHaveLength(rejected.length)
    expect(rejected.length).toBeGreaterThan(0)
    for (const { email } of rejected) expect((await login(email, TEST_PASSWORD, OWNER)).status).toBe(200)
  })
})

/** Takes all places of a limit while a call is sent. */
async function whileQueueIsFull<T>(budget: AttemptBudget, call: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const places = Array.from({ length: 50 }, () => oneAtATime(budget, () => promise))
  const reply = await call()
  resolve()
  await Promise.all(places)
  return reply
}

/** Keeps all places for password hashes taken while a call is sent. */
async function whileHashing<T>(_budget: AttemptBudget, call: () => Promise<T>): Promise<T> {
  let isOver = false
  const hash = async (caller: string) => {
    while (!isOver) await hashPassword('x', caller)
  }
  const places = Array.from({ length: 50 + Math.min(availableParallelism(), 3) }, (_, index) => hash(`caller ${index}`))
  const reply = await call()
  isOver = true
  await Promise.all(places)
  return reply
}

describe('right proof that meets a busy server', () => {
  /** Creates a member with an app, recovery codes and a passkey, and calls that each give one right proof. */
  async function prepared() {
    const member = await createTestMember(app.db)
    const { token, sessionId } = await app.signIn(member.id)
    const post = (path: string, body: object = {}) => app.call('POST', path, { token, body })
    const totp = await addAuthenticator(app.db, app.deps, member.id)
    const otp = () => {
      app.clock.advance(30_000)
      return totp.generate({ timestamp: app.clock.now().getTime() })
    }
    const [code = ''] = (await post('/auth/recovery-codes', { otp: otp() })).body.data.recoveryCodes as string[]
    const { origin, hostname: rpId } = new URL(app.deps.config.publicUrl)
    const key = new SoftAuthenticator()
    const begun = (await post('/auth/passkeys/begin', { otp: otp() })).body.data
    const credential = key.make({ origin, rpId, challenge: begun.options.challenge })
    expect((await post('/auth/passkeys', { challengeId: begun.challengeId, name: 'Phone', credential })).status).toBe(200)
    const { challengeId, options } = (await post('/auth/passkeys/challenge')).body.data
    const passkey = { challengeId, credential: key.get({ origin, rpId, challenge: options.challenge }) }
    const [proof, last] = [otp(), (body: object) => post('/auth/recovery-codes', body)]
    const calls = {
      'own password': () => change(token, TEST_PASSWORD),
      'recovery code': () => last({ otp: code }),
      'code of the app': () => last({ otp: proof }),
      passkey: () => last({ passkey }),
    }
    return { calls, budgetOf: (what: 'password' | 'second factor') => sessionBudget(member.email, sessionId, what) }
  }

  it.each([
    ['own password', 'password', whileHashing],
    ['own password', 'password', whileQueueIsFull],
    ['recovery code', 'second factor', whileHashing],
    ['recovery code', 'second factor', whileQueueIsFull],
    ['code of the app', 'second factor', whileQueueIsFull],
    ['passkey', 'second factor', whileQueueIsFull],
  ] as const)('is not counted as wrong, and is accepted later: %s, limit of the %s', async (what, limit, whileBusy) => {
    const { calls, budgetOf } = await prepared()
    // One more attempt would block the limit.
    for (let count = 0; count < 4; count += 1) await registerAttempt(app.db, budgetOf(limit), app.clock.now())
    expect((await whileBusy(budgetOf(limit), calls[what])).status).toBe(503)
    expect((await calls[what]()).status).toBe(200)
  })
})

describe('more than 100 wrong passwords in 24 hours', () => {
  it('from all networks together require a mailed code in addition to the correct password on a new device, but not on a known one', async () => {
    const member = await createTestMember(app.db)
    const devices = await devicesOf(member)
    await countGuesses(member, 99)
    await login(member.email, 'wrong-one', '192.0.2.1')
    expect(await isAskedForCode(member)).toBe(false)
    await login(member.email, 'wrong-one', '192.0.3.1')
    expect(await isAskedForCode(member, devices)).toBe(false)
    expect(await mailedCodes(member)).toEqual([])
    const reply = await login(member.email, TEST_PASSWORD, STRANGER)
    expect(reply.body.data.user.isVerified).toBe(false)
    expect(await rejectionsOf(app.db, member)).toEqual(['auth.login LOGIN_REFUSED', 'auth.login LOGIN_REFUSED'])
    expect((await sessionsOf(reply.body.data)).body.message).toBe('Please verify your email')
    const [code = ''] = await mailedCodes(member)
    const entered = await enter(reply.body.data.token, code)
    expect((await sessionsOf(entered.body.data)).status).toBe(200)
    expect((await sessionsOf(reply.body.data)).status).toBe(401)
  })

  it('keep a device unknown until the code was entered', async () => {
    const member = await createTestMember(app.db)
    await countGuesses(member, 101)
    const first = await login(member.email, TEST_PASSWORD, OWNER)
    expect(await isAskedForCode(member, first.cookies['devices']?.value ?? '')).toBe(true)
    const entered = await enter(first.body.data.token, (await mailedCodes(member)).at(-1) ?? '')
    expect(await isAskedForCode(member, entered.cookies['devices']?.value ?? '')).toBe(false)
  })

  it('reject a wrong code, also after a refresh of the session', async () => {
    const member = await createTestMember(app.db)
    await countGuesses(member, 101)
    const reply = await login(member.email, TEST_PASSWORD, STRANGER)
    const [code = ''] = await mailedCodes(member)
    expect((await enter(reply.body.data.token, code === '000000' ? '000001' : '000000')).status).toBe(400)
    const cookie = `refreshToken=${reply.cookies['refreshToken']?.value}`
    const refreshed = await app.call('POST', '/auth/refresh-token', { cookie })
    expect((await sessionsOf({ token: refreshed.body.data.accessToken })).status).toBe(400)
  })

  it("leave the owner's other sessions alone, and end those of others that await a code", async () => {
    const member = await createTestMember(app.db)
    const before = await app.signIn(member.id)
    await countGuesses(member, 101)
    for (let count = 0; count < 10; count += 1) await login(member.email, TEST_PASSWORD, STRANGER)
    const thief = await login(member.email, TEST_PASSWORD, STRANGER)
    const owner = await login(member.email, TEST_PASSWORD, OWNER)
    expect((await enter(owner.body.data.token, (await mailedCodes(member)).at(-1) ?? '')).status).toBe(200)
    expect((await sessionsOf(before)).status).toBe(200)
    expect((await sessionsOf(thief.body.data)).status).toBe(401)
  })

  it('send one code for several sign-ins within 90 seconds, and ten in a day', async () => {
    const member = await createTestMember(app.db)
    await countGuesses(member, 101)
    for (let count = 0; count < 3; count += 1) expect(await isAskedForCode(member)).toBe(true)
    expect(await mailedCodes(member)).toHaveLength(1)
    for (let count = 0; count < 12; count += 1) {
      app.clock.advance(2 * 60_000)
      expect(await isAskedForCode(member)).toBe(true)
      await app.runJobs()
    }
    expect(await mailedCodes(member)).toHaveLength(10)
  })

  it('are forgotten after 25 hours, and after a new password by mail', async () => {
    const [later, reset] = [await createTestMember(app.db), await createTestMember(app.db)]
    await countGuesses(reset, 101)
    await clearAccountAttempts(app.db, reset.email)
    expect(await isAskedForCode(reset)).toBe(false)
    await countGuesses(later, 101)
    app.clock.advance(23 * HOUR)
    await app.runJobs()
    expect(await isAskedForCode(later)).toBe(true)
    app.clock.advance(2 * HOUR)
    expect(await isAskedForCode(later)).toBe(false)
  })

  it('accept a second factor instead of the code', async () => {
    const member = await createTestMember(app.db)
    await countGuesses(member, 101)
    const { token } = await app.signIn(member.id)
    const secret = (await app.call('POST', '/auth/totp/begin', { token, body: { password: TEST_PASSWORD } })).body.data.secret
    const otp = () => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() })
    await app.call('POST', '/auth/totp/confirm', { token, body: { otp: otp() } })
    app.clock.advance(2 * 60_000)
    const reply = await app.call('POST', '/auth/login', { body: { email: member.email, password: TEST_PASSWORD, otp: otp() } })
    expect(reply.body.data.user.isVerified).toBe(true)
    expect(await mailedCodes(member)).toEqual([])
  })

  it('are counted for addresses without an account too', async () => {
    await login('unknown.person@gmail.com', 'wrong-one', STRANGER)
    const rows = await app.db
      .selectFrom('wrong_password_hour')
      .select('failures')
      .where('account_digest', '=', digest('unknown.person@gmail.com'))
      .execute()
    expect(rows).toEqual([{ failures: 1 }])
  })
})

describe('rate limit', () => {
  it("[API-17] on sign-in counts networks, so that a stranger cannot use up the owner's calls", async () => {
    const strict = await authTestApp({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
    const member = await createTestMember(strict.db)
    const call = (from: string, password: string) =>
      strict.call('POST', '/auth/login', { body: { email: member.email, password }, headers: { 'x-forwarded-for': from } })
    for (let count = 0; count < 12; count += 1) await call(STRANGER, 'wrong-one')
    expect((await call(OWNER, TEST_PASSWORD)).status).toBe(200)
  })

  it('[API-17] on confirmation counts sessions', async () => {
    const strict = await authTestApp({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
    const member = await createTestMember(strict.db)
    const [thief, owner] = [await strict.signIn(member.id), await strict.signIn(member.id)]
    const call = (token: string, from: string, oldPassword: string) =>
      strict.call('POST', '/auth/change-password', {
        token,
        body: { oldPassword, newPassword: 'quiet-lantern-58' },
        headers: { 'x-forwarded-for': from },
      })
    for (let count = 0; count < 12; count += 1) await call(thief.token, STRANGER, 'wrong-one')
    expect((await call(owner.token, OWNER, TEST_PASSWORD)).status).toBe(200)
  })
})
