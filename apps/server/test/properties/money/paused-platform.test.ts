import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { staffInstance } from '../../staff-instance.ts'
import { fillSalesFund, fund, PAYOUT_ADDRESS, confirmPayoutAddress } from '../../members.ts'
import { runJob, type Job } from '../../../src/jobs/job.ts'
import {
  balanceSheetOf,
  systemBalances,
  type AccountRef,
  type AnySystemKind,
  type Asset,
  liftLedgerStop,
  post,
  postBulk,
  stopLedger,
  walletKinds,
} from '../../../src/ledger/index.ts'
import { payDay, payDueRewardsNow, rewardJobs } from '../../../src/modules/rewards/index.ts'
import { staffRecurringJobs } from '../../../src/modules/staff/index.ts'
import { requestWithdrawal } from '../../../src/modules/withdrawals/index.ts'
import { DAY_MS } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { allTransfers } from '../../../src/main/all-checks.ts'

const WHY = 'an account that nobody can explain'
const instance = await staffInstance()
const second = await instance.person()

const stop = () => inTransaction(instance.at.db, (tx) => stopLedger(tx, instance.at.clock.now(), WHY))
const lift = () => inTransaction(instance.at.db, (tx) => liftLedgerStop(tx, instance.at.clock.now()))
const job = (name: string, of: readonly Job[]) => {
  const found = of.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no job ${name}`)
  return runJob(instance.at.db, instance.at.deps, found, 'test')
}

describe('while the platform is paused', () => {
  beforeAll(stop)
  afterAll(lift)

  /** Returns a declared pair's side as an owner's account. */
  const account = (side: string, owner: bigint): AccountRef => {
    const wallet = walletKinds.find((kind) => kind === side)
    if (wallet !== undefined) return { owner, kind: wallet }
    const [name, asset] = side.split(' ') as [Exclude<AnySystemKind, 'SYS-HOLD'>, Asset]
    return { system: name, asset }
  }
  const pairs = Object.entries(allTransfers).flatMap(([kind, { pairs: declared }]) =>
    declared.map(([from, to]) => ({ kind: kind as keyof typeof allTransfers, from: from as string, to: to as string })),
  )

  it.each(pairs)(
    'the ledger accepts a $kind from $from to $to only if it is neither an outflow nor a credit',
    async ({ kind, from, to }) => {
      const cause = { type: 'test', id: 'stopped' }
      const transfers = [{ from: account(from, instance.member.id), to: account(to, second.id), amount: 1n }]
      const waits =
        kind === 'reversal' || (/^SYS-(DEPOSIT|REWARD)/.test(from) && !to.startsWith('SYS-')) || /^SYS-(WITHDRAW|BRIDGE)/.test(to)
      // Rolls back, so that the ledger stays balanced.
      const tried = await inTransaction(instance.at.db, async (tx) => {
        await post(tx, { kind, cause, at: instance.at.clock.now(), transfers })
        throw new Error('posted')
      }).catch((error: { code?: string; message: string }) => `${error.code}: ${error.message}`)
      if (waits) expect(tried).toBe(`STOPPED: Payouts and rewards are paused: ${WHY}`)
      else expect(tried).not.toContain('STOPPED')
    },
  )

  it('a bulk run is rejected', async () => {
    const source = sql`select ${instance.member.id}::bigint as owner_id, 1::bigint as amount, 'x'::text as cause_id, null::text as key`
    const bulk = { from: 'SYS-REWARD', to: 'nativeWallet', kind: 'stakeRewards', causeType: 'reward_run', total: 1n } as const
    const run = inTransaction(instance.at.db, (tx) => postBulk(tx, { ...bulk, at: instance.at.clock.now(), source }))
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' })
  })

  const reason = 'as it has to be'
  const special = () => instance.person({ specialRcm: true })
  const acts: Readonly<Record<string, () => Promise<{ path: string; body?: object }>>> = {
    'a payout': async () => ({
      path: `/staff/queues/withdrawals/${await instance.withdrawal(await instance.person(), 20n)}/approve`,
      body: { reason },
    }),
    'the first of two approvals': async () => ({
      path: `/staff/queues/withdrawals/${await instance.withdrawal(await instance.person(), 2000n)}/approve`,
      body: { reason },
    }),
    'a bridge': async () => ({
      path: `/staff/queues/bridges/${await instance.bridge(await instance.person(), 80n)}/approve`,
      body: { reason },
    }),
    'a deposit': async () => ({
      path: `/staff/queues/deposits/${await instance.deposit(await instance.person(), 50n, 'EUR')}/approve`,
      body: { reason, amount: 50 },
    }),
    'a credit of RCM': async () => ({ path: `/staff/members/${(await special()).publicId}/credit-rcm`, body: { amount: 1, reason } }),
    'a reward run': async () => ({ path: '/staff/reward-runs', body: {} }),
  }
  it.each(Object.entries(acts))('%s is rejected, and changes nothing', async (_, prepare) => {
    await lift()
    const { path, body } = await prepare()
    await stop()
    const before = await sql`select count(*)::int as count from ledger_transfer`.execute(instance.at.db)
    const { status, body: parsed } = await instance.post(path, instance.maker, body)
    expect([status, parsed.message]).toEqual([400, `Payouts and rewards are paused: ${WHY}`])
    expect((await sql`select count(*)::int as count from ledger_transfer`.execute(instance.at.db)).rows).toEqual(before.rows)
  })

  it('a run from the command line is rejected, and the worker pays nothing without failing', async () => {
    const { db, deps } = instance.at
    const day = deps.clock.now().toISOString().slice(0, 10)
    await expect(payDay(db, deps, { day, by: 'test' })).rejects.toMatchObject({ code: 'STOPPED' })
    expect(await payDueRewardsNow(db, deps, 'test')).toBe(0)
    for (const name of ['reward-run', 'reward-release']) expect(await job(name, rewardJobs)).toBe(0)
  })

  it('members can request payouts, which wait, and get back rejected ones', async () => {
    const who = await instance.person()
    await lift()
    await fund(instance.at.db, who.id, 'depositWallet', 30n * ONE)
    await confirmPayoutAddress(instance.at.db, who.id)
    await stop()
    const input = { memberId: who.id, amount: 30n * ONE, address: PAYOUT_ADDRESS }
    const { id } = await inTransaction(instance.at.db, (tx) => requestWithdrawal(tx, instance.at.deps, input))
    expect((await instance.post(`/staff/queues/withdrawals/${id}/reject`, instance.maker, { reason })).status).toBe(200)
    expect(await instance.balance(who, 'depositWallet')).toBe(30n * ONE)
  })
})

it('one person can pause, and two are needed to resume', async () => {
  const stopped = async () => (await instance.get('/staff/overview', instance.maker)).body.data.paused
  expect((await instance.post('/staff/pause', instance.support, { reason: 'x' })).status).toBe(404)
  expect((await instance.post('/staff/pause', instance.maker, { reason: 'An intruder signed in' })).status).toBe(200)
  expect(await stopped()).toMatchObject({ why: 'An intruder signed in' })
  expect((await instance.post('/staff/pause', instance.checker, { reason: 'y' })).body.message).toContain('An intruder signed in')
  const { body } = await instance.post('/staff/resume', instance.maker, { reason: 'It was a test' })
  const approve = `/staff/changes/${body.data.proposalId}/approve`
  expect((await instance.post(approve, instance.maker)).body.message).toBe('Another staff member has to approve this')
  expect(await stopped()).toBeDefined()
  expect((await instance.post(approve, instance.checker)).status).toBe(200)
  expect(await stopped()).toBeUndefined()
  expect((await instance.post('/staff/resume', instance.maker, { reason: 'x' })).status).toBe(400)
})

it('an approval resumes only the pause that the proposal named', async () => {
  await stop()
  const { body } = await instance.post('/staff/resume', instance.maker, { reason: 'It was a test' })
  await lift()
  instance.at.clock.advance(1000)
  await stop()
  expect((await instance.post(`/staff/changes/${body.data.proposalId}/approve`, instance.checker)).body.message).toContain(
    'values have changed',
  )
  await lift()
})

it('a red incident pauses once automatically, and shows who is assigned', async () => {
  const incidents = async () => (await instance.get('/staff/incidents', instance.maker)).body.data
  await job('watch-platform', staffRecurringJobs)
  expect(await incidents()).toEqual([])
  await sql`insert into command_last_run (name, finished_at, succeeded, detail) values ('audit', now(), false, '1 of 61 checks failed')`.execute(
    instance.at.db,
  )
  await job('watch-platform', staffRecurringJobs)
  const [red] = await incidents()
  expect(red).toMatchObject({ level: 'red', text: 'The ledger audit found differences: 1 of 61 checks failed' })
  expect((await instance.get('/staff/overview', instance.maker)).body.data.paused.why).toBe(red.text)
  expect((await instance.post(`/staff/incidents/${red.id}/take`, instance.support)).status).toBe(200)
  expect((await incidents())[0].takenBy.email).toBe(instance.support.email)
  await lift()
  await job('watch-platform', staffRecurringJobs)
  expect((await instance.get('/staff/overview', instance.maker)).body.data).not.toHaveProperty('stopped')
  await sql`update command_last_run set succeeded = true where name = 'audit'`.execute(instance.at.db)
  await job('watch-platform', staffRecurringJobs)
  expect(await incidents()).toEqual([])
  expect((await instance.post(`/staff/incidents/${red.id}/take`, instance.support)).status).toBe(404)
})

it('[I8] a final payment that is gone from the chain pauses until two people have resolved it', async () => {
  const incidents = async () => (await instance.get('/staff/incidents', instance.maker)).body.data
  const { clock, db } = instance.at
  const noted = await sql<{ id: string }>`insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('FINAL_GONE', ${clock.now()}, 77, '["0xa 0xb 0"]'), ('TOO_DEEP', ${clock.now()}, 12, '[]') returning id::text`.execute(db)
  await job('watch-platform', staffRecurringJobs)
  const [newest, older] = await incidents()
  expect(newest).toMatchObject({ level: 'red', text: 'The chain differs from the stored blocks before block 12' })
  expect(older).toMatchObject({ level: 'red', text: '1 final payment is reverted on the chain, from block 77 on' })
  expect([newest.text, older.text]).toContain((await instance.get('/staff/overview', instance.maker)).body.data.paused.why)
  await lift()
  clock.advance(8 * DAY_MS)
  for (const person of [instance.maker, instance.checker, instance.support]) person.token = (await instance.at.signIn(person.id)).token
  for (const { id } of [newest, older]) expect((await instance.post(`/staff/incidents/${id}/take`, instance.support)).status).toBe(200)
  for (let times = 0; times < 2; times += 1) await job('watch-platform', staffRecurringJobs)
  expect(await incidents()).toHaveLength(2)
  for (const { id } of noted.rows) {
    const reason = 'what was credited is found'
    const { body } = await instance.post('/staff/chain/answer', instance.maker, { about: 'incident', id, answer: 'SEEN', reason })
    expect((await instance.post(`/staff/changes/${body.data.proposalId}/approve`, instance.checker, { reason })).status).toBe(200)
  }
  await job('watch-platform', staffRecurringJobs)
  expect(await incidents()).toEqual([])
  expect((await instance.get('/staff/overview', instance.maker)).body.data).not.toHaveProperty('stopped')
})

it('payouts that cannot be sent are reported', async () => {
  const id = await instance.withdrawal(await instance.person(), 20n)
  expect((await instance.post(`/staff/queues/withdrawals/${id}/approve`, instance.maker, { reason: 'x' })).status).toBe(200)
  await sql`
    insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, problem)
    select id, 31337, lower(address), lower(address), 1, 'test', decided_at, 'no gas' from payout_request where public_id = ${id}`.execute(
    instance.at.db,
  )
  await job('watch-platform', staffRecurringJobs)
  expect((await instance.get('/staff/incidents', instance.maker)).body.data).toMatchObject([
    { level: 'amber', text: '1 payout is stuck: no gas', href: '/staff/payouts?for=decided' },
  ])
  await sql`update payout_sending set problem = null`.execute(instance.at.db)
  await job('watch-platform', staffRecurringJobs)
  expect((await instance.get('/staff/incidents', instance.maker)).body.data).toEqual([])
})

it('a balance sheet below zero is reported, and pauses nothing', async () => {
  // A loss larger than everything that the platform owns.
  const loss = { from: { system: 'SYS-LOSS', asset: 'USD' }, to: { owner: instance.member.id, kind: 'depositWallet' } } as const
  const { free } = balanceSheetOf(await systemBalances(instance.at.db))
  await post(instance.at.db, {
    kind: 'test',
    cause: { type: 'test', id: '1' },
    at: instance.at.clock.now(),
    transfers: [{ ...loss, amount: free + 10n * ONE }],
  })
  await job('watch-platform', staffRecurringJobs)
  expect((await instance.get('/staff/incidents', instance.maker)).body.data).toMatchObject([
    { level: 'red', text: 'The balance sheet is below zero by 10 USD', href: '/staff/rewards' },
  ])
  expect((await instance.get('/staff/overview', instance.maker)).body.data.paused).toBeUndefined()
  await fillSalesFund(instance.at.db, 10n * ONE)
  await job('watch-platform', staffRecurringJobs)
  expect((await instance.get('/staff/incidents', instance.maker)).body.data).toEqual([])
})
