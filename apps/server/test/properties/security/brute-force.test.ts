import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import type { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import type { TestReply } from '../../app.ts'
import { authTestApp, freshEmail } from '../../auth-app.ts'
import { type AssertionContent, SoftAuthenticator } from '../../soft-authenticator.ts'
import { addAuthenticator, createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD } from '../../members.ts'
import { closingObstacles } from '../../../src/modules/personal-data/closing-obstacles.ts'
import { ownDataJob } from '../../../src/modules/personal-data/own-data/own-data.job.ts'
import { closingRoutes, ownDataRoutes } from '../../../src/modules/auth/index.ts'
import { withdrawalRoutes } from '../../../src/modules/withdrawals/index.ts'

const app = await authTestApp({}, (bind) => {
  withdrawalRoutes(bind)
  ownDataRoutes(bind, ownDataJob)
  closingRoutes(bind, closingObstacles)
})

interface Owner {
  id: bigint
  email: string
  token: string
  app: TOTP | undefined
}

const post = (who: { token: string }, path: string, body: object) => app.call('POST', path, { token: who.token, body })
const codeOf = (who: Owner) => who.app?.generate({ timestamp: app.clock.now().getTime() }) ?? '000000'
const wrongCode = (who: Owner) => (codeOf(who) === '000000' ? '000001' : '000000')

async function owner(withApp: boolean): Promise<Owner> {
  const member = await createTestMember(app.db)
  await fund(app.db, member.id, 'depositWallet', 100n * ONE)
  const who = { id: member.id, email: member.email, token: (await app.signIn(member.id)).token, app: undefined }
  if (!withApp) return who
  return { ...who, app: await addAuthenticator(app.db, app.deps, member.id) }
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

type Secret = 'password' | 'otp' | 'passkey'
type Guess = (who: Owner, proof: { password?: string; otp?: string; passkey?: object }) => Promise<TestReply>
const signIn =
  (path: string): Guess =>
  (who, proof) =>
    app.call('POST', path, { body: { email: who.email, password: TEST_PASSWORD, ...proof } })
/** Every call that verifies a password, an authenticator code or a passkey. */
const GUESSES: Record<string, { secrets: Secret[]; call: Guess }> = {
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
  beginPasskey: { secrets: ['otp'], call: (who, proof) => post(who, '/auth/passkeys/begin', proof) },
  renamePasskey: {
    secrets: ['otp'],
    call: (who, proof) => app.call('PATCH', '/auth/passkeys/any', { token: who.token, body: { name: 'Mine', ...proof } }),
  },
  removePasskey: { secrets: ['otp'], call: (who, proof) => post(who, '/auth/passkeys/any/remove', proof) },
  beginPasskeySignIn: { secrets: ['password'], call: signIn('/auth/passkey/begin') },
  passkeyLogin: {
    secrets: ['password', 'passkey'],
    call: (who, { password = TEST_PASSWORD, passkey }) => {
      const none = { challengeId: 'a'.repeat(22), credential: { id: 'a'.repeat(16), rawId: '', type: 'public-key', response: {} } }
      return app.call('POST', '/auth/passkey/login', { body: { email: who.email, password, ...(passkey ?? none) } })
    },
  },
  renewRecoveryCodes: { secrets: ['otp', 'passkey'], call: (who, proof) => post(who, '/auth/recovery-codes', proof) },
  changePhone: {
    secrets: ['password', 'otp', 'passkey'],
    call: (who, proof) => post(who, '/profile/phone', { phone: '+12025550143', ...proof }),
  },
  startOwnData: { secrets: ['password', 'otp', 'passkey'], call: (who, proof) => post(who, '/profile/data', proof) },
  createApiKey: {
    secrets: ['password', 'otp', 'passkey'],
    call: (who, proof) => post(who, '/auth/api-keys', { name: 'Books', rights: ['userWallet'], days: 30, ...proof }),
  },
  closeAccount: { secrets: ['password', 'otp', 'passkey'], call: (who, proof) => post(who, '/profile/closing', proof) },
  changeEmail: {
    secrets: ['password', 'otp', 'passkey'],
    call: (who, proof) => post(who, '/profile/email', { email: freshEmail(), ...proof }),
  },
  addPayoutAddress: {
    secrets: ['password', 'otp', 'passkey'],
    call: (who, proof) => post(who, '/withdrawals/addresses', { address: PAYOUT_ADDRESS, ...proof }),
  },
  confirmPayoutAddress: {
    secrets: ['password', 'otp', 'passkey'],
    call: async (who, proof) => post(who, `/withdrawals/addresses/${await address(who)}/confirm`, proof),
  },
  provePayout: {
    secrets: ['password', 'otp', 'passkey'],
    call: (who, proof) => post(who, '/withdrawals/step-up', { kind: 'withdrawal', amount: 10, address: PAYOUT_ADDRESS, ...proof }),
  },
  confirmPayout: {
    secrets: ['password', 'otp', 'passkey'],
    call: async (who, proof) => post(who, `/withdrawals/requests/${await payout(who)}/confirm`, proof),
  },
}
/** Creates a passkey, for a member with an authenticator, that signs challenges incorrectly. */
async function liar(who: Owner): Promise<(call: string, signed?: Partial<AssertionContent>) => Promise<object>> {
  const key = new SoftAuthenticator()
  const { origin, hostname: rpId } = new URL(app.deps.config.publicUrl)
  const begun = (await post(who, '/auth/passkeys/begin', { otp: codeOf(who) })).body.data
  const credential = key.make({ origin, rpId, challenge: begun.options.challenge })
  expect((await post(who, '/auth/passkeys', { challengeId: begun.challengeId, name: 'Laptop', credential })).status).toBe(200)
  return async (call, signed = { rpId: 'elsewhere.example' }) => {
    const reply =
      call === 'passkeyLogin'
        ? await app.call('POST', '/auth/passkey/begin', { body: { email: who.email, password: TEST_PASSWORD } })
        : await post(who, '/auth/passkeys/challenge', {})
    const { challengeId, options } = reply.body.data
    return { challengeId, credential: key.get({ origin, rpId, challenge: options.challenge, ...signed }) }
  }
}

/** Calls with secret fields that verify nothing: chosen passwords, the first code of a new authenticator, a new passkey. */
const COMPARE_NOTHING = ['register', 'resetPassword', 'confirmTotp', 'addPasskey']
/** Mailed codes, with five attempts each (`verify-email.test.ts`). */
const MAILED = ['verifyToken']

const NAMES = /^(otp|password|oldPassword|newPassword|confirmPassword|token|passkey|credential)$/
const takesSecret = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (Object.keys(Reflect.get(body, 'entries') ?? {}).some((name) => NAMES.test(name)) ||
    [Reflect.get(body, 'pipe')].flat().some((one) => one !== body && takesSecret(one)))

describe('guesses of a password or a code', () => {
  it('are tested for every call that takes one', () => {
    const taking = allRoutes.filter((route) => takesSecret(route.body)).map((route) => route.name)
    expect(taking.toSorted()).toEqual([...Object.keys(GUESSES), ...COMPARE_NOTHING, ...MAILED].toSorted())
  })

  const cases = Object.entries(GUESSES).flatMap(([name, { secrets, call }]) => secrets.map((secret) => [name, secret, call] as const))
  it.each(cases)('[ER-02] [API-17] delay %s after a few wrong ones: %s', async (name, secret, call) => {
    const who = await owner(secret !== 'password' || name === 'disableTotp')
    const lie = secret === 'passkey' ? await liar(who) : undefined
    const wrongly = async () =>
      secret === 'otp' ? { otp: wrongCode(who) } : lie === undefined ? { password: 'not-the-password' } : { passkey: await lie(name) }
    const answers: number[] = []
    for (let guess = 0; guess < 7; guess += 1) {
      // An attacker with the other secret uses it in between. That must not allow more guesses.
      if (secret !== 'password') await post(who, '/auth/totp/begin', { password: TEST_PASSWORD })
      answers.push((await call(who, await wrongly())).status)
    }
    expect(answers.slice(0, 5)).not.toContain(429)
    expect(answers.at(-1)).toBe(429)
    if (name === 'login' || name === 'userLogin') expect((await signIn('/auth/login')(who, await wrongly())).status).toBe(429)
    expect((await app.call('POST', '/auth/login', { body: { email: freshEmail(), password: 'not-the-password' } })).status).toBe(400)
  })
})

describe('guesses of codes and passkeys', () => {
  const either = Object.entries(GUESSES).filter(([, { secrets }]) => secrets.includes('otp') && secrets.includes('passkey'))
  it.each(either.map(([name, { call }]) => [name, call] as const))(
    '[ER-02] [API-17] share one counter, which a right password does not reset: %s',
    async (name, call) => {
      const who = await owner(true)
      const lie = await liar(who)
      const answers: number[] = []
      for (let guess = 0; guess < 7; guess += 1) {
        await post(who, '/auth/totp/begin', { password: TEST_PASSWORD })
        const wrong = guess % 2 === 0 ? { otp: wrongCode(who) } : { passkey: await lie(name) }
        answers.push((await call(who, wrong)).status)
      }
      expect([answers.slice(0, 5).includes(429), answers.at(-1)]).toEqual([false, 429])
      // A correct secret waits too, so that no attacker gets in meanwhile.
      expect((await call(who, { passkey: await lie(name, {}) })).status).toBe(429)
      // A session has a separate counter, so that it never locks the owner out of signing in.
      const isSignIn = allRoutes.find((route) => route.name === name)?.access === 'public'
      expect((await signIn('/auth/login')(who, { otp: codeOf(who) })).status === 429).toBe(isSignIn)
    },
  )
})

describe('app code', () => {
  const taking = Object.entries(GUESSES).filter(([, { secrets }]) => secrets.includes('otp'))
  const prove = (who: Owner, otp: string) => GUESSES['provePayout']?.call(who, { otp })
  /** Responses to the other calls. The last two occur once the first call removed the authenticator. */
  const REFUSED = ['The code of your authenticator app is not right', 'No authenticator app is set up', 'The current password is not right']

  it.each(taking.map(([name, { call }]) => [name, call] as const))(
    '[I14] is accepted once, also across calls and in parallel: %s',
    async (_, call) => {
      const [who, racer] = [await owner(true), await owner(true)]
      const otp = codeOf(who)
      expect((await prove(who, otp))?.status).toBe(200)
      const again = await call(who, { otp })
      expect([again.status, again.body.message]).toEqual([400, 'The code of your authenticator app is not right'])
      const one = codeOf(racer)
      const both = await Promise.all([call(racer, { otp: one }), prove(racer, one), call(racer, { otp: one })])
      expect(both.filter((reply) => REFUSED.includes(reply?.body.message))).toHaveLength(2)
    },
  )

  it('[I14] is rejected after a newer one was accepted, even within its time', async () => {
    const who = await owner(true)
    const older = codeOf(who)
    app.clock.advance(30_000)
    expect((await prove(who, codeOf(who)))?.status).toBe(200)
    expect((await prove(who, older))?.status).toBe(400)
  })
})
