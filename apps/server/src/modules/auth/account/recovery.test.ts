import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'

const NEW_PASSWORD = 'amber-kettle-27'

const app = await authTestApp()

const forgot = (email: string) => app.call('POST', '/auth/forgot-password', { body: { email } })
const reset = (token: string | undefined, newPassword = NEW_PASSWORD, confirmPassword = newPassword) =>
  app.call('POST', '/auth/reset-password', { token, body: { newPassword, confirmPassword } })
const login = (email: string, password: string) => app.call('POST', '/auth/login', { body: { email, password } })

async function withLink() {
  const member = await createTestMember(app.db)
  await forgot(member.email)
  await app.runJobs()
  return { member, link: app.mails.linkTokenFor(member.email) }
}

describe('POST /auth/forgot-password', () => {
  it('[API-30] [API-31] [ER-41] gives a known and an unknown address the same answer, and mails only the known one', async () => {
    const member = await createTestMember(app.db)
    const known = await forgot(member.email)
    const unknown = await forgot('nobody-to-reset@gmail.com')
    expect(known).toMatchObject({ status: 200, body: { success: true, message: 'Password reset email sent successfully' } })
    expect(unknown.text).toBe(known.text)
    await app.runJobs()
    expect(app.mails.to(member.email)).toHaveLength(1)
    expect(app.mails.to('nobody-to-reset@gmail.com')).toHaveLength(0)
    expect(app.mails.to(member.email)[0]?.text).toMatch(/http:\/\/localhost:3000\/auth\/reset-password\?token=[\w-]{43}\n/)
  })

  it('[VA-90] requires an address', async () => {
    expect((await forgot('')).body.message).toBe('This field is required')
    expect((await forgot('nonsense')).body.message).toBe('Entered value does not match email format')
  })

  it('mails an account at most three times an hour with the same answer', async () => {
    const member = await createTestMember(app.db)
    for (let count = 0; count < 5; count += 1) {
      expect((await forgot(member.email)).status).toBe(200)
      await app.runJobs()
    }
    expect(app.mails.to(member.email)).toHaveLength(3)
    app.clock.advance(3_600_000)
    await forgot(member.email)
    await app.runJobs()
    expect(app.mails.to(member.email)).toHaveLength(4)
  })

  it('[ER-44] [API-17] is rate limited', async () => {
    const strict = await authTestApp({ RATE_LIMIT_SCALE: '1' })
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await strict.call('POST', '/auth/forgot-password', { body: { email: 'a@gmail.com' } })).status)
    }
    expect(statuses.slice(-2)).toEqual([200, 429])
  })
})

describe('POST /auth/reset-password', () => {
  it('[API-32] [RO-05] [ER-47] sets the password by the link, ends every session and notifies the member', async () => {
    const { member, link } = await withLink()
    const session = await login(member.email, TEST_PASSWORD)
    expect(await reset(link)).toMatchObject({ status: 200, body: { success: true, message: 'Account recovered' } })
    expect((await app.call('GET', '/profile', { token: session.body.data.token })).status).toBe(401)
    expect(
      (await app.call('POST', '/auth/refresh-token', { cookie: `refreshToken=${session.cookies['refreshToken']?.value}` })).status,
    ).toBe(401)
    expect((await login(member.email, TEST_PASSWORD)).status).toBe(400)
    expect((await login(member.email, NEW_PASSWORD)).status).toBe(200)
    await app.runJobs()
    expect(app.mails.to(member.email).map((mail) => mail.subject)).toContain('Tizara: your password was changed')
    const row = await app.db.selectFrom('member').select('password_reset_at').where('id', '=', member.id).executeTakeFirstOrThrow()
    expect(row.password_reset_at).toEqual(app.clock.now())
  })

  it('[ER-48] accepts a link once, also for parallel calls', async () => {
    const { link } = await withLink()
    const replies = await Promise.all(Array.from({ length: 5 }, (_, index) => reset(link, `amber-kettle-${index}7`)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(await reset(link)).toMatchObject({ status: 400, body: { message: 'Your reset link has expired, please request a new one' } })
  })

  it('[GN-10] accepts the link for 30 minutes, and rejects an expired, unknown or missing one', async () => {
    const inTime = await withLink()
    app.clock.advance(30 * 60_000 - 1)
    expect((await reset(inTime.link)).status).toBe(200)
    const { link } = await withLink()
    app.clock.advance(30 * 60_000)
    for (const token of [link, 'x'.repeat(43), undefined]) expect((await reset(token)).status).toBe(400)
  })

  it('accepts a link after a stranger requested another one, and rejects all others after its use', async () => {
    const { member, link } = await withLink()
    await forgot(member.email)
    await app.runJobs()
    const newer = app.mails.linkTokenFor(member.email)
    expect(newer).not.toBe(link)
    expect((await reset(link)).status).toBe(200)
    expect((await reset(newer)).status).toBe(400)
  })

  it('[VA-74] [VA-75] [VA-76] [VA-77] checks the new password, and keeps the link valid after a rejection', async () => {
    const { link } = await withLink()
    expect((await reset(link, '')).status).toBe(400)
    expect((await reset(link, 'abc12', 'abc12')).body.message).toBe('Minimum length is 6')
    expect((await reset(link, NEW_PASSWORD, 'amber-kettle-28')).body.message).toBe('Password did not match')
    expect((await reset(link, 'password1')).body.message).toContain('too easy')
    expect((await reset(link)).status).toBe(200)
  })

  it('clears failed sign-ins, so that guesses do not lock the owner out', async () => {
    const { member, link } = await withLink()
    for (let count = 0; count < 5; count += 1) await login(member.email, 'wrong-one')
    expect((await login(member.email, TEST_PASSWORD)).status).toBe(429)
    await reset(link)
    expect((await login(member.email, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('POST /auth/change-password', () => {
  it('requires the old password, ends the other sessions and notifies the member', async () => {
    const member = await createTestMember(app.db)
    const here = await app.signIn(member.id)
    const elsewhere = await app.signIn(member.id)
    const change = (oldPassword: string, newPassword: string) =>
      app.call('POST', '/auth/change-password', { token: here.token, body: { oldPassword, newPassword } })
    expect(await change('not-the-password', NEW_PASSWORD)).toMatchObject({
      status: 400,
      body: { message: 'The current password is not right' },
    })
    expect((await change(TEST_PASSWORD, 'letmein')).body.message).toContain('too easy')
    expect((await change(TEST_PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect((await app.call('GET', '/profile', { token: here.token })).status).toBe(200)
    expect((await app.call('GET', '/profile', { token: elsewhere.token })).status).toBe(401)
    expect((await login(member.email, NEW_PASSWORD)).status).toBe(200)
    await app.runJobs()
    expect(app.mails.to(member.email).map((mail) => mail.subject)).toContain('Tizara: your password was changed')
  })

  it('delays further guesses', async () => {
    const member = await createTestMember(app.db)
    const { token } = await app.signIn(member.id)
    const guess = () => app.call('POST', '/auth/change-password', { token, body: { oldPassword: 'wrong-one', newPassword: NEW_PASSWORD } })
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(400)
    expect((await guess()).status).toBe(429)
  })
})
