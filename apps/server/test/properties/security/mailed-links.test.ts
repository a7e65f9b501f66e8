import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../auth-app.ts'
import { createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD } from '../../members.ts'
import { withdrawalRoutes } from '../../../src/modules/withdrawals/index.ts'
import { linkToken } from '../../../src/modules/withdrawals/confirmation/payout-token.ts'

const MINUTE = 60_000
const app = await authTestApp({}, (bind) => withdrawalRoutes(bind))

const post = (path: string, token: string | undefined, body?: object) =>
  app.call('POST', path, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) })

/** Returns the newest token in the mails to an address. */
async function mailed(email: string, pattern = /\?token=([\w-]+)/): Promise<string> {
  await app.runJobs()
  const tokens = app.mails.to(email).map(({ text }) => pattern.exec(text)?.[1])
  return tokens.findLast((token) => token !== undefined) ?? ''
}

async function member() {
  const created = await createTestMember(app.db)
  await fund(app.db, created.id, 'depositWallet', 100n * ONE)
  return { ...created, session: (await app.signIn(created.id)).token }
}

/** A mailed link: the address that it belongs to, and its use. */
interface MailedLink {
  email: string
  use(): Promise<{ status: number; text: string }>
}

async function emailChange(act: 'confirm' | 'stop'): Promise<MailedLink> {
  const { email, session } = await member()
  const next = freshEmail()
  await post('/profile/email', session, { email: next, password: TEST_PASSWORD })
  const token = await mailed(act === 'confirm' ? next : email, new RegExp(`/email-change#${act}:([\\w-]+)`))
  return { email: act === 'confirm' ? next : email, use: () => post(`/auth/email/${act}`, token) }
}

async function payout(act: 'confirm' | 'stop'): Promise<MailedLink> {
  const { email, session } = await member()
  const filed = await post('/deposit-wallet/transfer-deposit-wallet', session, { amount: 10, address: PAYOUT_ADDRESS })
  const token = linkToken(app.deps, { about: 'payout', id: filed.body.data.receipt.id })
  return { email, use: () => post(`/withdrawals/link/${act}`, token) }
}

async function address(act: 'confirm' | 'stop'): Promise<MailedLink> {
  const { id, email, session } = await member()
  await post('/withdrawals/addresses', session, { address: PAYOUT_ADDRESS })
  const row = await app.db.selectFrom('payout_address').select('public_id').where('member_id', '=', id).executeTakeFirstOrThrow()
  const token = linkToken(app.deps, { about: 'address', id: row.public_id })
  return { email, use: () => post(`/withdrawals/link/${act}`, token) }
}

const LINKS: Readonly<Record<string, () => Promise<MailedLink>>> = {
  'the link of a registration': async () => {
    const email = freshEmail()
    await app.register({ email })
    const token = await mailed(email)
    return { email, use: () => post('/auth', token) }
  },
  'the link of a second registration': async () => {
    const email = freshEmail()
    await app.register({ email })
    await app.register({ email, name: 'Grace Hopper' })
    const token = await mailed(email)
    return { email, use: () => post('/auth', token) }
  },
  'the link that resets a password': async () => {
    const { email } = await member()
    await post('/auth/forgot-password', undefined, { email })
    const token = await mailed(email)
    const body = { newPassword: 'amber-kettle-27', confirmPassword: 'amber-kettle-27' }
    return { email, use: () => post('/auth/reset-password', token, body) }
  },
  'the link that confirms a new address': () => emailChange('confirm'),
  'the link that stops a change of address': () => emailChange('stop'),
  'the link that confirms a payout': () => payout('confirm'),
  'the link that stops payouts': () => payout('stop'),
  'the link that confirms a payout address': () => address('confirm'),
  'the link that stops payouts, about an address': () => address('stop'),
}

const WRONG = 'not-the-password'
const CREDENTIAL = { id: 'p'.repeat(22), rawId: 'p'.repeat(22), type: 'public-key', response: {} }

/** Calls without a session that take an email address, as a stranger makes them. */
const CALLS: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
  register: (email) => app.register({ email, name: 'Mallory Moore', password: 'copper-lantern-64' }),
  login: (email) => post('/auth/login', undefined, { email, password: WRONG }),
  userLogin: (email) => post('/auth/user-login', undefined, { email, password: WRONG }),
  forgotPassword: (email) => post('/auth/forgot-password', undefined, { email }),
  beginPasskeySignIn: (email) => post('/auth/passkey/begin', undefined, { email, password: WRONG }),
  passkeyLogin: (email) =>
    post('/auth/passkey/login', undefined, { email, password: WRONG, challengeId: 'c'.repeat(22), credential: CREDENTIAL }),
}

const takesEmail = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'entries' in schema && Object.keys(schema.entries ?? {}).includes('email')

describe('mailed link', () => {
  it('is tested against every call without a session that takes an email address', () => {
    const open = Object.values(allRoutes).filter(({ access, body }) => (access === 'public' || access === 'link') && takesEmail(body))
    expect(open.map(({ name }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted())
  })

  it.each(Object.entries(LINKS))('%s stays valid when a stranger repeats all calls without a session', async (_, make) => {
    const { email, use } = await make()
    for (let round = 0; round < 12; round += 1) {
      for (const call of Object.values(CALLS)) await call(email)
      app.clock.advance(2 * MINUTE)
      await app.runJobs()
    }
    const used = await use()
    expect([used.status, used.text]).toEqual([200, used.text])
  })

  it('that resets a password is valid for at least half its time after each request, also while a stranger requests others', async () => {
    const { id, email } = await member()
    const shortest = []
    for (let minute = 0; minute < 60; minute += 1) {
      await post('/auth/forgot-password', undefined, { email })
      await app.runJobs()
      const newest = await app.db
        .selectFrom('mail_link')
        .select('expires_at')
        .where('member_id', '=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      shortest.push(newest.expires_at.getTime() - app.clock.now().getTime())
      app.clock.advance(MINUTE)
    }
    // The link lives 30 minutes.
    expect(Math.min(...shortest)).toBeGreaterThan(15 * MINUTE)
    // Three at once, and one each 15 minutes.
    expect(app.mails.to(email).length).toBeLessThanOrEqual(3 + 60 / 15)
  })
})
