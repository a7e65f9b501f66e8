import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import type { TestReply } from '../../app.ts'
import { authTestApp, freshEmail } from '../../auth-app.ts'
import { createTestMember, fund, TEST_PASSWORD } from '../../members.ts'
import { balancesOf } from '../../../src/ledger/index.ts'
import { transferRoutes } from '../../../src/modules/transfers/index.ts'

const setUp = (env: Record<string, string> = {}) => authTestApp(env, (bind) => transferRoutes(bind))
const app = await setUp()

/** Response parts an attacker could compare. */
const visible = ({ status, text, cookies, headers }: TestReply) => [status, text, Object.keys(cookies), headers['retry-after']]

const person = async (usd: number, at = app) => {
  const member = await createTestMember(at.db)
  if (usd > 0) await fund(at.db, member.id, 'depositWallet', BigInt(usd) * ONE)
  return { ...member, token: (await at.signIn(member.id)).token }
}
const send = (token: string, email: string, amount = 5, at = app) =>
  at.call('POST', '/usd-transfer/user-to-user-deposit', { token, body: { amount, email } })

const poor = await person(0)

/** Unknown passkey. */
const CREDENTIAL = { id: 'p'.repeat(22), rawId: 'p'.repeat(22), type: 'public-key', response: {} }

/** Every call that takes an email address, as an attacker sends it. */
const GUESSES: Record<string, (email: string) => Promise<TestReply>> = {
  login: (email) => app.call('POST', '/auth/login', { body: { email, password: 'not-the-password' } }),
  userLogin: (email) => app.call('POST', '/auth/user-login', { body: { email, password: 'not-the-password' } }),
  forgotPassword: (email) => app.call('POST', '/auth/forgot-password', { body: { email } }),
  beginPasskeySignIn: (email) => app.call('POST', '/auth/passkey/begin', { body: { email, password: 'not-the-password' } }),
  passkeyLogin: (email) =>
    app.call('POST', '/auth/passkey/login', {
      body: { email, password: 'not-the-password', challengeId: 'c'.repeat(22), credential: CREDENTIAL },
    }),
  changeEmail: async (email) => {
    const { token } = await person(0)
    return app.call('POST', '/profile/email', { token, body: { email, password: TEST_PASSWORD } })
  },
  userToUserDeposit: (email) => send(poor.token, email),
  namePayee: (email) => app.call('POST', '/usd-transfer/payees', { token: poor.token, body: { email, name: 'Ada' } }),
  findReceiver: (email) => app.call('POST', '/usd-transfer/receiver', { token: poor.token, body: { amount: 10, email } }),
}
/** Calls whose fixed text reveals the account (ER-13). Limits apply per IP and account. */
const TELLS = ['register']
/** Staff may see members. */
const OF_STAFF = (access: string) => access === 'staff' || access === 'admin'

describe('existence of an account', () => {
  it('is tested for every call that takes an email address', () => {
    const taking = Object.values(allRoutes)
      .filter((route) => !OF_STAFF(route.access) && takesEmail(route.body))
      .map((route) => route.name)
    expect(taking.toSorted()).toEqual([...Object.keys(GUESSES), ...TELLS].toSorted())
    expect(Object.values(allRoutes).filter((route) => TELLS.includes(route.name) && route.limited !== true)).toEqual([])
  })

  it.each(Object.entries(GUESSES))('[API-31] is not revealed by %s', async (_, guess) => {
    const unverified = freshEmail()
    await app.register({ email: unverified })
    const addresses = [
      (await createTestMember(app.db)).email,
      (await createTestMember(app.db, { active: false })).email,
      (await createTestMember(app.db, { role: 'ADMIN' })).email,
      unverified,
    ]
    const unknown = visible(await guess(freshEmail()))
    for (const email of addresses) expect(visible(await guess(email))).toEqual(unknown)
  })
})

describe('payment to an unknown address', () => {
  it('[VA-56] reports an insufficient balance first, for any receiver', async () => {
    const ann = await person(9)
    const known = await send(ann.token, poor.email, 9.01)
    expect(known.body.message).toBe('Insufficient balance')
    expect(visible(await send(ann.token, freshEmail(), 9.01))).toEqual(visible(known))
  })

  it('blocks the sender after five in 15 minutes and 20 in a day, for known receivers too', async () => {
    const strict = await setUp({ RATE_LIMIT_SCALE: '1' })
    const [ann, bob] = [await person(1000, strict), await person(0, strict)]
    for (let round = 0; round < 4; round += 1) {
      const { token } = await strict.signIn(ann.id)
      for (let count = 0; count < 5; count += 1) {
        expect((await send(token, freshEmail(), 5, strict)).body.message).toBe('User not found')
      }
      for (const email of [bob.email, freshEmail()]) {
        const reply = await send(token, email, 5, strict)
        expect(reply).toMatchObject({ status: 429, body: { message: 'Too many requests, please try again later' } })
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      }
      strict.clock.advance(15 * 60_000)
    }
    const next = (await strict.signIn(ann.id)).token
    expect((await send(next, bob.email, 5, strict)).status).toBe(429)
    strict.clock.advance(24 * 3_600_000)
    const again = (await strict.signIn(ann.id)).token
    expect((await send(again, bob.email, 5, strict)).status).toBe(200)
    expect((await balancesOf(strict.db, ann.id)).depositWallet).toBe(995n * ONE)
  })

  it('counts parallel guesses', async () => {
    const strict = await setUp({ RATE_LIMIT_SCALE: '1' })
    const ann = await person(1000, strict)
    const replies = await Promise.all(Array.from({ length: 200 }, () => send(ann.token, freshEmail(), 5, strict)))
    const later = await send(ann.token, freshEmail(), 5, strict)
    expect(replies.filter((reply) => reply.body.message === 'User not found')).toHaveLength(5)
    expect([...replies, later].every((reply) => [400, 429].includes(reply.status))).toBe(true)
  })

  it('reports a single typo, and then accepts the right address', async () => {
    const ann = await person(100)
    expect((await send(ann.token, freshEmail())).body.message).toBe('User not found')
    expect((await send(ann.token, poor.email)).status).toBe(200)
  })
})

function takesEmail(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'entries' in schema && Object.keys(schema.entries ?? {}).includes('email')
}
