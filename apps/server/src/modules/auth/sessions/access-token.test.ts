import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthTestApp, authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD, type TestMember } from '../../../../test/members.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { readAccessToken, readViewToken, writeAccessToken, writeViewToken } from './access-token.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const SECRET = 'one-secret-of-at-least-32-characters'
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const forge = (header: unknown, claims: unknown, secret: string, hash = 'sha256') => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`
}

describe('access token', () => {
  const write = (accessTokenSeconds: number) =>
    writeAccessToken({ tokenSecret: SECRET, tokenSecretPrevious: undefined, accessTokenSeconds }, { id: 12n, memberPublicId: 'abc' }, NOW)
  const token = write(900)
  const read = (text: string, at = NOW) => readAccessToken({ tokenSecret: SECRET, tokenSecretPrevious: undefined }, text, at)

  it('[API-22] refers to its session and expires after 15 minutes', () => {
    expect(read(token)).toEqual({ publicId: 'abc', sessionId: 12n, expired: false })
    expect(read(token, new Date(NOW.getTime() + 899_000))?.expired).toBe(false)
    expect(read(token, new Date(NOW.getTime() + 900_000))?.expired).toBe(true)
  })

  it('expires after the configured time', () => {
    expect(read(write(60), new Date(NOW.getTime() + 59_000))?.expired).toBe(false)
    expect(read(write(60), new Date(NOW.getTime() + 60_000))?.expired).toBe(true)
  })

  it('is valid under the previous secret, and under no other', () => {
    expect(readAccessToken({ tokenSecret: 'new', tokenSecretPrevious: SECRET }, token, NOW)?.sessionId).toBe(12n)
    expect(readAccessToken({ tokenSecret: 'new', tokenSecretPrevious: 'other' }, token, NOW)).toBeUndefined()
  })

  it('is cached by its whole text and secrets, but not past its expiry or for another purpose', () => {
    const secrets = { tokenSecret: SECRET, tokenSecretPrevious: undefined }
    const view = writeViewToken(secrets, { id: 12n, memberPublicId: 'abc', seconds: 900 }, NOW)
    for (const time of ['first', 'again']) {
      expect(readAccessToken(secrets, token, NOW), time).toEqual({ publicId: 'abc', sessionId: 12n, expired: false })
      expect(readAccessToken(secrets, token, new Date(NOW.getTime() + 900_000))?.expired).toBe(true)
      expect(readAccessToken(secrets, `${token}=`, NOW)).toBeUndefined()
      expect(readAccessToken({ tokenSecret: 'other', tokenSecretPrevious: undefined }, token, NOW)).toBeUndefined()
      expect([readViewToken(secrets, token, NOW), readAccessToken(secrets, view, NOW)]).toEqual([undefined, undefined])
      expect(readViewToken(secrets, view, NOW)?.sessionId).toBe(12n)
    }
  })

  it('is invalid when any of its characters is changed', () => {
    for (let index = 0; index < token.length; index += 1) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      expect(read(changed)).toBeUndefined()
    }
  })
})

describe('call with a token', () => {
  let app: AuthTestApp
  let member: TestMember
  let token: string
  let good: Record<string, unknown>
  const header = { alg: 'HS256', typ: 'at+jwt' }
  const status = async (text: string) => (await app.call('GET', '/profile', { token: text })).status

  beforeAll(async () => {
    app = await authTestApp()
    member = await createTestMember(app.db)
    token = (await app.signIn(member.id)).token
    good = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  })

  it('[RO-03] [API-06] [API-07] is accepted bare and after Bearer', async () => {
    expect(await status(token)).toBe(200)
    expect(await status(`Bearer ${token}`)).toBe(200)
    expect(await status(forge(header, good, app.deps.config.tokenSecret))).toBe(200)
  })

  it('[API-15] is answered 401 for every forged or malformed token', async () => {
    const secret = app.deps.config.tokenSecret
    const bad: [string, string][] = [
      ['nonsense', 'nonsense'],
      ['no signature', token.split('.').slice(0, 2).join('.')],
      ['empty signature', `${token.split('.').slice(0, 2).join('.')}.`],
      ['another secret', forge(header, good, 'x'.repeat(40))],
      ['alg none', `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(good)}.`],
      ['alg none, signed', forge({ alg: 'none', typ: 'at+jwt' }, good, secret)],
      ['another algorithm', forge({ alg: 'HS512', typ: 'at+jwt' }, good, secret, 'sha512')],
      ['asymmetric', forge({ alg: 'RS256', typ: 'at+jwt' }, good, secret)],
      ['a key in the header', forge({ ...header, jwk: { kty: 'oct', k: 'AAAA' } }, good, secret)],
      ['a key address in the header', forge({ ...header, jku: 'http://127.0.0.1:9/keys' }, good, secret)],
      ['a key path in the header', forge({ ...header, kid: '../../dev/null' }, good, secret)],
      ['another type', forge({ ...header, typ: 'JWT' }, good, secret)],
      ['another audience', forge(header, { ...good, aud: 'somebody-else' }, secret)],
      ['another purpose', forge(header, { ...good, purpose: 'reset' }, secret)],
      ['no purpose', forge(header, { ...good, purpose: undefined }, secret)],
      ['another member', forge(header, { ...good, sub: 'somebody-else' }, secret)],
      ['no session', forge(header, { ...good, sid: '999999999' }, secret)],
      ['a session that is no number', forge(header, { ...good, sid: '1 or 1=1' }, secret)],
      ['no end', forge(header, { ...good, exp: undefined }, secret)],
      ['a far-future start', forge(header, { ...good, nbf: Number(good['iat']) + 3600 }, secret)],
      ['a list as claims', forge(header, [], secret)],
    ]
    for (const [what, text] of bad) expect([what, await status(text)]).toEqual([what, 401])
  })

  it('[API-15] [ER-04] is answered 403 for an expired token of a live session, and 401 once the session has ended', async () => {
    const session = await app.signIn(member.id)
    app.clock.advance(15 * 60_000)
    const reply = await app.call('GET', '/profile', { token: session.token })
    expect(reply).toMatchObject({ status: 403, body: { success: false, statusCode: 403 } })
    await app.call('POST', '/auth/log-out', { token: session.token })
    expect(await status(session.token)).toBe(401)
  })

  it('rejects refresh tokens, codes, verification links and reset links as access tokens, and the reverse', async () => {
    const person = await app.register()
    const registered = String(person.body.data.token)
    await app.runJobs()
    const email = String((await app.call('GET', '/profile', { token: registered })).body.data.email)
    const verifyLink = app.mails.linkTokenFor(email)
    const verified = await createTestMember(app.db)
    await app.call('POST', '/auth/forgot-password', { body: { email: verified.email } })
    await app.runJobs()
    const resetLink = app.mails.linkTokenFor(verified.email)
    const refresh = person.cookies['refreshToken']?.value ?? ''
    const code = app.mails.codeFor(email)
    for (const text of [refresh, verifyLink, resetLink, code]) expect(await status(text)).toBe(401)
    for (const text of [registered, refresh, resetLink, code]) expect((await app.call('POST', '/auth', { token: text })).status).toBe(400)
    const newPassword = 'amber-kettle-27'
    for (const text of [registered, refresh, verifyLink, code]) {
      const reply = await app.call('POST', '/auth/reset-password', { token: text, body: { newPassword, confirmPassword: newPassword } })
      expect(reply).toMatchObject({ status: 400, body: { message: 'Your reset link has expired, please request a new one' } })
    }
    for (const text of [registered, verifyLink, resetLink]) {
      expect((await app.call('POST', '/auth/refresh-token', { cookie: `refreshToken=${text}` })).status).toBe(401)
    }
  })

  it('[RO-08] [I17] is rejected as soon as the member is blocked, which leaves one audit entry an hour', async () => {
    const person = await createTestMember(app.db)
    const session = await app.signIn(person.id)
    const call = () => app.call('GET', '/profile/my-team', { token: session.token })
    expect((await call()).status).toBe(200)
    await app.db.updateTable('member').set({ is_active: false }).where('id', '=', person.id).execute()
    const replies = await Promise.all([call(), call(), call()])
    expect(replies.map((reply) => reply.status)).toEqual([401, 401, 401])
    const entries = app.db.selectFrom('audit_event').select(['action', 'outcome']).where('actor_id', '=', person.id)
    expect(await entries.execute()).toEqual([{ action: 'auth.suspended-call', outcome: 'UNAUTHENTICATED' }])
  })

  it('reads its own member when many calls run in parallel', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => createTestMember(app.db)))
    const sessions = await Promise.all(people.map((person) => app.signIn(person.id)))
    const calls = sessions.flatMap((session, index) => [
      app.call('GET', '/profile', { token: session.token }).then((reply) => [index, reply.body.data.id]),
      app.call('GET', '/profile', { token: `${session.token}x` }).then((reply) => [index, reply.status]),
    ])
    const expected = people.flatMap((person, index) => [
      [index, person.publicId],
      [index, 401],
    ])
    expect(await Promise.all(calls)).toEqual(expected)
  })

  it('records when the session was last used', async () => {
    const person = await createTestMember(app.db)
    const reply = await app.call('POST', '/auth/login', { body: { email: person.email, password: TEST_PASSWORD } })
    const read = async () => (await app.call('GET', '/auth/sessions', { token: reply.body.data.token })).body.data[0].lastSeenAt
    const first = await read()
    app.clock.advance(61_000)
    expect(new Date(await read()).getTime() - new Date(first).getTime()).toBe(61_000)
  })
})

it('no token is signed or read with an empty key', () => {
  const config = readConfig({ NODE_ENV: 'test', TOKEN_SECRET_PREVIOUS: '', TOKEN_SECRET: ' ' })
  const now = new Date('2026-03-02T09:00:00Z')
  const forged = writeAccessToken({ ...config, tokenSecret: '' }, { id: 1n, memberPublicId: 'somebody' }, now)
  expect(readAccessToken(config, forged, now)).toBeUndefined()
  expect(config.tokenSecret.length).toBeGreaterThan(20)
})
