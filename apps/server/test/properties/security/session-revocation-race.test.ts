import { ONE } from '@tizara/money'
import { hash } from '@node-rs/argon2'
import { addr, eip191Signer } from 'micro-eth-signer'
import { TOTP } from 'otpauth'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type TestReply, testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { addAuthenticator, createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD } from '../../members.ts'
import { multipart } from '../../multipart.ts'
import { SoftAuthenticator } from '../../soft-authenticator.ts'
import type { Bind } from '../../../src/http/calls/bind-route.ts'
import { post as postTransfers } from '../../../src/ledger/index.ts'
import { setPasswordHash } from '../../../src/modules/members/index.ts'
import { revokeSessionsOf } from '../../../src/modules/auth/index.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { type Db, inTransaction, type Tx } from '../../../src/platform/db/database.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
const { db } = await testDatabase()

/** Action before the nth transaction of a call, to interleave with its steps. */
let between: { before: number; act: () => Promise<void> } | undefined
const reached = async () => {
  if (between === undefined) return
  between.before -= 1
  if (between.before > 0) return
  const { act } = between
  between = undefined
  await act()
}
const interrupted = new Proxy(db, {
  get: (target, name) => {
    if (name === 'transaction')
      return () => ({ execute: async (work: (tx: Tx) => Promise<unknown>) => (await reached(), target.transaction().execute(work)) })
    const value: unknown = Reflect.get(target, name, target)
    return typeof value === 'function' ? value.bind(target) : value
  },
})

const reads = { read: <T>(work: (from: Db) => Promise<T>) => work(db) }
const at = await testApp(interrupted, { routes: (bind) => bindRoutes(bind, ports), reads })
const NEW_PASSWORD = 'amber-violin-72'
const newHash = await hash(NEW_PASSWORD, { memoryCost: 64, timeCost: 1, parallelism: 1 })

interface Owner {
  id: bigint
  email: string
  token: string
  sessionId: bigint
  post(path: string, body: object, method?: string): Promise<TestReply>
  /** Returns the next authenticator code. */
  otp(): string
}

async function owner(withApp: boolean): Promise<Owner> {
  const { id, email } = await createTestMember(db)
  await fund(db, id, 'depositWallet', 100n * ONE)
  const { token, sessionId } = await at.signIn(id)
  const app = withApp ? await addAuthenticator(db, at.deps, id) : undefined
  const post = (path: string, body: object, method = 'POST') => at.call(method, path, { token, body })
  const otp = () => {
    at.clock.advance(30_000)
    return app?.generate({ timestamp: at.clock.now().getTime() }) ?? ''
  }
  return { id, email, token, sessionId, post, otp }
}

const instance = () => {
  const { origin, hostname: rpId } = new URL(at.deps.config.publicUrl)
  return { origin, rpId }
}

/** Creates a passkey begun in this session. */
async function madePasskey(who: Owner, key = new SoftAuthenticator()) {
  const { challengeId, options } = (await who.post('/auth/passkeys/begin', { otp: who.otp() })).body.data
  return { key, body: { challengeId, name: 'Laptop', credential: key.make({ ...instance(), challenge: options.challenge }) } }
}
const withPasskey = async (who: Owner): Promise<string> =>
  (await who.post('/auth/passkeys', (await madePasskey(who)).body)).body.data.id as string

const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#0aa' } })
  .png()
  .toBuffer()

async function upload(who: Owner, path: string, fields: Record<string, string>): Promise<TestReply> {
  const { payload, headers } = await multipart(fields, { name: 'a.png', type: 'image/png', bytes: png })
  const url = `/api/v1${path}`
  const reply = await at.app.inject({ method: 'POST', url, headers: { ...headers, authorization: who.token }, payload })
  return { status: reply.statusCode, body: reply.json(), text: reply.body, headers: reply.headers, cookies: {} }
}

/** Takes the money out of the deposit wallet, as an account with money cannot be closed. */
const emptyWallet = (id: bigint) =>
  postTransfers(db, {
    kind: 'withdrawal',
    cause: { type: 'test', id: 'empty' },
    at: at.clock.now(),
    transfers: [{ from: { owner: id, kind: 'depositWallet' }, to: { system: 'SYS-WITHDRAW', asset: 'USD' }, amount: 100n * ONE }],
  })

type PreparedCall = () => Promise<TestReply>
/** Member calls with slow work before the transaction: preparation, then the call. */
const CALLS: Record<string, { app: boolean; prepare(who: Owner): Promise<PreparedCall> | PreparedCall }> = {
  changePassword: {
    app: false,
    prepare: (who) => () => who.post('/auth/change-password', { oldPassword: TEST_PASSWORD, newPassword: 'thief-of-houses-18' }),
  },
  beginTotp: { app: false, prepare: (who) => () => who.post('/auth/totp/begin', { password: TEST_PASSWORD }) },
  confirmTotp: {
    app: false,
    prepare: async (who) => {
      const { secret } = (await who.post('/auth/totp/begin', { password: TEST_PASSWORD })).body.data
      const otp = new TOTP({ secret: String(secret) }).generate({ timestamp: at.clock.now().getTime() })
      return () => who.post('/auth/totp/confirm', { otp })
    },
  },
  disableTotp: { app: true, prepare: (who) => () => who.post('/auth/totp/disable', { password: TEST_PASSWORD, otp: who.otp() }) },
  renewRecoveryCodes: { app: true, prepare: (who) => () => who.post('/auth/recovery-codes', { otp: who.otp() }) },
  changeName: { app: false, prepare: (who) => () => who.post('/profile/name', { name: 'Ada Byron' }) },
  setProfileImage: { app: false, prepare: (who) => () => upload(who, '/profile/image', {}) },
  changePhone: { app: false, prepare: (who) => () => who.post('/profile/phone', { phone: '+12025550178', password: TEST_PASSWORD }) },
  createApiKey: {
    app: false,
    prepare: (who) => () => who.post('/auth/api-keys', { name: 'Books', rights: ['userWallet'], days: 30, password: TEST_PASSWORD }),
  },
  startOwnData: { app: false, prepare: (who) => () => who.post('/profile/data', { password: TEST_PASSWORD }) },
  closeAccount: {
    app: false,
    prepare: async (who) => {
      await emptyWallet(who.id)
      return () => who.post('/profile/closing', { password: TEST_PASSWORD })
    },
  },
  changeEmail: {
    app: false,
    prepare: (who) => () => who.post('/profile/email', { email: `new-${who.id}@gmail.com`, password: TEST_PASSWORD }),
  },
  addPasskey: {
    app: true,
    prepare: async (who) => {
      const { body } = await madePasskey(who)
      return () => who.post('/auth/passkeys', body)
    },
  },
  renamePasskey: {
    app: true,
    prepare: async (who) => {
      const id = await withPasskey(who)
      return () => who.post(`/auth/passkeys/${id}`, { name: 'Mine', otp: who.otp() }, 'PATCH')
    },
  },
  removePasskey: {
    app: true,
    prepare: async (who) => {
      const id = await withPasskey(who)
      return () => who.post(`/auth/passkeys/${id}/remove`, { otp: who.otp() })
    },
  },
  addPayoutAddress: {
    app: false,
    prepare: (who) => () => who.post('/withdrawals/addresses', { address: PAYOUT_ADDRESS, password: TEST_PASSWORD }),
  },
  confirmPayoutAddress: {
    app: true,
    prepare: async (who) => {
      const { id } = (await who.post('/withdrawals/addresses', { address: PAYOUT_ADDRESS })).body.data
      return () => who.post(`/withdrawals/addresses/${id}/confirm`, { otp: who.otp() })
    },
  },
  provePayoutAddress: {
    app: false,
    prepare: async (who) => {
      const { privateKey, address } = addr.random()
      const { id } = (await who.post('/withdrawals/addresses', { address })).body.data
      const { message } = (await who.post(`/withdrawals/addresses/${id}/challenge`, {})).body.data
      return () => who.post(`/withdrawals/addresses/${id}/prove`, { signature: eip191Signer.sign(message, privateKey) })
    },
  },
  confirmPayout: {
    app: false,
    prepare: async (who) => {
      const filed = await who.post('/deposit-wallet/transfer-deposit-wallet', { amount: 10, address: PAYOUT_ADDRESS })
      return () => who.post(`/withdrawals/requests/${filed.body.data.receipt.id}/confirm`, { password: TEST_PASSWORD })
    },
  },
  createTicket: { app: false, prepare: (who) => () => upload(who, '/ticket/create', { title: 'Help', description: 'Where is it?' }) },
  replyToTicket: {
    app: false,
    prepare: async (who) => {
      const { id } = (await upload(who, '/ticket/create', { title: 'Help', description: 'Where is it?' })).body.data
      return () => upload(who, '/ticket/create-replay', { ticketId: String(id), message: 'Still not here.' })
    },
  },
}
/** Calls that need no second session check, with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  verifyToken: 'the mailed code opens a session of its own, and is used up in the transaction',
  createPayment: 'its transaction comes first',
  challengePasskey: 'changes nothing, as below',
  beginPasskey: 'changes nothing; the challenge is answered in the same session or not at all',
  provePayout: 'changes nothing; the proof is good in the same session only',
  findReceiver: 'counts only; the transfer checks the session again',
  answerTicket: 'of staff: the role is looked at again in the transaction',
  uploadLogo: 'of staff, as above',
  uploadScreeningList: 'of staff, as above',
  previewRewardDay: 'of staff, as above',
  payRewardDay: 'of staff, as above',
  startRewardRun: 'of staff, as above',
}

/** Returns the state that a signed-out session must not change. */
async function accountState(id: bigint): Promise<string> {
  const one = await db
    .selectFrom('member')
    .select(['password_hash', 'second_factor', 'name', 'phone', 'email', 'is_active', 'profile_image'])
    .where('id', '=', id)
    .executeTakeFirst()
  const changes = await db.selectFrom('email_change').select('email').where('member_id', '=', id).execute()
  const factor = await db.selectFrom('second_factor').select(['encrypted_secret', 'confirmed_at']).where('member_id', '=', id).execute()
  const passkeys = await db.selectFrom('passkey').select(['credential_id', 'name']).where('member_id', '=', id).execute()
  const book = await db.selectFrom('payout_address').select(['address', 'confirmed_at', 'proven_by']).where('member_id', '=', id).execute()
  const payouts = await db.selectFrom('payout_request').select(['status', 'confirmed_how']).where('member_id', '=', id).execute()
  const tickets = await db.selectFrom('ticket').select(['id', 'last_message_at']).where('member_id', '=', id).execute()
  const jobs = await db.selectFrom('background_job').select('kind').where('owner_id', '=', id).execute()
  const live = await db.selectFrom('session').select('id').where('member_id', '=', id).where('ended_at', 'is', null).execute()
  return JSON.stringify([one, changes, factor, passkeys, book, payouts, tickets, jobs, live], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** Sets a new password as the owner, which revokes all other sessions. */
const newPassword = (who: Pick<Owner, 'id'>) =>
  inTransaction(db, async (tx) => {
    await setPasswordHash(tx, { id: who.id, passwordHash: newHash, at: at.clock.now() })
    await revokeSessionsOf(tx, who.id, 'password', at.clock.now())
  })

const endsOfSession: Record<string, (who: Owner) => Promise<void>> = {
  'a new password': newPassword,
  'a log-out': (who) =>
    inTransaction(db, async (tx) => {
      await tx.updateTable('session').set({ ended_at: at.clock.now(), end_reason: 'log-out' }).where('id', '=', who.sessionId).execute()
    }),
}

it('every call that works outside a transaction is tested here', () => {
  const bound: string[] = []
  const skip = () => undefined
  const note = (route: { name: string; access: string }) => {
    if (route.access !== 'public' && route.access !== 'link') bound.push(route.name)
  }
  const bind = { read: skip, write: skip, withoutTransaction: note, file: skip, money: skip, moneyBatch: skip } as unknown as Bind
  bindRoutes(bind, ports)
  expect(bound.toSorted()).toEqual([...Object.keys(CALLS), ...Object.keys(EXEMPT)].toSorted())
})

const cases = Object.entries(CALLS).flatMap(([name, call]) =>
  Object.entries(endsOfSession).map(([end, act]) => ({ name, end, act, ...call })),
)
describe('[I14] call in progress while its session ends', () => {
  it.each(cases)('changes nothing after that, at any step: $name, by $end', async ({ name, act, app, prepare }) => {
    let steps = 0
    for (let step = 1; ; step += 1) {
      const who = await owner(app)
      const call = await prepare(who)
      let after = ''
      between = {
        before: step,
        act: async () => {
          await act(who)
          after = await accountState(who.id)
        },
      }
      const { status, body } = await call()
      const wasThere = between === undefined
      between = undefined
      if (!wasThere) {
        expect([status, body.message]).toEqual([200, body.message])
        break
      }
      expect([name, step, status]).toEqual([name, step, 401])
      expect(await accountState(who.id)).toBe(after)
      steps += 1
    }
    expect(steps).toBeGreaterThan(0)
  })
})

describe('[I14] sign-in in progress', () => {
  /** Events that revoke the old password, authenticator or passkey. */
  const changes: Record<string, (id: bigint) => Promise<unknown>> = {
    'the owner has a new password': (id) => newPassword({ id }),
    'the owner sets up an app': (id) => db.updateTable('member').set({ second_factor: true }).where('id', '=', id).execute(),
    'staff block the account': (id) => db.updateTable('member').set({ is_active: false }).where('id', '=', id).execute(),
  }
  it.each(Object.entries(changes))('opens no session with a fact that changed, at any step: %s', async (_, change) => {
    for (let step = 1; step <= 4; step += 1) {
      const { id, email } = await createTestMember(db)
      let after = ''
      between = {
        before: step,
        act: async () => {
          await change(id)
          after = await accountState(id)
        },
      }
      const { status } = await at.call('POST', '/auth/login', { body: { email, password: TEST_PASSWORD } })
      const wasThere = between === undefined
      between = undefined
      if (!wasThere) return expect([step, status]).not.toEqual([1, 200])
      expect([step, status]).toEqual([step, 400])
      // Includes the hash: renewing an old password's hash must not restore it.
      expect(await accountState(id)).toBe(after)
    }
  })

  it('opens no session with a passkey that was removed meanwhile', async () => {
    const who = await owner(true)
    const { key, body } = await madePasskey(who)
    await who.post('/auth/passkeys', body)
    const known = { email: who.email, password: TEST_PASSWORD }
    const { challengeId, options } = (await at.call('POST', '/auth/passkey/begin', { body: known })).body.data
    between = { before: 1, act: async () => void (await db.deleteFrom('passkey').where('member_id', '=', who.id).execute()) }
    const credential = key.get({ ...instance(), challenge: options.challenge })
    const entered = await at.call('POST', '/auth/passkey/login', { body: { ...known, challengeId, credential } })
    expect([entered.status, entered.body.message]).toEqual([400, 'Invalid email or password'])
  })
})

it('[I14] an app is confirmed only by a code of its own secret, not of a parallel one', async () => {
  const who = await owner(false)
  const { secret } = (await who.post('/auth/totp/begin', { password: TEST_PASSWORD })).body.data
  const otp = new TOTP({ secret: String(secret) }).generate({ timestamp: at.clock.now().getTime() })
  const second = await at.signIn(who.id)
  between = {
    before: 1,
    act: async () => void (await at.call('POST', '/auth/totp/begin', { token: second.token, body: { password: TEST_PASSWORD } })),
  }
  expect((await who.post('/auth/totp/confirm', { otp })).body.message).toBe('The code of your authenticator app is not right')
  const held = await db.selectFrom('second_factor').select('confirmed_at').where('member_id', '=', who.id).executeTakeFirst()
  expect(held?.confirmed_at).toBeNull()
})
