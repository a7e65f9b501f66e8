import { dailyReward, formatUnits, ONE, parseUnits } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { testApp, type TestApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { limitsOf } from '../../../test/limits.ts'
import { createTestMember, fund, type TestMember } from '../../../test/members.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import { downlineStake, applyPendingTeamVolume } from '../team/index.ts'
import {
  auditChecks,
  newestStakes,
  openStake,
  type PlanValues,
  planValues,
  putPlan,
  schedulePlan,
  stakingRoutes,
  stakingJobs,
} from './index.ts'
import { findStakeLogReceipt, findStakeReceipt } from './stake-receipt.ts'
import { setCommitment } from '../../../test/commitment.ts'

const database = await testDatabase()
const { db } = database
let instance: TestApp

const coin = (count: number) => BigInt(count) * ONE

async function addPlan(id: string, options: { omega?: boolean; status?: string; minimum?: bigint; apy?: bigint; days?: number } = {}) {
  await db
    .insertInto('stake_plan')
    .values({
      public_id: id,
      name: `Plan ${id}`,
      duration_days: options.days ?? 365,
      minimum: options.minimum ?? coin(100),
      apy: options.apy ?? coin(36),
      is_omega: options.omega ?? false,
      status: options.status ?? 'ACTIVE',
      created_at: new Date('2026-01-01T00:00:00Z'),
    })
    .execute()
}

interface Person {
  member: TestMember
  token: string
}
async function person(native = 0, ico = 0): Promise<Person> {
  const member = await createTestMember(db)
  if (native > 0) await fund(db, member.id, 'nativeWallet', coin(native))
  if (ico > 0) await fund(db, member.id, 'icoWallet', coin(ico))
  return { member, token: (await instance.signIn(member.id)).token }
}

/** Figures for 1,000 coin in plan `year`: 1000 / 100 × 36 / 365 per day. */
const YEAR = {
  planId: 'year',
  planName: 'Plan year',
  duration: 365,
  apy: 36,
  stakeAmount: 1000,
  dailyRoy: 0.98630136,
  wallet: 'nativewallet',
}

beforeAll(async () => {
  instance = await testApp(db, { routes: (bind) => stakingRoutes(bind), jobs: stakingJobs })
  await addPlan('year')
  await addPlan('omega', { omega: true })
  await addPlan('shut', { status: 'CLOSED' })
  await addPlan('short', { days: 2, minimum: 0n, apy: coin(10) })
  await setCommitment(db)
})

const stake = (who: Person, body: object, key?: string) =>
  instance.call('POST', '/stack-now', { token: who.token, body, ...(key === undefined ? {} : { key }) })

describe('opening a stake', () => {
  it('[MF-13] [API-47] [ER-37] moves the principal into stakeWallet and shows the stake', async () => {
    const who = await person(1500)
    const reply = await stake(who, YEAR)
    expect(reply.body).toMatchObject({ success: true, message: 'Successfully staked amount', data: { receipt: { kind: 'stake' } } })
    expect(await balancesOf(db, who.member.id)).toMatchObject({ nativeWallet: coin(500), stakeWallet: coin(1000) })
    const list = await instance.call('GET', '/stack-now?page=1&limit=25', { token: who.token })
    expect(list.body.data.meta).toEqual({ total: 1, page: 1, limit: 25, sum: 1000, sumByStatus: { ACTIVE: 1000 } })
    expect(list.body.data.data[0]).toMatchObject({
      planName: 'Plan year',
      wallet: 'nativewallet',
      stakeAmount: 1000,
      duration: 365,
      apy: 36,
      dailyRoy: 0.98630136,
      createdAt: '2026-03-02T09:00:00.000Z',
      maturesAt: '2027-03-02T09:00:00.000Z',
      status: 'ACTIVE',
    })
    expect((await instance.call('GET', '/stake-logs', { token: who.token })).body.data.data).toEqual([])
    const { id } = reply.body.data.receipt
    expect(await findStakeReceipt(db, who.member.id, id)).toMatchObject({
      kind: 'stake',
      amount: coin(1000),
      from: { wallet: 'nativeWallet' },
      to: { wallet: 'stakeWallet' },
      balanceBefore: coin(1500),
      balanceAfter: coin(500),
      sourceLabel: 'Plan year',
    })
    expect(await findStakeLogReceipt(db, who.member.id, id)).toBeUndefined()
    expect(await findStakeReceipt(db, who.member.id + 1n, id)).toBeUndefined()
  })

  it('[VA-70] charges the ICO wallet for mywallet, and accepts the daily reward as rounded on the screen', async () => {
    const who = await person(0, 1000)
    expect((await stake(who, { ...YEAR, wallet: 'mywallet', dailyRoy: 0.99 })).status).toBe(200)
    expect(await balancesOf(db, who.member.id)).toMatchObject({ icoWallet: 0n, stakeWallet: coin(1000) })
  })

  it('[VA-67] [API-47] accepts a daily reward of x.xx5 rounded either way, and form fields as text', async () => {
    const who = await person(1000)
    const half = { planId: 'short', planName: 'Plan short', duration: 2, apy: 10, stakeAmount: '300.1', wallet: 'nativewallet' }
    for (const dailyRoy of ['15.01', '15.00', 15.005]) expect((await stake(who, { ...half, dailyRoy })).status).toBe(200)
    expect((await stake(who, { ...half, dailyRoy: 14.99 })).status).toBe(400)
    expect((await balancesOf(db, who.member.id)).stakeWallet).toBe(90_030_000_000n)
  })

  it('[RW-09] [API-80] stores a stake in an Omega plan as a stake log', async () => {
    const who = await person(1000)
    const reply = await stake(who, { ...YEAR, planId: 'omega', planName: 'Plan omega' })
    expect(reply.body.data.receipt.kind).toBe('stake-log')
    expect((await instance.call('GET', '/stack-now', { token: who.token })).body.data.data).toEqual([])
    expect((await instance.call('GET', '/stake-logs', { token: who.token })).body.data.data).toHaveLength(1)
  })

  it.each([
    ['a slightly higher daily reward', { dailyRoy: 0.98630137 }, 'The figures of this plan have changed, please try again'],
    ['a daily reward rounded down', { dailyRoy: 0.98 }, 'The figures of this plan have changed, please try again'],
    ['a higher apy', { apy: 72, dailyRoy: 1.97 }, 'The figures of this plan have changed, please try again'],
    ['a shorter duration', { duration: 30, dailyRoy: 12 }, 'The figures of this plan have changed, please try again'],
    ['the name of another plan', { planName: 'Plan omega' }, 'The figures of this plan have changed, please try again'],
    ['an unknown plan', { planId: 'nowhere' }, 'This plan is not available'],
    ['a closed plan', { planId: 'shut', planName: 'Plan shut' }, 'This plan is not available'],
    ['less than the minimum', { stakeAmount: 99, dailyRoy: 0.1 }, 'Minimum stake amount is 100'],
    ['1 coin', { stakeAmount: 1, dailyRoy: 0 }, 'Stake amount must be greater than 1'],
    ['no wallet', { wallet: '' }, 'Please Select wallet'],
    ['another wallet', { wallet: 'depositwallet' }, 'Please Select wallet'],
    ['more than the balance', { stakeAmount: 10_000, dailyRoy: 9.86 }, 'Insufficient balance'],
    ['a text as the amount', { stakeAmount: '1e3' }, 'Invalid amount'],
  ])('[VA-63] [VA-64] [VA-66] [VA-69] [ER-36] rejects %s', async (_, change, message) => {
    const who = await person(1000, 1000)
    const reply = await stake(who, { ...YEAR, ...change })
    expect(reply.body).toMatchObject({ success: false, statusCode: 400, message })
    expect(await balancesOf(db, who.member.id)).toMatchObject({ nativeWallet: coin(1000), icoWallet: coin(1000), stakeWallet: 0n })
    expect(await db.selectFrom('stake').select('id').where('member_id', '=', who.member.id).execute()).toEqual([])
  })

  it.each([
    ['year', 'Plan year', 365, 36, '99.99999999', '100', 'Minimum stake amount is 100'],
    ['short', 'Plan short', 2, 10, '1', '1.00000001', 'Stake amount must be greater than 1'],
  ])(
    '[VA-64] [VA-66] accepts the smallest stake of plan %s, and nothing below it',
    async (planId, planName, duration, apy, below, smallest, message) => {
      const who = await person(150)
      const ask = (stakeAmount: string) => {
        const units = parseUnits(stakeAmount) ?? 0n
        const dailyRoy = formatUnits(dailyReward(units, coin(apy), duration))
        return stake(who, { planId, planName, duration, apy, stakeAmount, dailyRoy, wallet: 'nativewallet' })
      }
      const rows = () => db.selectFrom('stake').select('amount').where('member_id', '=', who.member.id).execute()
      const wallets = async () => {
        const { nativeWallet, stakeWallet } = await balancesOf(db, who.member.id)
        return [nativeWallet, stakeWallet]
      }
      expect((await ask(below)).body).toMatchObject({ statusCode: 400, message })
      // The use case enforces the minimum for every caller.
      const units = parseUnits(below) ?? 0n
      const figures = { planName, duration, apy: coin(apy), dailyRoy: dailyReward(units, coin(apy), duration) }
      const input = { ...figures, memberId: who.member.id, planId, stakeAmount: units, wallet: 'nativewallet' as const }
      const code = planId === 'short' ? 'STAKE_TOO_SMALL' : 'BELOW_MINIMUM_STAKE'
      await expect(inTransaction(db, (tx) => openStake(tx, instance.deps, input))).rejects.toMatchObject({ code })
      expect([await rows(), await wallets()]).toEqual([[], [coin(150), 0n]])
      expect((await ask(smallest)).status).toBe(200)
      const amount = parseUnits(smallest) ?? 0n
      expect([await rows(), await wallets()]).toEqual([[{ amount }], [coin(150) - amount, amount]])
    },
  )

  it('[MF-13] is rejected while rewards are not covered, and moves nothing', async () => {
    const who = await person(1000)
    await setCommitment(db, 0n)
    const reply = await stake(who, YEAR)
    await setCommitment(db)
    expect(reply.body).toMatchObject({ statusCode: 400, message: 'New purchases of this kind are paused until the reward pool is funded' })
    expect(await balancesOf(db, who.member.id)).toMatchObject({ nativeWallet: coin(1000), stakeWallet: 0n })
  })

  it('[I4] accepts exactly one of 24 parallel stakes when the balance covers one', async () => {
    const who = await person(1000)
    const replies = await Promise.all(Array.from({ length: 24 }, () => stake(who, { ...YEAR, stakeAmount: 800, dailyRoy: 0.79 })))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array.from({ length: 23 }, () => 400)])
    expect(await balancesOf(db, who.member.id)).toMatchObject({ nativeWallet: coin(200), stakeWallet: coin(800) })
  })

  it('[I5] has one effect per idempotency key, and rejects another amount under it', async () => {
    const who = await person(3000)
    const first = await stake(who, YEAR, 'key-1')
    const again = await stake(who, YEAR, 'key-1')
    expect(again.text).toBe(first.text)
    expect((await stake(who, { ...YEAR, stakeAmount: 1001 }, 'key-1')).body.message).toBe(
      'This idempotency key was used for another request',
    )
    expect(await balancesOf(db, who.member.id)).toMatchObject({ stakeWallet: coin(1000) })
  })
})

describe('plans', () => {
  it('[API-67] [EN-30] lists plans newest first, by status', async () => {
    const who = await person()
    const active = await instance.call('GET', '/stack-coin-settings?status=ACTIVE', { token: who.token })
    expect(active.body.data.data.map((plan: { id: string }) => plan.id)).toEqual(['short', 'omega', 'year'])
    expect(active.body.data.data[2]).toEqual({
      id: 'year',
      planName: 'Plan year',
      duration: 365,
      minimum: 100,
      apy: 36,
      status: 'ACTIVE',
      omega: false,
      levelShare: 100,
    })
    expect((await instance.call('GET', '/stack-coin-settings', { token: who.token })).body.data.meta.total).toBe(4)
    expect((await instance.call('GET', '/stack-coin-settings')).status).toBe(401)
  })
})

// The embedded database runs one statement at a time, so transactions never overlap.
if (database.url !== undefined) {
  describe('plan that changes during a stake', () => {
    const input = { planId: 'met', planName: 'Plan met', duration: 365, apy: coin(36), dailyRoy: 98_630_136n, stakeAmount: coin(1000) }
    const open = (tx: Tx, who: Person) => openStake(tx, instance.deps, { ...input, memberId: who.member.id, wallet: 'nativewallet' })
    const put = (tx: Tx, values: Partial<PlanValues>) =>
      planValues(tx, 'met', instance.clock.now()).then((now) => putPlan(tx, instance.deps, 'met', { ...now, ...values }))
    /** Fails at once when the row is locked. */
    const hasty = (tx: Tx) => sql`set local lock_timeout = '20ms'`.execute(tx)
    const standing = async (who: Person) => [
      (await db.selectFrom('stake').select(['apy', 'amount']).where('member_id', '=', who.member.id).execute()).length,
      (await balancesOf(db, who.member.id)).stakeWallet,
    ]
    beforeAll(() => addPlan('met'))

    it('[RW-09] [VA-66] is locked until the stake commits', async () => {
      const who = await person(1000)
      await inTransaction(db, async (tx) => {
        await open(tx, who)
        const close = inTransaction(db, async (other) => {
          await hasty(other)
          await put(other, { status: 'INACTIVE' })
        })
        await expect(close).rejects.toMatchObject({ code: '55P03' })
      })
      expect(await standing(who)).toEqual([1, coin(1000)])
      expect(await planValues(db, 'met', instance.clock.now())).toMatchObject({ status: 'ACTIVE' })
    })

    it('[RW-09] [VA-66] accepts no stake with values that are being replaced', async () => {
      const who = await person(1000)
      const attempt = () =>
        inTransaction(db, async (tx) => {
          await hasty(tx)
          await open(tx, who)
        })
      await inTransaction(db, async (tx) => {
        await put(tx, { apy: coin(1) })
        await expect(attempt()).rejects.toMatchObject({ code: '55P03' })
      })
      await expect(attempt()).rejects.toMatchObject({ code: 'FIGURES_CHANGED' })
      expect(await standing(who)).toEqual([0, 0n])
    })

    it('accepts stakes of others in parallel', async () => {
      const [one, two] = [await person(1000), await person(1000)]
      await inTransaction(db, (tx) => put(tx, { apy: coin(36) }))
      await inTransaction(db, async (tx) => {
        await sql`select from stake_plan where public_id = 'met' for share`.execute(tx)
        await inTransaction(db, async (other) => {
          await hasty(other)
          await open(other, two)
        })
        await open(tx, one)
      })
      expect([await standing(one), await standing(two)]).toEqual([
        [1, coin(1000)],
        [1, coin(1000)],
      ])
    })
  })
}

it('shows the leader the newest stakes of a member that were not reversed', async () => {
  const [who, other] = [await person(5000), await person(5000)]
  for (const amount of [600, 700, 800, 900]) {
    const body = { ...YEAR, stakeAmount: amount, dailyRoy: Number(formatUnits(dailyReward(coin(amount), coin(36), 365))) }
    expect((await stake(who, body)).status).toBe(200)
  }
  await stake(other, YEAR)
  const newest = await db.selectFrom('stake').select('id').where('member_id', '=', who.member.id).orderBy('id', 'desc').execute()
  await db
    .updateTable('stake')
    .set({ status: 'REVERSED', reversed_at: instance.clock.now() })
    .where('id', '=', newest[0]?.id ?? 0n)
    .execute()
  const shown = await newestStakes(db, [who.member.id], 2)
  expect([...shown].map(([id, stakes]) => [id, stakes.map(({ stakeAmount }) => stakeAmount)])).toEqual([
    [who.member.id, [coin(800), coin(700)]],
  ])
  await db
    .updateTable('stake')
    .set({ status: 'ACTIVE', reversed_at: null })
    .where('id', '=', newest[0]?.id ?? 0n)
    .execute()
})

it('replaces the planned values of the named plan only', async () => {
  const day = (n: number) => new Date(instance.clock.now().getTime() + n * DAY_MS)
  const plan = async (id: string, ...steps: [number, bigint][]) => {
    const values = await planValues(db, id, instance.clock.now())
    const planned = steps.map(([n, minimum]) => ({ startsAt: day(n), values: { ...values, minimum } }))
    await inTransaction(db, (tx) => schedulePlan(tx, instance.deps, id, planned))
  }
  const planned = async () =>
    (
      await db
        .selectFrom('stake_plan_next')
        .innerJoin('stake_plan', 'stake_plan.id', 'stake_plan_next.plan_id')
        .select(['stake_plan.public_id', 'stake_plan_next.starts_at', 'stake_plan_next.minimum'])
        .orderBy('stake_plan.public_id')
        .orderBy('stake_plan_next.starts_at')
        .execute()
    ).map((row) => [row.public_id, row.starts_at, row.minimum])
  await plan('omega', [1, 11n], [2, 12n])
  await plan('year', [1, 21n])
  await plan('omega', [3, 13n])
  const year = ['year', day(1), 21n]
  expect(await planned()).toEqual([['omega', day(3), 13n], year])
  await plan('omega')
  expect(await planned()).toEqual([year])
  await plan('year')
  expect(await planned()).toEqual([])
})

it('[CO-47] [RW-09] uses the newest of two planned values that have both begun, in lists, proposals and stakes', async () => {
  const began = instance.clock.now()
  onTestFinished(() => instance.clock.set(began))
  await addPlan('twice')
  const values = await planValues(db, 'twice', began)
  const planned = [4_037_000_000n, 4_412_345_678n].map((apy, day) => ({
    startsAt: new Date(began.getTime() + (day + 1) * DAY_MS),
    values: { ...values, apy },
  }))
  await inTransaction(db, (tx) => schedulePlan(tx, instance.deps, 'twice', planned))
  instance.clock.advance(3 * DAY_MS)
  const who = await person(5000)
  const shown = (await instance.call('GET', '/stack-coin-settings?status=ACTIVE', { token: who.token })).body.data.data
  expect(shown.find((plan: { id: string }) => plan.id === 'twice')).toMatchObject({ apy: 44.12345678 })
  const amount = 123_456_789_000n
  const input = (apy: bigint) => ({
    planId: 'twice',
    planName: 'Plan twice',
    duration: 365,
    apy: Number(formatUnits(apy)),
    stakeAmount: Number(formatUnits(amount)),
    dailyRoy: Number(formatUnits(dailyReward(amount, apy, 365))),
    wallet: 'nativewallet',
  })
  const [older, newer] = planned.map((one) => one.values.apy)
  expect((await stake(who, input(older ?? 0n))).status).toBe(400)
  expect((await stake(who, input(newer ?? 0n))).status).toBe(200)
  const kept = db.selectFrom('stake').select(['apy', 'daily_reward']).where('member_id', '=', who.member.id)
  expect(await kept.execute()).toEqual([{ apy: newer, daily_reward: dailyReward(amount, newer ?? 0n, 365) }])
})

it('[RW-09] changes only the named plan', async () => {
  const all = () => db.selectFrom('stake_plan').selectAll().orderBy('id').execute()
  const before = await all()
  const values = await planValues(db, 'short', instance.clock.now())
  await inTransaction(db, (tx) => putPlan(tx, instance.deps, 'short', { ...values, apy: coin(11) }))
  expect(await all()).toEqual(before.map((plan) => (plan.public_id === 'short' ? { ...plan, apy: coin(11) } : plan)))
  await inTransaction(db, (tx) => putPlan(tx, instance.deps, 'short', values))
  expect(await all()).toEqual(before)
})

describe('maturity', () => {
  it('[MF-24] [RW-11] [ST-42] returns the principal once, after the last reward day was processed', async () => {
    const who = await person(0, 500)
    const rich = await person(500)
    const body = { planId: 'short', planName: 'Plan short', duration: 2, apy: 10, stakeAmount: 500, dailyRoy: 25 }
    expect((await stake(who, { ...body, wallet: 'mywallet' })).status).toBe(200)
    expect((await stake(rich, { ...body, wallet: 'nativewallet' })).status).toBe(200)
    const mine = (days: number) =>
      db.updateTable('reward_source').set({ processed: days }).where('member_id', 'in', [who.member.id, rich.member.id]).execute()

    instance.clock.advance(2 * 86_400_000 - 1)
    await mine(2)
    await instance.runJobs()
    expect(await balancesOf(db, who.member.id)).toMatchObject({ icoWallet: 0n, stakeWallet: coin(500) })

    instance.clock.advance(1)
    await mine(1)
    await instance.runJobs()
    expect(await balancesOf(db, who.member.id)).toMatchObject({ icoWallet: 0n, stakeWallet: coin(500) })

    await mine(2)
    await Promise.all([instance.runJobs(), instance.runJobs()])
    await instance.runJobs()
    expect(await balancesOf(db, who.member.id)).toMatchObject({ icoWallet: coin(500), nativeWallet: 0n, stakeWallet: 0n })
    expect(await balancesOf(db, rich.member.id)).toMatchObject({ nativeWallet: coin(500), stakeWallet: 0n })
    const { token } = await instance.signIn(who.member.id)
    const list = await instance.call('GET', '/stack-now', { token })
    expect(list.body.data.data[0]).toMatchObject({ status: 'COMPLETED', paidDays: 2, paidTotal: 50 })
    expect(list.body.data.meta.sumByStatus).toEqual({ COMPLETED: 500 })
  })
})

describe('stakes that end in one batch', () => {
  it.each([
    ['two stakes of one member', [0, 0]],
    ['two stakes of two members', [0, 1]],
    ['two stakes of both members', [0, 1, 1, 0]],
  ])('[RW-05] [I11] reduce the running volume of the teams above: %s', async (_, stakers) => {
    const leader = await createTestMember(db)
    const sponsor = await createTestMember(db, { sponsorId: leader.id })
    const people = await Promise.all([1, 2].map(() => createTestMember(db, { sponsorId: sponsor.id })))
    const [amount, apy] = [123_456_789_001n, coin(10)]
    const terms = { planId: 'short', planName: 'Plan short', duration: 2, apy, dailyRoy: dailyReward(amount, apy, 2) }
    for (const index of stakers) {
      const memberId = people[index]?.id ?? 0n
      await fund(db, memberId, 'nativeWallet', amount)
      const input = { ...terms, memberId, stakeAmount: amount, wallet: 'nativewallet' } as const
      await inTransaction(db, (tx) => openStake(tx, instance.deps, input))
    }
    const totalStake = amount * BigInt(stakers.length)
    const volumes = async () => [await downlineStake(db, leader.id), await downlineStake(db, sponsor.id)]
    const running = { totalStake, runningStake: totalStake }
    expect(await volumes()).toEqual([running, running])
    instance.clock.advance(2 * DAY_MS)
    await sql`update reward_source set processed = steps where member_id = any (${people.map(({ id }) => id)}::bigint[])`.execute(db)
    await instance.runJobs()
    const ended = { totalStake, runningStake: 0n }
    expect(await volumes()).toEqual([ended, ended])
    await inTransaction(db, (tx) => applyPendingTeamVolume(tx, 1000, 1n))
    expect(await volumes()).toEqual([ended, ended])
  })
})

it.each([
  ['a total of a leader', 'update team_total set running = running + 1 where member_id = (select min(member_id) from team_total)'],
  [
    'a pending delta',
    `insert into team_pending_delta (member_id, month, running) select max(member_id), '2026-03-01', 1 from stake where member_id in
    (select member_id from team_member where depth > 0)`,
  ],
  [
    'a completed stake',
    `update stake set status = 'COMPLETED', matured_at = matures_at where id =
    (select min(id) from stake where status = 'ACTIVE' and member_id in (select member_id from team_member where depth > 0))`,
  ],
])('[I11] the audit finds running volume that differs from the running stakes: %s', async (_, damage) => {
  const leader = await createTestMember(db)
  const { id } = await createTestMember(db, { sponsorId: leader.id })
  await fund(db, id, 'nativeWallet', coin(500))
  const terms = { planId: 'short', planName: 'Plan short', duration: 2, apy: coin(10), dailyRoy: coin(25), stakeAmount: coin(500) }
  await inTransaction(db, (tx) => openStake(tx, instance.deps, { ...terms, memberId: id, wallet: 'nativewallet' }))
  const checks = auditChecks.filter(({ title }) => title.startsWith('the running volume of each team'))
  const broken = (on: Db) => Promise.all(checks.map(async (check) => (await sql.raw(check.sql).execute(on)).rows.length > 0))
  for (const fold of [false, true]) {
    if (fold || damage.includes('team_total')) await inTransaction(db, (tx) => applyPendingTeamVolume(tx, 1000, 1n))
    expect(await broken(db)).toEqual([false])
    const undo = new Error('undo')
    const damaged = inTransaction(db, async (tx) => {
      await sql.raw(damage).execute(tx)
      expect(await broken(tx)).toEqual([true])
      throw undo
    })
    await expect(damaged).rejects.toBe(undo)
  }
})

describe('planner', () => {
  it("shows the rewards of the coming days, only the member's", async () => {
    const who = await person(500)
    await stake(who, {
      planId: 'short',
      planName: 'Plan short',
      duration: 2,
      apy: 10,
      stakeAmount: 500,
      dailyRoy: 25,
      wallet: 'nativewallet',
    })
    const start = instance.clock.now().getTime()
    const day = (count: number) => new Date(start + count * 86_400_000).toISOString()
    const read = async (days: number) =>
      (await instance.call('GET', `/staking/upcoming?days=${days}`, { token: who.token })).body.data.items
    expect((await read(30)).map((item: { at: string; kind: string; amount: number }) => [item.at, item.kind, item.amount])).toEqual([
      [day(1), 'daily-reward', 25],
      [day(2), 'daily-reward', 25],
      [day(2), 'maturity', 500],
    ])
    expect(await read(1)).toHaveLength(1)
    const other = await person()
    expect((await instance.call('GET', '/staking/upcoming', { token: other.token })).body.data.items).toEqual([])
  })

  it('shows pending rewards on their release day, by kind, without released or cancelled ones', async () => {
    const leader = await person()
    const staker = await createTestMember(db, { sponsorId: leader.member.id })
    const hold = (kind: 'level' | 'nft-level', cause: bigint, hours: number, amount: bigint, status = 'held') =>
      db
        .insertInto('reward_instant')
        .values({
          kind,
          beneficiary_id: leader.member.id,
          source_member_id: staker.id,
          cause_type: 'source',
          cause_id: cause,
          level: 1,
          base: coin(100),
          percent: coin(5),
          amount,
          reversed: status === 'reversed' ? amount : kind === 'level' && cause === 2n ? coin(1) : 0n,
          asset: kind === 'level' ? 'COIN' : 'USD',
          programme_version: 1,
          status,
          created_at: instance.clock.now(),
          release_at: new Date(instance.clock.now().getTime() + hours * 3_600_000),
        })
        .execute()
    await hold('level', 1n, 24, coin(5))
    await hold('level', 2n, 25, coin(7))
    await hold('nft-level', 3n, 24, coin(2))
    await hold('level', 4n, 24, coin(100), 'reversed')
    await hold('level', 5n, 24, coin(100), 'owed')
    await hold('level', 6n, -1, coin(100))
    await hold('level', 7n, 24 * 31, coin(9))
    const { items } = (await instance.call('GET', '/staking/upcoming?days=30', { token: leader.token })).body.data
    const at = new Date(instance.clock.now().getTime() + 86_400_000).toISOString()
    expect(items).toEqual([
      { at, kind: 'release', label: 'Held NFT level bonuses', asset: 'usd', amount: 2 },
      { at, kind: 'release', label: 'Held level rewards', asset: 'coin', amount: 11 },
    ])
    const link = new URL((await instance.call('POST', '/staking/calendar-link', { token: leader.token })).body.data.url)
    const feed = await instance.call('GET', `${link.pathname.replace('/api/v1', '')}${link.search}`)
    expect(feed.text).toContain('SUMMARY:Pending rewards released: 11.00 TIZARA (2)\r\n')
    expect(feed.text).toContain('SUMMARY:Pending rewards released: 2.00 USD\r\n')
    const uids = feed.text.match(/UID:.*/g) ?? []
    expect(new Set(uids).size).toBe(uids.length)
    expect(uids).toHaveLength(3)
  })

  it('serves a calendar at a private address, which a new one replaces', async () => {
    const who = await person(500)
    await stake(who, {
      planId: 'short',
      planName: 'Plan short',
      duration: 2,
      apy: 10,
      stakeAmount: 500,
      dailyRoy: 25,
      wallet: 'nativewallet',
    })
    const renew = async () => {
      const url = new URL((await instance.call('POST', '/staking/calendar-link', { token: who.token })).body.data.url)
      return `${url.pathname.replace('/api/v1', '')}${url.search}`
    }
    const first = await renew()
    const feed = await instance.call('GET', first)
    expect(feed.status).toBe(200)
    expect(feed.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(feed.text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)
    expect(feed.text.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    expect(feed.text).toContain('RRULE:FREQ=DAILY;COUNT=2\r\nSUMMARY:Daily reward: 25.00 TIZARA\r\n')
    expect(feed.text).toContain('SUMMARY:Stake matures: 500.00 TIZARA\r\n')
    expect(feed.text).not.toContain(who.member.email)
    const second = await renew()
    expect((await instance.call('GET', first)).status).toBe(404)
    expect((await instance.call('GET', second)).status).toBe(200)
    const stored = await db.selectFrom('calendar_link').selectAll().where('member_id', '=', who.member.id).executeTakeFirstOrThrow()
    expect(second).not.toContain(stored.token_digest)
    await db.updateTable('member').set({ is_active: false }).where('id', '=', who.member.id).execute()
    expect((await instance.call('GET', second)).status).toBe(404)
  })
})

it('[I1] [I2] leaves the ledger intact', async () => {
  const results = await runAudit(db, [...ledgerChecks, ...auditChecks])
  expect(results.filter((result) => result.broken > 0)).toEqual([])
})

it('[I2] limits every amount column with a check', async () => {
  expect(await limitsOf(db, 'stake_plan')).toEqual({ duration_days: '1…36500', minimum: '0…', apy: '1…' })
  expect(await limitsOf(db, 'stake')).toEqual({ amount: '100000001…', apy: '1…', duration_days: '1…', daily_reward: '0…' })
})
