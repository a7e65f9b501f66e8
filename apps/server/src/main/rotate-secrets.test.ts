import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { freshEmail } from '../../test/auth-app.ts'
import { testDatabase } from '../../test/database.ts'
import { testMailbox } from '../../test/mails.ts'
import { byOne, createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD, confirmPayoutAddress } from '../../test/members.ts'
import { mailJobs } from '../gateways/mailer/index.ts'
import { signNotice } from '../gateways/payment-provider/index.ts'
import { runJob } from '../jobs/job.ts'
import { authRoutes, authJobs } from '../modules/auth/index.ts'
import { memberRoutes } from '../modules/members/index.ts'
import { downlineCount } from '../modules/team/index.ts'
import { approveProposal, auditProposals, submitProposal } from '../modules/staff/index.ts'
import { approvePayout, auditAddresses, auditPayoutMacs, requestWithdrawal, stopAndAuditPayouts } from '../modules/withdrawals/index.ts'
import { approvalMac } from '../modules/withdrawals/sending/approval-mac.ts'
import { testClock } from '../platform/runtime/clock.ts'
import { type Db, inTransaction } from '../platform/db/database.ts'
import { SETTINGS } from '../platform/config/environment.ts'
import { countUnknownKeys } from '../platform/crypto/encrypted-column.ts'
import { createPorts } from './ports.ts'
import { ENCRYPTED_COLUMNS, reEncryptJob } from './encrypted-columns.ts'
import { activity } from './activity.ts'

const OLD = 'the-old-secret-of-this-test-40-characters'
const NEW = 'the-new-secret-of-this-test-40-characters'
const ROTATED = SETTINGS.map((setting) => setting.name)
  .filter((name) => name.endsWith('_PREVIOUS'))
  .map((name) => name.replace(/_PREVIOUS$/, ''))

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')

/** A process with its own secrets. All of them share the database and the clock. */
async function instance(env: Record<string, string>) {
  const mails = testMailbox()
  const app = await testApp(db, {
    clock,
    env,
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      memberRoutes(bind, { downlineCount, ...activity })
    },
    jobs: [...authJobs, reEncryptJob, ...mailJobs(mails)],
  })
  const { provider } = createPorts(app.deps.config, 'http://127.0.0.1:9').deposits
  return { ...app, mails, provider }
}

type Platform = Awaited<ReturnType<typeof instance>>

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() })

/** Creates a member with an authenticator app. */
async function withFactor(at: TestApp, role: 'MEMBER' | 'ADMIN') {
  const { id, email } = await createTestMember(db, { role })
  const { token } = await at.signIn(id)
  const enrollment = await at.call('POST', '/auth/totp/begin', { token, body: { password: TEST_PASSWORD } })
  const secret = String(enrollment.body.data.secret)
  await at.call('POST', '/auth/totp/confirm', { token, body: { otp: codeOf(secret) } })
  return { id, email, secret, token }
}

async function signsIn(at: Platform, who: { email: string; secret: string }): Promise<boolean> {
  clock.advance(60_000)
  const otp = codeOf(who.secret)
  return (await at.call('POST', '/auth/login', { body: { email: who.email, password: TEST_PASSWORD, otp } })).status === 200
}

const stands = async (at: Platform, token: string) => (await at.call('GET', '/profile', { token })).status === 200
const NOTICE = { payment_id: 'payment-1', order_id: 'order-1' }
const takesNotice = (at: Platform, secret: string) => at.provider.verifyNotice(NOTICE, signNotice(NOTICE, secret)) !== null

beforeEach(() => db.deleteFrom('mail_outbox').execute())

it('each secret has a setting for its previous value', () => {
  const own = SETTINGS.filter((one) => one.minLength !== undefined && !one.name.endsWith('_PREVIOUS')).map((one) => one.name)
  // Only the provider verifies its key, and a keystore belongs to its password.
  const isVerifiedElsewhere = (name: string) => name === 'PAYMENT_PROVIDER_KEY' || name.endsWith('_KEYSTORE_PASSWORD')
  expect(own.filter((name) => !isVerifiedElsewhere(name)).toSorted()).toEqual(ROTATED.toSorted())
})

describe.each(ROTATED)('rolling rotation of %s', (name) => {
  it('keeps sessions, authenticator apps, mails and codes valid', async () => {
    const steps = [{ [name]: OLD }, { [name]: OLD, [`${name}_PREVIOUS`]: NEW }, { [name]: NEW, [`${name}_PREVIOUS`]: OLD }, { [name]: NEW }]
    const houses = await Promise.all(steps.map(instance))
    const [first] = houses
    if (first === undefined) throw new Error('no process')
    const [member, staff] = [await withFactor(first, 'MEMBER'), await withFactor(first, 'ADMIN')]
    for (const [index, after] of houses.entries()) {
      const before = houses[Math.max(0, index - 1)] ?? first
      clock.advance(1000)
      const email = freshEmail()
      const registered = await before.call('POST', '/limit/auth/register', {
        body: { name: 'Ada Byron', email, phone: '+12025550143', password: 'violet-harbour-93' },
      })
      const token = String(registered.body.data.token)
      expect(await stands(after, token)).toBe(true)
      // The mail is encrypted under the earlier process's key; the later worker sends it.
      await after.runJobs()
      const verified = await before.call('POST', '/limit/auth/verify-token', { token, body: { token: after.mails.codeFor(email) } })
      expect(verified.status).toBe(200)
      expect(await stands(after, String(verified.body.data.token))).toBe(true)
      for (const at of [before, after]) {
        expect(await signsIn(at, member)).toBe(true)
        expect(await signsIn(at, staff)).toBe(true)
      }
      // The provider signs with the new secret from the swap on. Both processes of that step accept both.
      const signing = name !== 'PAYMENT_PROVIDER_SECRET' ? [] : index < 2 ? [OLD] : index === 2 ? [OLD, NEW] : [NEW]
      expect(signing.filter((secret) => !takesNotice(before, secret) || !takesNotice(after, secret))).toEqual([])
    }
  })
})

describe('encrypted data', () => {
  const stepsOfKey = () =>
    Promise.all([instance({ DATA_KEY: OLD }), instance({ DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD }), instance({ DATA_KEY: NEW })])
  const foreign = (at: Platform) => Promise.all(ENCRYPTED_COLUMNS.map((column) => countUnknownKeys(db, at.deps.config, column)))

  /** Expected counts in the first two columns, and zero in the others. */
  const counts = (...first: number[]) => ENCRYPTED_COLUMNS.map((_, index) => first[index] ?? 0)

  it('is re-encrypted under the new key on use and by the job, waiting mails included', async () => {
    await db.deleteFrom('second_factor').execute()
    const [before, during, after] = await stepsOfKey()
    const [used, unused] = [await withFactor(before, 'MEMBER'), await withFactor(before, 'ADMIN')]
    await before.call('POST', '/limit/auth/register', {
      body: { name: 'Ada Byron', email: 'waits@gmail.com', phone: '+12025550143', password: 'violet-harbour-93' },
    })
    expect(await foreign(after)).toEqual(counts(2, 3))
    expect(await signsIn(during, used)).toBe(true)
    expect(await foreign(after)).toEqual(counts(1, 3))
    expect(await runJob(db, during.deps, reEncryptJob, 'test')).toBe(4)
    expect(await foreign(after)).toEqual(counts(0, 0))
    expect(await signsIn(after, unused)).toBe(true)
    await after.runJobs()
    expect(after.mails.codeFor('waits@gmail.com')).toMatch(/^\d{6}$/)
    expect(await foreign(before)).toEqual(counts(2, 0))
  })

  it('of pending payouts stays valid: they are approved and signed under the new key', async () => {
    const [before, during, after] = await stepsOfKey()
    const [member, staff] = [await createTestMember(db), await createTestMember(db, { role: 'ADMIN' })]
    await fund(db, member.id, 'depositWallet', 1000n * ONE)
    await confirmPayoutAddress(db, member.id, PAYOUT_ADDRESS, { keys: before.deps.config })
    const input = { memberId: member.id, amount: 100n * ONE, address: PAYOUT_ADDRESS }
    const ask = () => inTransaction(db, async (tx) => (await requestWithdrawal(tx, before.deps, input)).id)
    const approve = (at: Platform, payoutId: string) =>
      inTransaction(db, (tx) => approvePayout(tx, at.deps, { payoutId, staffId: staff.id, reason: 'checked', ...byOne })).catch(
        (error: { code: string }) => error.code,
      )
    const [one, two] = [await ask(), await ask()]
    const { id: request_id } = await db.selectFrom('payout_request').select('id').where('public_id', '=', one).executeTakeFirstOrThrow()
    const payment = { payoutId: one, chainId: 1, token: '0x1', to: '0x2', amount: 93n }
    const columns = { request_id, chain_id: 1n, token: '0x1', to_address: '0x2', exact_amount: '93', queued_at: clock.now() }
    await db
      .insertInto('payout_sending')
      .values({ ...columns, approval_mac: approvalMac(before.deps.config, payment) })
      .execute()
    const broken = async (at: Platform) => (await auditPayoutMacs(db, at.deps.config)).map((result) => result.broken)
    expect(await Promise.all([approve(after, one), approve(after, two)])).toEqual(['PAYOUT_CHANGED', 'PAYOUT_CHANGED'])
    expect([await broken(before), await broken(during), await broken(after)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [2, 1, 0],
    ])
    expect(await approve(during, one)).toBe('approved')
    for (const table of ['mail_outbox', 'second_factor'] as const) await db.deleteFrom(table).execute()
    expect(await runJob(db, during.deps, reEncryptJob, 'test')).toBe(4)
    expect((await auditAddresses(db, after.deps.config)).broken).toBe(0)
    expect(await approve(after, two)).toBe('approved')
    expect([await broken(before), await broken(during), await broken(after)]).toEqual([
      [2, 1, 0],
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  it('of proposals stays valid, both pending and decided ones', async () => {
    const [before, during, after] = await stepsOfKey()
    const [maker, checker] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
    const who = ({ id }: { id: bigint }) => ({ memberId: id, role: 'ADMIN' as const })
    const propose = (openInvoices: number) =>
      inTransaction(db, (tx) =>
        submitProposal(tx, before.deps, who(maker), { subject: 'limits', value: { openInvoices }, reason: 'because' }),
      )
    const approve = (at: Platform, id: string) =>
      inTransaction(db, (tx) => approveProposal(tx, at.deps, who(checker), { id })).catch((error: { code: string }) => error.code)
    const decided = await propose(4)
    expect(await approve(before, decided)).toBeNull()
    const waits = await propose(3)
    expect(await approve(after, waits)).toBe('APPROVAL_FORGED')
    const broken = async (at: Platform) => (await auditProposals(db, at.deps.config)).map((result) => result.broken)
    expect([await broken(before), await broken(during), await broken(after)]).toEqual([[0], [0], [2]])
    await runJob(db, during.deps, reEncryptJob, 'test')
    expect([await broken(during), await broken(after)]).toEqual([[0], [0]])
    expect(await approve(after, waits)).toBeNull()
  })

  it('does not depend on TOKEN_SECRET', async () => {
    const who = await withFactor(await instance({ TOKEN_SECRET: OLD }), 'ADMIN')
    expect(await signsIn(await instance({ TOKEN_SECRET: NEW }), who)).toBe(true)
  })

  it('declares every binary column that is no image, no salt and not part of a published tree', async () => {
    expect(await columnsOfBytes(db)).toEqual(ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted())
  })
})

async function columnsOfBytes(at: Db): Promise<string[]> {
  // The seed of a leaf hides balances from other members. A reader of the database sees the balances themselves.
  const open = [
    'background_job_part.content',
    // Moves to `notice` within a minute, while the previous key still verifies it.
    'notification_event.message_mac',
    'recovery_code.salt',
    'ticket_image.bytes',
    'brand_logo.icon',
    'brand_logo.mark',
    'trust_leaf.seed',
    'trust_node.nodes',
  ].concat(['ip', 'reason', 'detail'].map((value) => `audit_event.${value}_salt`))
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type = 'bytea' order by 1`.execute(at)
  return rows.map((row) => row.name).filter((name) => !open.includes(name))
}
