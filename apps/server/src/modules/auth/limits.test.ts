import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../../test/auth-app.ts'
import { PRODUCTION } from '../../../test/production-environment.ts'
import { createTestMember } from '../../../test/members.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { endSetup } from '../settings/index.ts'

describe('calls that allow guessing', () => {
  it('[API-17] are counted per account across many addresses', async () => {
    const app = await authTestApp({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
    const member = await createTestMember(app.db)
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}` }
      statuses.push((await app.call('POST', '/auth/forgot-password', { body: { email: member.email }, headers })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe('limits by address', () => {
  it('ignore forwarded addresses unless a proxy is configured', async () => {
    const app = await authTestApp({ RATE_LIMIT_SCALE: '1' })
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}`, 'x-real-ip': `203.0.113.${count}`, forwarded: `for=203.0.113.${count}` }
      statuses.push((await app.call('POST', '/auth/forgot-password', { body: { email: freshEmail() }, headers })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe('behind proxies', () => {
  it.each([1, 2, 3])('trusts the configured number of hops, and nothing that the client wrote before them: %s', async (proxies) => {
    const app = await authTestApp({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: String(proxies) })
    const added = ['203.0.113.7', ...Array.from({ length: proxies - 1 }, (_, hop) => `10.0.0.${hop}`)]
    const ask = async (chain: readonly string[]) => {
      const headers = { 'x-forwarded-for': chain.join(', ') }
      return (await app.call('POST', '/auth/forgot-password', { body: { email: freshEmail() }, headers })).status
    }
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) statuses.push(await ask([`198.51.100.${count}`, ...added]))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    // Another client behind the same proxies has a separate limit.
    expect(await ask(['198.51.100.1', '203.0.113.8', ...added.slice(1)])).toBe(200)
  })
})

describe('in production', () => {
  it('[API-21] the refresh cookie is sent over https only', async () => {
    const app = await authTestApp({ ...PRODUCTION, DATABASE_URL: 'postgres://localhost/none' })
    await inTransaction(app.db, (tx) => endSetup(tx, app.clock.now()))
    const reply = await app.register()
    expect(reply.cookies['refreshToken']?.attributes).toBe('Max-Age=2592000; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Lax')
    const cookie = `refreshToken=${reply.cookies['refreshToken']?.value}`
    const refresh = (origin: string) => app.call('POST', '/auth/refresh-token', { cookie, headers: { origin, host: 'internal:3000' } })
    expect((await refresh('https://platform.example.evil.example')).status).toBe(401)
    expect((await refresh('https://platform.example')).status).toBe(200)
  })
})

describe('expired data', () => {
  it('is deleted after 30 days, and live data stays', async () => {
    const app = await authTestApp()
    const old = freshEmail()
    await app.register({ email: old })
    await app.call('POST', '/auth/forgot-password', { body: { email: old } })
    await app.call('POST', '/auth/login', { body: { email: old, password: 'wrong-one' } })
    await app.runJobs()
    app.clock.advance(31 * 24 * 3_600_000)
    const fresh = freshEmail()
    const reply = await app.register({ email: fresh })
    await app.call('POST', '/auth/forgot-password', { body: { email: fresh } })
    await app.call('POST', '/auth/login', { body: { email: fresh, password: 'wrong-one' } })
    await app.runJobs()
    const tables = ['refresh_token', 'mail_code', 'reset_request', 'sign_in_failure', 'wrong_password_hour'] as const
    const counts = await Promise.all(tables.map(async (table) => (await app.db.selectFrom(table).selectAll().execute()).length))
    expect(counts).toEqual([1, 1, 1, 1, 1])
    expect((await app.call('GET', '/profile', { token: reply.body.data.token })).status).toBe(200)
  })
})
