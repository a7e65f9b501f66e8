import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthTestApp, authTestApp } from '../../../test/auth-app.ts'
import { createTestMember, TEST_PASSWORD } from '../../../test/members.ts'

const STRANGER = '203.0.113.7'
const OWNER = '198.51.100.9'

let app: AuthTestApp
beforeAll(async () => {
  app = await authTestApp({ TRUST_PROXY: '1' })
})

const login = (email: string, password: string, from: string) =>
  app.call('POST', '/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': from } })
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
    expect((await login(member.email, TEST_PASSWORD, '2001:db8:0:2::1')).status).toBe(200)
  })

  it('within one session do not block confirmation in another session', async () => {
    const member = await createTestMember(app.db)
    const [thief, owner] = [await app.signIn(member.id), await app.signIn(member.id)]
    for (let count = 0; count < 11; count += 1) await change(thief.token, 'wrong-one')
    expect((await change(thief.token, TEST_PASSWORD)).status).toBe(429)
    expect((await change(owner.token, TEST_PASSWORD)).status).toBe(200)
  })

  it('are not counted when a right password meets a busy server', async () => {
    const members = await Promise.all(Array.from({ length: 70 }, () => createTestMember(app.db)))
    for (let round = 0; round < 6; round += 1) {
      const replies = await Promise.all(members.map((member) => login(member.email, TEST_PASSWORD, OWNER)))
      expect(replies.filter((reply) => reply.status !== 200 && reply.status !== 503)).toEqual([])
    }
    for (const member of members) expect((await login(member.email, TEST_PASSWORD, OWNER)).status).not.toBe(429)
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
