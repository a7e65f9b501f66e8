import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import type { TestReply } from '../../test/app.ts'
import { authTestApp, freshEmail } from '../../test/auth-app.ts'
import { createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD } from '../../test/members.ts'
import { withdrawalRoutes } from '../modules/withdrawals/index.ts'

const app = await authTestApp({}, (bind) => withdrawalRoutes(bind))
const MINUTE = 60_000

interface Owner {
  id: bigint
  email: string
  token: string
  secret: string
}

const post = (who: { token: string }, path: string, body: object) => app.call('POST', path, { token: who.token, body })
const codeOf = ({ secret }: Owner) => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() })
const wrongCode = (who: Owner) => (codeOf(who) === '000000' ? '000001' : '000000')

async function owner(withApp: boolean): Promise<Owner> {
  const made = await createTestMember(app.db)
  await fund(app.db, made.id, 'depositWallet', 100n * ONE)
  const who = { id: made.id, email: made.email, token: (await app.signIn(made.id)).token, secret: '' }
  if (!withApp) return who
  who.secret = (await post(who, '/auth/totp/begin', { password: TEST_PASSWORD })).body.data.secret
  await post(who, '/auth/totp/confirm', { otp: codeOf(who) })
  app.clock.advance(2 * MINUTE)
  return { ...who, token: (await app.signIn(made.id)).token }
}

async function payout(who: Owner): Promise<string> {
  const filed = await post(who, '/deposit-wallet/transfer-deposit-wallet', { amount: 10, address: PAYOUT_ADDRESS })
  return filed.body.data.receipt.id
}
async function address(who: Owner): Promise<string> {
  await post(who, '/withdrawals/addresses', { address: PAYOUT_ADDRESS })
  const held = await app.db.selectFrom('payout_address').select('public_id').where('member_id', '=', who.id).executeTakeFirstOrThrow()
  return held.public_id
}

type Guess = (who: Owner, proof: { password?: string; otp?: string }) => Promise<TestReply>
const signIn =
  (path: string): Guess =>
  (who, proof) =>
    app.call('POST', path, { body: { email: who.email, password: TEST_PASSWORD, ...proof } })
/** Every call that compares a password or a code of an app with what the house knows. */
const GUESSES: Record<string, { secrets: ('password' | 'otp')[]; call: Guess }> = {
  login: { secrets: ['password', 'otp'], call: signIn('/auth/login') },
  userLogin: { secrets: ['password', 'otp'], call: signIn('/auth/user-login') },
  changePassword: {
    secrets: ['password'],
    call: (who, { password }) => post(who, '/auth/change-password', { oldPassword: password, newPassword: 'amber-violin-72' }),
  },
  beginTotp: { secrets: ['password'], call: (who, proof) => post(who, '/auth/totp/begin', proof) },
  disableTotp: {
    secrets: ['password', 'otp'],
    call: (who, proof) => post(who, '/auth/totp/disable', { password: TEST_PASSWORD, otp: '123456', ...proof }),
  },
  addPayoutAddress: {
    secrets: ['password', 'otp'],
    call: (who, proof) => post(who, '/withdrawals/addresses', { address: PAYOUT_ADDRESS, ...proof }),
  },
  confirmPayoutAddress: {
    secrets: ['password', 'otp'],
    call: async (who, proof) => post(who, `/withdrawals/addresses/${await address(who)}/confirm`, proof),
  },
  provePayout: {
    secrets: ['password', 'otp'],
    call: (who, proof) => post(who, '/withdrawals/step-up', { kind: 'withdrawal', amount: 10, address: PAYOUT_ADDRESS, ...proof }),
  },
  confirmPayout: {
    secrets: ['password', 'otp'],
    call: async (who, proof) => post(who, `/withdrawals/requests/${await payout(who)}/confirm`, proof),
  },
}
/** Calls with words of that kind that compare nothing with an account: secrets that are chosen, and the first code of a new app. */
const COMPARE_NOTHING = ['register', 'resetPassword', 'confirmTotp']
/** Codes that were mailed: five tries each (`verify-email.test.ts`). */
const MAILED = ['verifyToken']

const NAMES = /^(otp|password|oldPassword|newPassword|confirmPassword|token)$/
const takesSecret = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (Object.keys(Reflect.get(body, 'entries') ?? {}).some((name) => NAMES.test(name)) ||
    [Reflect.get(body, 'pipe')].flat().some((one) => one !== body && takesSecret(one)))

describe('guessing a password or a code', () => {
  it('can be tried by no call but those that are looked at here', () => {
    const taking = allRoutes.filter((route) => takesSecret(route.body)).map((route) => route.name)
    expect(taking.toSorted()).toEqual([...Object.keys(GUESSES), ...COMPARE_NOTHING, ...MAILED].toSorted())
  })

  const cases = Object.entries(GUESSES).flatMap(([name, { secrets, call }]) => secrets.map((secret) => [name, secret, call] as const))
  it.each(cases)('[ER-02] [API-17] makes %s wait after a few wrong ones: %s', async (name, secret, call) => {
    const who = await owner(secret === 'otp' || name === 'disableTotp')
    const wrong = secret === 'otp' ? { otp: wrongCode(who) } : { password: 'not-the-password' }
    const answers: number[] = []
    for (let guess = 0; guess < 7; guess += 1) {
      // Whoever knows the other secret shows it in between: it must not make room for more guesses.
      if (secret === 'otp') await post(who, '/auth/totp/begin', { password: TEST_PASSWORD })
      answers.push((await call(who, wrong)).status)
    }
    expect(answers.slice(0, 5)).not.toContain(429)
    expect(answers.at(-1)).toBe(429)
    if (name === 'login' || name === 'userLogin') expect((await signIn('/auth/login')(who, wrong)).status).toBe(429)
    expect((await app.call('POST', '/auth/login', { body: { email: freshEmail(), password: 'not-the-password' } })).status).toBe(400)
  })
})
