import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../test/members.ts'
import { hashPassword } from './index.ts'

const app = await authTestApp()

const login = (email: string, password = TEST_PASSWORD, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/login', { body: { email, password }, headers })

describe('POST /auth/login', () => {
  it('[API-18] [EN-01] [EN-02] [API-10] signs in and returns whether the address is verified', async () => {
    const verified = await createTestMember(app.db)
    const pending = await createTestMember(app.db, { verified: false })
    const reply = await login(` ${verified.email.toUpperCase()}`)
    expect(reply.body).toEqual({
      success: true,
      statusCode: 200,
      message: 'Login successfull',
      data: { token: expect.any(String), user: { isVerified: true } },
    })
    expect(reply.cookies['refreshToken']?.attributes).toContain('HttpOnly')
    expect((await login(pending.email)).body.data.user.isVerified).toBe(false)
  })

  it('[API-19] answers the same way on the admin sign-in page', async () => {
    const staff = await createTestMember(app.db, { role: 'ADMIN' })
    const reply = await app.call('POST', '/auth/user-login', { body: { email: staff.email, password: TEST_PASSWORD } })
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { token: expect.any(String) } } })
  })

  it('[ER-01] [ER-70] [VA-02] [VA-03] answers the same for a wrong password and an unknown address', async () => {
    const member = await createTestMember(app.db)
    const wrong = await login(member.email, 'not-the-password')
    const unknown = await login('nobody-at-all@gmail.com', 'not-the-password')
    expect(wrong).toMatchObject({ status: 400, body: { message: 'Invalid email or password', success: false } })
    expect(unknown.text).toBe(wrong.text)
    expect(unknown.cookies).toEqual(wrong.cookies)
    expect((await login('', '')).body.message).toBe('This field is required')
  })

  it('takes about as long for an unknown address as for a wrong password', async () => {
    const passwordHash = await hashPassword(TEST_PASSWORD)
    const time = async (email: string) => {
      const started = performance.now()
      await login(email, 'not-the-password')
      return performance.now() - started
    }
    await time('warm-up@gmail.com')
    const fastest = { known: Infinity, unknown: Infinity }
    const differ = () => Math.max(fastest.known, fastest.unknown) >= 2 * Math.min(fastest.known, fastest.unknown)
    // On a busy machine, both need several rounds until each has run undisturbed.
    for (let round = 0; round < 4 || (differ() && round < 40); round += 1) {
      const { email } = await createTestMember(app.db, { passwordHash })
      fastest.known = Math.min(fastest.known, await time(email))
      fastest.unknown = Math.min(fastest.unknown, await time(`nobody-${round}@gmail.com`))
    }
    expect(differ(), JSON.stringify(fastest)).toBe(false)
  })

  it('[RO-16] [ER-70] reports a blocked account only after the right password', async () => {
    const member = await createTestMember(app.db, { active: false })
    expect(await login(member.email)).toMatchObject({ status: 400, body: { message: 'Your account is blocked' } })
    expect((await login(member.email, 'not-the-password')).body.message).toBe('Invalid email or password')
  })

  it('[ER-02] blocks an account after five failures, twice as long each time, and clears them after a success', async () => {
    const member = await createTestMember(app.db)
    for (let count = 0; count < 5; count += 1) expect((await login(member.email, 'wrong-one')).status).toBe(400)
    expect(await login(member.email)).toMatchObject({
      status: 429,
      body: { message: 'Too many requests, please try again later' },
      headers: { 'retry-after': '30' },
    })
    app.clock.advance(30_000)
    expect((await login(member.email, 'wrong-one')).status).toBe(400)
    app.clock.advance(59_000)
    expect(await login(member.email)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    app.clock.advance(1000)
    expect((await login(member.email)).status).toBe(200)
    expect((await login(member.email, 'wrong-one')).status).toBe(400)
    expect((await login(member.email)).status).toBe(200)
  })

  it('checks five of 20 parallel wrong passwords, also for an unknown address', async () => {
    const member = await createTestMember(app.db)
    for (const email of [member.email, 'nobody-in-parallel@gmail.com']) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => login(email, 'wrong-one')))
      expect(replies.filter((reply) => reply.status === 400)).toHaveLength(5)
      expect(replies.filter((reply) => reply.status === 429)).toHaveLength(15)
    }
  })

  it('accepts twelve parallel sign-ins of one member, and keeps the ten newest sessions', async () => {
    const member = await createTestMember(app.db)
    const first = await login(member.email)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        expect((await login(member.email)).status).toBe(200)
      }),
    )
    expect((await app.call('GET', '/profile', { token: first.body.data.token })).status).toBe(401)
    const newest = await login(member.email)
    expect((await app.call('GET', '/auth/sessions', { token: newest.body.data.token })).body.data).toHaveLength(10)
  })

  it('rehashes a password of an older cost at sign-in', async () => {
    const member = await createTestMember(app.db)
    const stored = () => app.db.selectFrom('member').select('password_hash').where('id', '=', member.id).executeTakeFirstOrThrow()
    expect((await stored()).password_hash).not.toContain('m=19456')
    await login(member.email)
    expect((await stored()).password_hash).toContain('m=19456,t=2,p=1')
    expect((await login(member.email)).status).toBe(200)
  })

  it('[I17] writes an audit row for each sign-in and rejection, without the password', async () => {
    const member = await createTestMember(app.db)
    await login(member.email, 'marked-wrong-password')
    await login(member.email)
    const rows = await sql<{ action: string; outcome: string; ip: string; detail: unknown }>`
      select action, outcome, ip, detail from audit_event where actor_id = ${member.id} order by id`.execute(app.db)
    expect(rows.rows.map((row) => [row.action, row.outcome, row.ip])).toEqual([
      ['auth.login', 'LOGIN_REFUSED', '127.0.0.1'],
      ['auth.login', 'ok', '127.0.0.1'],
    ])
    expect(JSON.stringify(rows.rows)).not.toContain('marked-wrong-password')
  })

  it('[API-17] [ER-02] limits calls per address and per account before it checks the password', async () => {
    const strict = await authTestApp({ RATE_LIMIT_SCALE: '1' })
    const member = await createTestMember(strict.db)
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await strict.call('POST', '/auth/login', { body: { email: member.email, password: TEST_PASSWORD } })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    strict.clock.advance(15 * 60_000)
    expect((await strict.call('POST', '/auth/login', { body: { email: member.email, password: TEST_PASSWORD } })).status).toBe(200)
  })
})
