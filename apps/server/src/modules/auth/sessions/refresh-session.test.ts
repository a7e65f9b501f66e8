import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'

const app = await authTestApp()

const refresh = (cookie: string | undefined, headers: Record<string, string> = {}) =>
  app.call('POST', '/auth/refresh-token', { cookie, headers })
const profile = (token: string) => app.call('GET', '/profile', { token })
const cookieOf = (reply: Awaited<ReturnType<typeof refresh>>) => `refreshToken=${reply.cookies['refreshToken']?.value ?? 'none'}`

async function signedIn(role: 'MEMBER' | 'ADMIN' = 'MEMBER') {
  const member = await createTestMember(app.db, { role })
  const reply = await app.call('POST', '/auth/login', { body: { email: member.email, password: TEST_PASSWORD } })
  return { member, token: String(reply.body.data.token), cookie: cookieOf(reply) }
}

describe('POST /auth/refresh-token', () => {
  it('[API-20] [API-21] [EN-03] returns a new access token and replaces the cookie', async () => {
    const { token, cookie } = await signedIn()
    app.clock.advance(15 * 60_000)
    expect((await profile(token)).status).toBe(403)
    const reply = await refresh(cookie)
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { accessToken: expect.any(String) } } })
    expect(Object.keys(reply.body.data)).toEqual(['accessToken'])
    expect(cookieOf(reply)).not.toBe(cookie)
    expect((await profile(reply.body.data.accessToken)).status).toBe(200)
  })

  it('answers several tabs that share one cookie, and rotates the cookie for one of them', async () => {
    const { cookie } = await signedIn()
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(cookie)))
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 8 }, () => 200))
    const rotated = replies.filter((reply) => reply.cookies['refreshToken'] !== undefined)
    expect(rotated).toHaveLength(1)
    app.clock.advance(20_000)
    expect(await refresh(cookie)).toMatchObject({ status: 200, cookies: {} })
    expect((await refresh(rotated[0] === undefined ? undefined : cookieOf(rotated[0]))).status).toBe(200)
  })

  it('ends the session when a used cookie is sent again later', async () => {
    const { cookie } = await signedIn()
    const second = await refresh(cookie)
    app.clock.advance(20_001)
    expect((await refresh(cookie)).status).toBe(401)
    expect((await refresh(cookieOf(second))).status).toBe(401)
    expect((await profile(second.body.data.accessToken)).status).toBe(401)
  })

  it('[API-15] [ST-15] rejects a missing cookie, an unknown one and that of an ended session', async () => {
    const { token, cookie } = await signedIn()
    expect((await refresh(undefined)).status).toBe(401)
    expect((await refresh(`refreshToken=${'x'.repeat(43)}`)).status).toBe(401)
    expect((await refresh(`refreshToken=${token}`)).status).toBe(401)
    await app.call('POST', '/auth/log-out', { token })
    expect((await refresh(cookie)).status).toBe(401)
  })

  it('[RO-16] [I17] rejects a blocked member, and records it once for each session', async () => {
    const { member, cookie } = await signedIn()
    await app.db.updateTable('member').set({ is_active: false }).where('id', '=', member.id).execute()
    const replies = await Promise.all([refresh(cookie), refresh(cookie), refresh(cookie)])
    expect([...replies, await refresh(cookie)].map(({ status }) => status)).toEqual([401, 401, 401, 401])
    const entries = await app.db.selectFrom('audit_event').select('outcome').where('action', '=', 'auth.refresh-blocked').execute()
    expect(entries).toEqual([{ outcome: 'UNAUTHENTICATED' }])
  })

  it('ends a session after 7 idle days, and any session after 30 days', async () => {
    const resting = await signedIn()
    app.clock.advance(7 * 24 * 3_600_000)
    expect((await refresh(resting.cookie)).status).toBe(401)
    let { cookie } = await signedIn()
    for (let day = 0; day < 37; day += 1) {
      app.clock.advance(19 * 3_600_000)
      const reply = await refresh(cookie)
      expect(reply.status).toBe(200)
      cookie = cookieOf(reply)
    }
    app.clock.advance(17 * 3_600_000)
    expect((await refresh(cookie)).status).toBe(401)
  })

  it('ends a staff session after 15 idle minutes, and after 8 hours', async () => {
    const resting = await signedIn('ADMIN')
    app.clock.advance(15 * 60_000)
    expect((await refresh(resting.cookie)).status).toBe(401)
    let { token, cookie } = await signedIn('ADMIN')
    for (let turn = 0; turn < 47; turn += 1) {
      app.clock.advance(10 * 60_000)
      expect((await profile(token)).status).toBe(200)
      const reply = await refresh(cookie)
      expect(reply.status).toBe(200)
      cookie = cookieOf(reply)
      token = reply.body.data.accessToken
    }
    app.clock.advance(10 * 60_000)
    expect((await refresh(cookie)).status).toBe(401)
  })

  it('ignores the cookie of a cross-site request', async () => {
    const { cookie } = await signedIn()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      expect((await refresh(cookie, headers)).status).toBe(401)
    }
    expect((await refresh(cookie, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await app.call('GET', '/auth/refresh-token', { cookie })).status).toBe(404)
    expect((await refresh(cookie, { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' })).status).toBe(200)
  })
})

describe('POST /auth/log-out', () => {
  it('[API-23] [API-24] ends access and refresh at once and clears the cookie', async () => {
    const { token, cookie } = await signedIn()
    const reply = await app.call('POST', '/auth/log-out', { token, cookie })
    expect(reply).toMatchObject({ status: 200, body: { success: true, statusCode: 200, message: expect.any(String) } })
    expect(reply.cookies['refreshToken']?.value).toBe('')
    expect(reply.cookies['refreshToken']?.attributes).toContain('Path=/api/v1/auth')
    expect((await profile(token)).status).toBe(401)
    expect((await refresh(cookie)).status).toBe(401)
  })

  it('ends the session with the cookie alone, and with an expired token alone', async () => {
    const one = await signedIn()
    await app.call('POST', '/auth/log-out', { cookie: one.cookie })
    expect((await profile(one.token)).status).toBe(401)
    const two = await signedIn()
    app.clock.advance(16 * 60_000)
    await app.call('POST', '/auth/log-out', { token: two.token })
    expect((await refresh(two.cookie)).status).toBe(401)
  })

  it('[API-24] answers 200 without a valid token too', async () => {
    for (const call of [{}, { token: 'nonsense' }, { cookie: 'refreshToken=nonsense' }]) {
      expect((await app.call('POST', '/auth/log-out', call)).status).toBe(200)
    }
  })

  it('keeps the session when another site sends the request', async () => {
    const { token, cookie } = await signedIn()
    const reply = await app.call('POST', '/auth/log-out', {
      cookie,
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    })
    expect(reply.cookies).toEqual({})
    expect((await profile(token)).status).toBe(200)
  })
})
