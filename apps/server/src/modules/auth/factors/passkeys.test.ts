import { PASSKEYS_MAX } from '@tizara/contract/passkeys'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../../test/auth-app.ts'
import { addAuthenticator, createTestMember, TEST_PASSWORD } from '../../../../test/members.ts'
import { type AssertionContent, SoftAuthenticator } from '../../../../test/soft-authenticator.ts'

const app = await authTestApp()

const instance = () => {
  const { origin, hostname: rpId } = new URL(app.deps.config.publicUrl)
  return { origin, rpId }
}

/** Creates an account with an authenticator app. Each call uses a new code. */
async function person(role: 'MEMBER' | 'ADMIN' = 'MEMBER') {
  const member = await createTestMember(app.db, { role })
  const first = await app.signIn(member.id)
  const totp = await addAuthenticator(app.db, app.deps, member.id)
  const otp = () => {
    app.clock.advance(30_000)
    return totp.generate({ timestamp: app.clock.now().getTime() })
  }
  const post = async (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') => app.call(method, path, { token: first.token, body })
  const key = new SoftAuthenticator()
  const begin = async () => (await post('/auth/passkeys/begin', { otp: otp() })).body.data
  const add = async (response: Partial<AssertionContent> = {}, name = 'Laptop', one = key) => {
    const { challengeId, options } = await begin()
    return post('/auth/passkeys', { challengeId, name, credential: one.make({ ...instance(), challenge: options.challenge, ...response }) })
  }
  const challenge = () => app.call('POST', '/auth/passkey/begin', { body: { email: member.email, password: TEST_PASSWORD } })
  const login = (challengeId: string, credential: object) =>
    app.call('POST', '/auth/passkey/login', { body: { email: member.email, password: TEST_PASSWORD, challengeId, credential } })
  /** Signs in with a passkey response that may contain forged fields. */
  const enter = async (response: Partial<AssertionContent> = {}, one = key) => {
    const { challengeId, options } = (await challenge()).body.data
    return login(challengeId, one.get({ ...instance(), challenge: options.challenge, ...response }))
  }
  return { member, token: first.token, otp, key, post, begin, add, challenge, login, enter }
}
const REFUSED = 'This passkey is not right'
const statusAndMessage = (reply: { status: number; body: { message: string } }) => [reply.status, reply.body.message]

describe('passkey', () => {
  it('is added with an app code, replaces the code at sign-in, is renamed and removed, and its owner is mailed', async () => {
    const who = await person()
    const otherSession = await app.signIn(who.member.id)
    const { body } = await who.add({ synced: true })
    expect((await app.call('GET', '/profile', { token: otherSession.token })).status).toBe(401)
    const list = async () => (await app.call('GET', '/auth/passkeys', { token: who.token })).body.data
    expect(await list()).toMatchObject([{ id: body.data.id, name: 'Laptop', synced: true, lastUsedAt: null }])
    const entered = await who.enter({ synced: true })
    expect(statusAndMessage(entered)).toEqual([200, 'Login successfull'])
    expect((await app.call('GET', '/profile', { token: entered.body.data.token })).status).toBe(200)
    expect((await list())[0].lastUsedAt).not.toBeNull()
    expect((await who.post(`/auth/passkeys/${body.data.id}`, { name: 'Old laptop', otp: who.otp() }, 'PATCH')).status).toBe(200)
    expect((await who.post(`/auth/passkeys/${body.data.id}/remove`, { otp: who.otp() })).status).toBe(200)
    expect(await list()).toEqual([])
    expect(statusAndMessage(await who.challenge())).toEqual([400, 'This account has no passkey'])
    await app.runJobs()
    const subjects = app.mails.to(who.member.email).map((mail) => mail.subject)
    expect(subjects.filter((subject) => subject.includes('a passkey was')).toSorted()).toEqual([
      'Tizara: a passkey was added',
      'Tizara: a passkey was removed',
      'Tizara: a passkey was renamed',
    ])
  })

  it('requires user verification for staff, and prefers it for members', async () => {
    const [admin, member] = [await person('ADMIN'), await person()]
    expect(statusAndMessage(await admin.add({ verified: false }))).toEqual([400, REFUSED])
    expect((await admin.add()).status).toBe(200)
    expect(statusAndMessage(await admin.enter({ verified: false }))).toEqual([400, REFUSED])
    expect((await admin.enter()).status).toBe(200)
    expect((await admin.challenge()).body.data.options.userVerification).toBe('required')
    expect((await member.add({ verified: false })).status).toBe(200)
    expect((await member.enter({ verified: false })).status).toBe(200)
  })

  it('answers a challenge only once, within five minutes, and only its own challenge', async () => {
    const who = await person()
    await who.add()
    const { challengeId, options } = (await who.challenge()).body.data
    const right = who.key.get({ ...instance(), challenge: options.challenge })
    const both = await Promise.all([who.login(challengeId, right), who.login(challengeId, right)])
    expect(both.map((reply) => reply.status).toSorted()).toEqual([200, 400])
    const second = (await who.challenge()).body.data
    expect(statusAndMessage(await who.login(second.challengeId, right))).toEqual([400, REFUSED])
    expect(
      statusAndMessage(await who.login(second.challengeId, who.key.get({ ...instance(), challenge: second.options.challenge }))),
    ).toEqual([400, REFUSED])
    const late = (await who.challenge()).body.data
    app.clock.advance(5 * 60_000)
    expect(statusAndMessage(await who.login(late.challengeId, who.key.get({ ...instance(), challenge: late.options.challenge })))).toEqual([
      400,
      REFUSED,
    ])
    expect((await who.enter()).status).toBe(200)
  })

  it.each([
    ['another origin', { origin: 'https://tizara.example.org' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.from('mine').toString('base64url') }],
  ])('is rejected from %s, when it is added and at sign-in', async (_, lie) => {
    const who = await person()
    expect(statusAndMessage(await who.add(lie))).toEqual([400, REFUSED])
    expect((await who.add()).status).toBe(200)
    expect(statusAndMessage(await who.enter(lie))).toEqual([400, REFUSED])
  })

  it('belongs to one account: another account cannot add, use, rename or remove it', async () => {
    const [who, other] = [await person(), await person()]
    const { id } = (await who.add()).body.data
    await other.add()
    expect(statusAndMessage(await other.add({}, 'Stolen', who.key))).toEqual([400, REFUSED])
    expect(statusAndMessage(await other.enter({}, who.key))).toEqual([400, REFUSED])
    const { challengeId, options } = (await who.challenge()).body.data
    expect(statusAndMessage(await other.login(challengeId, other.key.get({ ...instance(), challenge: options.challenge })))).toEqual([
      400,
      REFUSED,
    ])
    expect((await other.post(`/auth/passkeys/${id}`, { name: 'Mine', otp: other.otp() }, 'PATCH')).status).toBe(404)
    expect((await other.post(`/auth/passkeys/${id}/remove`, { otp: other.otp() })).status).toBe(404)
    const unknown = new SoftAuthenticator()
    expect(statusAndMessage(await who.enter({}, unknown))).toEqual([400, REFUSED])
    expect((await who.enter()).status).toBe(200)
  })

  it('is added only in the session that began it, with a fresh code, and only beside an app', async () => {
    const who = await person()
    const { challengeId, options } = await who.begin()
    const credential = who.key.make({ ...instance(), challenge: options.challenge })
    const elsewhere = await app.signIn(who.member.id)
    const body = { challengeId, name: 'Laptop', credential }
    expect(statusAndMessage(await app.call('POST', '/auth/passkeys', { token: elsewhere.token, body }))).toEqual([400, REFUSED])
    expect((await who.post('/auth/passkeys', body)).status).toBe(200)
    expect((await who.post('/auth/passkeys/begin', {})).body.message).toBe('Please enter the code of your authenticator app')
    expect((await who.post('/auth/passkeys/begin', { password: TEST_PASSWORD })).status).toBe(400)
    const bare = await createTestMember(app.db)
    const { token } = await app.signIn(bare.id)
    const refused = await app.call('POST', '/auth/passkeys/begin', { token, body: {} })
    expect(refused.body.message).toBe('No authenticator app is set up')
    for (let number = 1; number < PASSKEYS_MAX; number += 1)
      expect((await who.add({}, `${number}`, new SoftAuthenticator())).status).toBe(200)
    expect((await who.post('/auth/passkeys/begin', { otp: who.otp() })).body.message).toBe('Please remove a passkey first')
  })

  it('[I14] is not added with a confirmation challenge, and does not confirm with one for adding or sign-in', async () => {
    const who = await person()
    await who.add()
    const show = async () => (await who.post('/auth/passkeys/challenge', {})).body.data
    const second = new SoftAuthenticator()
    const shown = await show()
    const credential = second.make({ ...instance(), challenge: shown.options.challenge })
    expect(statusAndMessage(await who.post('/auth/passkeys', { challengeId: shown.challengeId, name: 'Stolen', credential }))).toEqual([
      400,
      REFUSED,
    ])
    const again = await show()
    const answered = who.key.get({ ...instance(), challenge: again.options.challenge })
    expect(statusAndMessage(await who.login(again.challengeId, answered))).toEqual([400, REFUSED])
    expect((await app.call('POST', '/auth/passkeys/challenge', { body: {} })).status).toBe(401)
    const { body } = await app.call('POST', '/auth/passkeys/challenge', { token: (await app.signIn((await person()).member.id)).token })
    expect(body.message).toBe('This account has no passkey')
  })

  it('detects a clone by its counter, and the original stays valid', async () => {
    const who = await person()
    await who.add({ counter: 5 })
    expect((await who.enter({ counter: 6 })).status).toBe(200)
    for (const counter of [6, 5, 0]) expect(statusAndMessage(await who.enter({ counter }))).toEqual([400, REFUSED])
    expect((await who.enter({ counter: 7 })).status).toBe(200)
    expect(statusAndMessage(await who.enter({ counter: 8, synced: true }))).toEqual([400, REFUSED])
  })

  it('is useless after it or the app was removed, even with an earlier challenge', async () => {
    const who = await person()
    const { id } = (await who.add()).body.data
    const { challengeId, options } = (await who.challenge()).body.data
    await who.post(`/auth/passkeys/${id}/remove`, { otp: who.otp() })
    expect(statusAndMessage(await who.login(challengeId, who.key.get({ ...instance(), challenge: options.challenge })))).toEqual([
      400,
      REFUSED,
    ])
    await who.add()
    const before = (await who.challenge()).body.data
    await who.post('/auth/totp/disable', { password: TEST_PASSWORD, otp: who.otp() })
    expect(
      statusAndMessage(await who.login(before.challengeId, who.key.get({ ...instance(), challenge: before.options.challenge }))),
    ).toEqual([400, REFUSED])
    expect((await app.call('GET', '/auth/passkeys', { token: who.token })).body.data).toEqual([])
  })

  it('requires the password first, and wrong answers count like wrong codes', async () => {
    const who = await person()
    await who.add()
    const wrong = await app.call('POST', '/auth/passkey/begin', { body: { email: who.member.email, password: 'not-the-password' } })
    expect(wrong.body.message).toBe('Invalid email or password')
    const unknown = await app.call('POST', '/auth/passkey/begin', { body: { email: 'nobody@example.com', password: TEST_PASSWORD } })
    expect(unknown.body.message).toBe('Invalid email or password')
    const { challengeId, options } = (await who.challenge()).body.data
    const right = who.key.get({ ...instance(), challenge: options.challenge })
    const body = { email: who.member.email, password: 'not-the-password', challengeId, credential: right }
    expect((await app.call('POST', '/auth/passkey/login', { body })).body.message).toBe('Invalid email or password')
    expect((await who.login(challengeId, right)).status).toBe(200)
    for (let count = 0; count < 5; count += 1) expect((await who.enter({ rpId: 'evil.example' })).status).toBe(400)
    expect((await who.enter()).status).toBe(429)
  })
})
