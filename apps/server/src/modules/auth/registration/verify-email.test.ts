import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../../../test/auth-app.ts'

const app = await authTestApp()

/** Registers a member and reads the mail. */
async function registered() {
  const email = freshEmail()
  const reply = await app.register({ email })
  await app.runJobs()
  return { email, token: String(reply.body.data.token), code: app.mails.codeFor(email), link: app.mails.linkTokenFor(email) }
}

const verify = (token: string, code: string) => app.call('POST', '/limit/auth/verify-token', { token, body: { token: code } })
const resend = (token: string) => app.call('POST', '/limit/auth/resend-otp', { token })
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

describe('POST /limit/auth/verify-token', () => {
  it('[API-27] [GN-08] [GN-09] [RO-06] verifies with the six-digit code, and replaces the session', async () => {
    const { token, code } = await registered()
    const reply = await verify(token, code)
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { token: expect.any(String) } } })
    expect(reply.cookies['refreshToken']?.value).toMatch(/^[\w-]{43}$/)
    expect((await app.call('GET', '/profile', { token: reply.body.data.token })).body.data).toMatchObject({ isVerified: true, live: true })
    expect((await app.call('GET', '/profile', { token })).status).toBe(401)
  })

  it('[ER-51] rejects a wrong code', async () => {
    const { token, code } = await registered()
    expect(await verify(token, wrongFor(code))).toMatchObject({ status: 400, body: { success: false, message: 'Invalid or expired OTP' } })
    expect((await verify(token, code)).status).toBe(200)
  })

  it('[VA-78] [CO-34] rejects an empty code and one below six characters', async () => {
    const { token } = await registered()
    expect((await verify(token, '')).body.message).toBe('This field is required')
    expect((await verify(token, '12345')).body.message).toBe('Minimum length is 6')
  })

  it('[API-27] accepts the code as a number', async () => {
    const { token, code } = await registered()
    const reply = await app.call('POST', '/limit/auth/verify-token', { token, body: { token: Number(code) } })
    expect(reply).toMatchObject({ status: 200, body: { message: 'User Verified' } })
  })

  it('[GN-10] accepts the code for 10 minutes and rejects an expired one', async () => {
    const inTime = await registered()
    app.clock.advance(10 * 60_000 - 1)
    expect((await verify(inTime.token, inTime.code)).status).toBe(200)
    const { token, code } = await registered()
    app.clock.advance(10 * 60_000)
    expect((await verify(token, code)).body.message).toBe('Invalid or expired OTP')
  })

  it('accepts a code once', async () => {
    const { token, code } = await registered()
    const replies = await Promise.all([verify(token, code), verify(token, code), verify(token, code)])
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  it('checks five attempts per code, also for 20 parallel ones, and then invalidates the code', async () => {
    const { email, token, code } = await registered()
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(token, wrongFor(code))))
    expect(replies.every((reply) => reply.body.message === 'Invalid or expired OTP')).toBe(true)
    expect((await verify(token, code)).status).toBe(400)
    const row = await app.db
      .selectFrom('mail_code')
      .innerJoin('member', 'member.id', 'mail_code.member_id')
      .select('attempts')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(row.attempts).toBe(5)
  })

  it('rejects the code of another member', async () => {
    const [one, two] = [await registered(), await registered()]
    expect((await verify(one.token, two.code)).status).toBe(one.code === two.code ? 200 : 400)
  })

  it('[API-15] requires a session', async () => {
    expect((await app.call('POST', '/limit/auth/verify-token', { body: { token: '123456' } })).status).toBe(401)
  })
})

describe('POST /auth', () => {
  it('[API-26] [ST-74] [GN-09] verifies with the link token, once, and signs in', async () => {
    const { token, link } = await registered()
    const reply = await app.call('POST', '/auth', { token: link })
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { token: expect.any(String) } } })
    expect((await app.call('GET', '/profile', { token: reply.body.data.token })).body.data.isVerified).toBe(true)
    expect((await app.call('GET', '/profile', { token })).status).toBe(401)
    expect(await app.call('POST', '/auth', { token: link })).toMatchObject({
      status: 400,
      body: { message: 'Your verification link has been expired, please submit again' },
    })
  })

  it('[GN-10] [ER-52] accepts the link for 24 hours, and rejects an expired, unknown or missing one', async () => {
    const inTime = await registered()
    app.clock.advance(24 * 3_600_000 - 1)
    expect((await app.call('POST', '/auth', { token: inTime.link })).status).toBe(200)
    const { link } = await registered()
    app.clock.advance(24 * 3_600_000)
    for (const token of [link, 'x'.repeat(43), undefined]) {
      expect(await app.call('POST', '/auth', { token })).toMatchObject({
        status: 400,
        body: { message: 'Your verification link has been expired, please submit again' },
      })
    }
  })

  it('rejects the link of a blocked member and leaves it unused', async () => {
    const { email, link } = await registered()
    const block = (active: boolean) => app.db.updateTable('member').set({ is_active: active }).where('email', '=', email).execute()
    await block(false)
    expect(await app.call('POST', '/auth', { token: link })).toMatchObject({ status: 400, body: { message: 'Your account is blocked' } })
    await block(true)
    expect((await app.call('POST', '/auth', { token: link })).status).toBe(200)
  })
})

describe('POST /limit/auth/resend-otp', () => {
  it('[API-28] [API-29] [ER-50] mails a new code; the previous code and link stop working', async () => {
    const first = await registered()
    expect(await resend(first.token)).toMatchObject({ status: 200, body: { success: true } })
    await app.runJobs()
    const newest = app.mails.codeFor(first.email)
    expect((await app.call('POST', '/auth', { token: first.link })).status).toBe(400)
    if (newest !== first.code) expect((await verify(first.token, first.code)).status).toBe(400)
    expect((await verify(first.token, newest)).status).toBe(200)
  })

  it('[CO-33] [CO-35] [ER-46] rejects a second resend within 90 seconds', async () => {
    const { token } = await registered()
    expect((await resend(token)).status).toBe(200)
    app.clock.advance(89_000)
    expect(await resend(token)).toMatchObject({
      status: 429,
      body: { message: 'Too many requests, please try again later' },
      headers: { 'retry-after': '1' },
    })
    app.clock.advance(1000)
    expect((await resend(token)).status).toBe(200)
  })

  it('accepts one of ten parallel resends', async () => {
    const { token } = await registered()
    const replies = await Promise.all(Array.from({ length: 10 }, () => resend(token)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(9)
  })

  it('mails at most ten codes a day', async () => {
    const { token } = await registered()
    for (let count = 0; count < 9; count += 1) {
      expect((await resend(token)).status).toBe(200)
      app.clock.advance(90_000)
    }
    // The first of the ten was sent 9 times 90 seconds ago.
    expect(await resend(token)).toMatchObject({ status: 429, headers: { 'retry-after': String(24 * 3600 - 9 * 90) } })
  })

  it('mails nothing to a verified member', async () => {
    const { email, token, code } = await registered()
    const signedIn = await verify(token, code)
    const before = app.mails.to(email).length
    expect((await resend(signedIn.body.data.token)).status).toBe(200)
    await app.runJobs()
    expect(app.mails.to(email)).toHaveLength(before)
  })
})
