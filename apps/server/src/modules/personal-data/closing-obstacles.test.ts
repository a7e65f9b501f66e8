import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../test/auth-app.ts'
import { createTestMember, fund, PAYOUT_ADDRESS, type TestMember, TEST_PASSWORD } from '../../../test/members.ts'
import { testInstance } from '../../../test/test-instance.ts'
import { testDatabase } from '../../../test/database.ts'
import { runJob } from '../../jobs/job.ts'
import { closeAccountsJob, closingRoutes } from '../auth/index.ts'
import { setActive } from '../members/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { closingObstacles } from './closing-obstacles.ts'

const DAY_MS = 86_400_000
const app = await authTestApp({}, (bind) => closingRoutes(bind, closingObstacles))

const login = (member: TestMember) => app.call('POST', '/auth/login', { body: { email: member.email, password: TEST_PASSWORD } })
const close = async (member: TestMember, body: object = { password: TEST_PASSWORD }, how = {}) => {
  const { token } = await app.signIn(member.id, how)
  return { token, reply: await app.call('POST', '/profile/closing', { token, body }) }
}
const runClosing = () => runJob(app.db, app.deps, closeAccountsJob(closingObstacles), 'test')
const row = (member: TestMember) =>
  app.db.selectFrom('member').select(['is_active', 'closes_at', 'closed_at']).where('id', '=', member.id).executeTakeFirstOrThrow()
const subjects = async (member: TestMember) => {
  await app.runJobs()
  return app.mails.to(member.email).map(({ subject }) => subject)
}
const actions = async (member: TestMember) =>
  (
    await app.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject_id', '=', member.publicId)
      .where('action', 'in', ['auth.close-account', 'auth.cancel-closing', 'auth.account-closed'])
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('closing of an account', () => {
  it('blocks it and ends all sessions at once, and closes it after 30 days', async () => {
    const member = await createTestMember(app.db)
    const other = await app.signIn(member.id)
    const { token, reply } = await close(member)
    const closesAt = new Date(app.clock.now().getTime() + 30 * DAY_MS)
    expect([reply.status, reply.body.data.closesAt]).toEqual([200, closesAt.toISOString()])
    for (const ended of [token, other.token]) expect((await app.call('GET', '/auth/sessions', { token: ended })).status).toBe(401)
    expect(await row(member)).toEqual({ is_active: false, closes_at: closesAt, closed_at: null })
    expect(await subjects(member)).toEqual(['Tizara: your account will be closed'])
    app.clock.advance(30 * DAY_MS - 1)
    await runClosing()
    expect((await row(member)).closed_at).toBeNull()
    app.clock.advance(1)
    await runClosing()
    expect((await row(member)).closed_at).toEqual(closesAt)
    expect((await login(member)).body.message).toBe('Your account is blocked')
    await runClosing()
    expect(await actions(member)).toEqual(['auth.close-account', 'auth.account-closed'])
    expect(await subjects(member)).toEqual(['Tizara: your account will be closed', 'Tizara: your account is closed'])
  })

  it('is cancelled by a sign-in until it is closed, and can be requested again', async () => {
    const member = await createTestMember(app.db)
    expect((await close(member)).reply.status).toBe(200)
    app.clock.advance(29 * DAY_MS)
    const wrong = await app.call('POST', '/auth/login', { body: { email: member.email, password: 'wrong-harbour-11' } })
    expect([wrong.status, (await row(member)).is_active]).toEqual([400, false])
    expect((await login(member)).status).toBe(200)
    expect(await row(member)).toEqual({ is_active: true, closes_at: null, closed_at: null })
    app.clock.advance(2 * DAY_MS)
    await runClosing()
    expect(await row(member)).toEqual({ is_active: true, closes_at: null, closed_at: null })
    expect((await close(member)).reply.status).toBe(200)
    expect(await actions(member)).toEqual(['auth.close-account', 'auth.cancel-closing', 'auth.close-account'])
    expect(await subjects(member)).toContain('Tizara: your account stays open')
  })

  it('needs a proof on a device that is not new, and counts once when requested twice at once', async () => {
    const member = await createTestMember(app.db)
    expect((await close(member, {})).reply.status).toBe(400)
    expect((await close(member, { password: 'wrong-harbour-11' })).reply.status).toBe(400)
    expect((await close(member, { password: TEST_PASSWORD }, { newDevice: true })).reply.status).toBe(400)
    const { token } = await app.signIn(member.id)
    const both = await Promise.all([1, 2].map(() => app.call('POST', '/profile/closing', { token, body: { password: TEST_PASSWORD } })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect(await actions(member)).toEqual(['auth.close-account'])
  })

  it('waits when money arrived meanwhile, and tells the member', async () => {
    const member = await createTestMember(app.db)
    await close(member)
    await app.runJobs()
    await fund(app.db, member.id, 'depositWallet', 5n * ONE)
    app.clock.advance(30 * DAY_MS)
    await runClosing()
    expect(await row(member)).toMatchObject({ closed_at: null, closes_at: new Date(app.clock.now().getTime() + 30 * DAY_MS) })
    await runClosing()
    expect(await subjects(member)).toEqual(['Tizara: your account will be closed', 'Tizara: your account is not closed yet'])
    expect((await login(member)).status).toBe(200)
  })

  it('lifts no block by staff', async () => {
    const member = await createTestMember(app.db)
    await close(member)
    await inTransaction(app.db, (tx) => setActive(tx, { id: member.id, isActive: false, at: app.clock.now() }))
    expect((await login(member)).body.message).toBe('Your account is blocked')
    expect((await row(member)).is_active).toBe(false)
  })
})

describe('obstacles', async () => {
  const instance = await testInstance(await testDatabase())
  const now = instance.clock.now()
  const { db } = instance
  const deposit = { description: '', amount: ONE, usd_amount: ONE, created_at: now }
  const payout = {
    kind: 'withdrawal',
    amount: ONE,
    platform_fee: 0n,
    network_fee: 0n,
    received: ONE,
    address: PAYOUT_ADDRESS,
    network: 0,
    settings_version: 1,
    created_at: now,
    confirm_by: now,
    owner_mac: Buffer.from('mac'),
  }
  it.each<[string, string, (member: TestMember) => Promise<unknown>]>([
    ['money', 'My Wallet has 2.50 coin.', (member) => fund(db, member.id, 'icoWallet', 250_000_000n)],
    ['a running stake', 'A stake is running.', (member) => instance.stake(member, { amount: 1_000n * ONE, apy: 50n * ONE, days: 10 })],
    [
      'rewards to come',
      'Rewards of a stake or NFT are still to be paid.',
      (member) => instance.stake(member, { amount: 1_000n * ONE, apy: 50n * ONE, days: 10 }),
    ],
    ['an active NFT', 'An NFT is active.', (member) => instance.buyNft(member, { price: ONE, percent: ONE, months: 1 })],
    [
      'an open deposit',
      'A deposit is open.',
      (member) =>
        db
          .insertInto('deposit')
          .values({ ...deposit, public_id: 'open', member_id: member.id, method: 'hosted' })
          .execute(),
    ],
    [
      'an open withdrawal',
      'A withdrawal, bridge or transfer is open.',
      (member) =>
        db
          .insertInto('payout_request')
          .values({ ...payout, public_id: 'open', member_id: member.id, hold_id: 1n })
          .execute(),
    ],
    [
      'an open sell request',
      'A request to sell coin is open.',
      (member) =>
        db
          .insertInto('sell_request')
          .values({
            public_id: 'open',
            member_id: member.id,
            amount: ONE,
            lowest_price: ONE,
            created_at: now,
            expires_at: new Date(now.getTime() + DAY_MS),
          })
          .execute(),
    ],
    [
      'an open ticket',
      'A support ticket is open.',
      (member) =>
        db
          .insertInto('ticket')
          .values({ public_id: 'open', member_id: member.id, title: '', description: '', created_at: now, last_message_at: now })
          .execute(),
    ],
    [
      'a role',
      'You are a member of staff: an administrator must end your role first.',
      (member) => db.updateTable('member').set({ role: 'SUPPORT' }).where('id', '=', member.id).execute(),
    ],
  ])('include %s, of the member only', async (_, text, prepare) => {
    const [member, other] = [await instance.join(), await instance.join()]
    const obstaclesOf = async ({ id }: TestMember) => {
      const { role } = await db.selectFrom('member').select('role').where('id', '=', id).executeTakeFirstOrThrow()
      return closingObstacles(db, { id, role })
    }
    expect(await obstaclesOf(member)).toEqual([])
    await prepare(member)
    expect(await obstaclesOf(member)).toContain(text)
    expect(await obstaclesOf(other)).toEqual([])
  })

  it('reject the request and are listed', async () => {
    const member = await createTestMember(app.db)
    await fund(app.db, member.id, 'depositWallet', ONE)
    const { token, reply } = await close(member)
    expect([reply.status, reply.body.message]).toEqual([
      400,
      'Your account cannot be closed yet. Your profile lists what must be settled first',
    ])
    expect((await app.call('GET', '/profile/closing', { token })).body.data).toEqual({ obstacles: ['Deposit Wallet has 1.00 USD.'] })
    expect(await actions(member)).toEqual([])
  })
})
