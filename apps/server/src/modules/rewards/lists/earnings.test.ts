import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { allTransfers } from '../../../main/all-checks.ts'
import { readNfts } from '../../nfts/index.ts'
import { statementJob, walletRoutes } from '../../wallets/index.ts'
import { outside } from '../../../../test/outside.ts'
import { earnedInYear } from '../instant/earned.ts'
import { rewardTotals } from './reward-totals.ts'
import { rewardHistories } from '../history.ts'
import { earningsJob } from './earnings.job.ts'
import { rewardRoutes } from '../rewards.routes.ts'

/** Month in which the referral reward's hold ends. */
const REFERRED = '2026-04'
const coin = (count: number) => BigInt(count) * ONE
const units = (amount: number): bigint => BigInt(Math.round(amount * 1e8))

interface WireSum {
  month?: string
  kind: string
  asset: string
  amount: number
}

describe('earnings', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  await instance.fundPool('COIN', coin(10_000_000))
  await instance.fundPool('USD', coin(10_000_000))
  const app = await testApp(db, {
    routes: (bind) => {
      rewardRoutes(bind, { readNfts })
      walletRoutes(bind, { rewardTotals, outside, histories: rewardHistories, transfers: allTransfers })
    },
    jobs: [backgroundJobs([statementJob(allTransfers), earningsJob])],
    clock,
  })

  const leader = await instance.join()
  const child = await instance.join({ sponsor: leader })
  const deep = await instance.join({ sponsor: child })
  const stranger = await instance.join()
  await instance.buyCoin(child, coin(1000))
  await instance.stake(leader, { amount: coin(1000), apy: 100n * ONE, days: 100 })
  await instance.stake(child, { amount: coin(3000), apy: 100n * ONE, days: 20 })
  await instance.stake(deep, { amount: coin(5000), apy: 100n * ONE, days: 100, omega: true })
  await instance.buyNft(deep, { price: coin(120), percent: 100n * ONE, months: 12 })
  await instance.buyNft(leader, { price: coin(240), percent: 100n * ONE, months: 12 })
  await instance.stake(stranger, { amount: coin(1000), apy: 100n * ONE, days: 100 })
  const pass = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      clock.advance(DAY_MS)
      await instance.job()
    }
  }
  await pass(32)
  const token = async (id = leader.id) => (await app.signIn(id)).token
  const get = async (path: string, id = leader.id) => (await app.call('GET', path, { token: await token(id) })).body.data
  const post = async (path: string, body: unknown) => app.call('POST', path, { token: await token(), body })

  /** Adds up the wallets' reward transfers of a month in the ledger, by unit. */
  async function fromLedger(month: string, asset: 'COIN' | 'USD', memberId = leader.id): Promise<bigint> {
    const { rows } = await sql<{ sum: bigint }>`
      select coalesce(sum(t.amount), 0)::bigint as sum from ledger_transfer t join ledger_account a on a.id = t.credit_account
      join ledger_account d on d.id = t.debit_account
      where a.owner_id = ${memberId} and d.kind = 'SYS-REWARD' and t.asset = ${asset} and to_char(t.created_at at time zone 'UTC', 'YYYY-MM') = ${month}`.execute(
      db,
    )
    return rows[0]?.sum ?? 0n
  }
  const monthOf = async (month: string, memberId = leader.id): Promise<WireSum[]> =>
    (await get('/rewards/earnings', memberId)).months.filter((sum: WireSum) => sum.month === month)
  const sumOf = (sums: readonly WireSum[], asset: string) =>
    sums.filter((one) => one.asset === asset).reduce((total, one) => total + units(one.amount), 0n)

  it('sum the paid rewards of each month as the ledger paid them, before and after the credits are aggregated', async () => {
    const before = await get('/rewards/earnings')
    expect(before).toMatchObject({ year: 2026, firstYear: 2026, owed: [] })
    expect([...new Set(before.months.map((sum: WireSum) => sum.month))]).toEqual(['2026-03', '2026-04'])
    expect(before.months).toContainEqual({ month: REFERRED, kind: 'referral', asset: 'coin', amount: 50 })
    for (const month of ['2026-03', '2026-04']) {
      expect(sumOf(await monthOf(month), 'coin')).toBe(await fromLedger(month, 'COIN'))
      expect(sumOf(await monthOf(month), 'usd')).toBe(await fromLedger(month, 'USD'))
    }
    await instance.job('reward-totals')
    expect(await get('/rewards/earnings')).toEqual(before)
    expect((await get('/rewards/earnings?year=2025')).months).toEqual([])
    expect((await app.call('GET', '/rewards/earnings?year=26', { token: await token() })).status).toBe(400)
  })

  it('match the lists of rewards with the days of the month', async () => {
    const lists = { daily: '/roy-bonus-historys', 'profit-bounty': '/profit-bounty/my-bounty-historys' }
    for (const [kind, path] of Object.entries(lists)) {
      const { meta } = await get(`${path}?page=1&limit=25&from=2026-03-01&to=2026-03-31`)
      expect((await monthOf('2026-03')).find((sum) => sum.kind === kind)?.amount).toBeCloseTo(meta.sum, 8)
    }
  })

  it('list the paid rewards of a kind with their receipts, for their owner only', async () => {
    const { rows, next } = await get(`/rewards/earnings/rows?month=${REFERRED}&kind=referral`)
    expect(rows).toMatchObject([{ amount: 50, asset: 'coin', from: child.email, receipt: { kind: 'referral-reward' } }])
    expect(next).toBeUndefined()
    const receipt = await app.call('GET', `/receipts/referral-reward/${rows[0].id}`, { token: await token() })
    expect(receipt.body.data).toMatchObject({ status: 'paid', amount: 50 })
    expect((await get(`/rewards/earnings/rows?month=${REFERRED}&kind=referral`, child.id)).rows).toEqual([])
    const levels = await get('/rewards/earnings/rows?month=2026-03&kind=level')
    expect(levels.rows).toHaveLength(1)
    expect((await monthOf('2026-03')).find((sum) => sum.kind === 'level')?.amount).toBe(levels.rows[0].amount)
    for (const query of ['month=2026-13&kind=level', 'month=2026-03&kind=daily', 'month=2026-03&kind=level&before=x'])
      expect((await app.call('GET', `/rewards/earnings/rows?${query}`, { token: await token() })).status).toBe(400)
  })

  it('list people with amounts that add up to the bounties and the rewards that they caused', async () => {
    for (const month of ['2026-03', '2026-04']) {
      const { rows, direct } = await get(`/rewards/earnings/people?month=${month}`)
      expect(direct).toBe(false)
      expect(rows.map((row: { email: string; level: number }) => [row.email, row.level])).toEqual([
        [child.email, 1],
        [deep.email, 2],
      ])
      const sums = rows.flatMap((row: { sums: WireSum[] }) => row.sums)
      const team = (await monthOf(month)).filter(({ kind }) => !['daily', 'stake-log', 'nft-monthly', 'rank'].includes(kind))
      expect(sumOf(sums, 'coin')).toBe(sumOf(team, 'coin'))
      expect(sumOf(sums, 'usd')).toBe(sumOf(team, 'usd'))
    }
    const later = await get('/rewards/earnings/people?month=2026-03&after=1-9999999')
    expect(later.rows.map((row: { email: string }) => row.email)).toEqual([deep.email])
    expect((await get('/rewards/earnings/people?month=2026-03', deep.id)).rows).toEqual([])
  })

  it('write a year as CSV whose totals are the sums of its lines and of the page, without names of others', async () => {
    const started = await post('/rewards/statements', { year: '2026', format: 'csv' })
    await app.runJobs()
    const job = await app.call('GET', `/jobs/${started.body.data.jobId}`, { token: await token() })
    expect(job.body.data).toMatchObject({ state: 'DONE', fileName: 'rewards-2026.csv' })
    const { text } = await app.call('GET', job.body.data.fileHref, { token: await token() })
    expect(text).not.toContain(child.email)
    const lines: string[][] = text
      .trim()
      .split('\r\n')
      .map((line: string) => line.split(','))
    const added = new Map<string, bigint>()
    for (const [day = '', kind = '', amount = ''] of lines)
      if (day.startsWith('2026-')) added.set(kind, (added.get(kind) ?? 0n) + units(Number(amount)))
    const totals = new Map(lines.flatMap(([day, kind = '', amount]) => (day === 'Total 2026' ? [[kind, units(Number(amount))]] : [])))
    expect(totals).toEqual(added)
    const all = [...totals.values()].reduce((sum, one) => sum + one, 0n)
    const year = (await earnedInYear(db, leader.id, 2026)).reduce((sum, one) => sum + one.amount, 0n)
    expect(all).toBe(year)
    expect((await app.call('GET', job.body.data.fileHref, { token: await token(child.id) })).status).toBe(404)
  })

  it('write a year as PDF, and reject a year that has not started', async () => {
    const file = await post('/rewards/statements', { year: '2026', format: 'pdf' })
    const future = await post('/rewards/statements', { year: '2027', format: 'pdf' })
    await app.runJobs()
    const job = await app.call('GET', `/jobs/${file.body.data.jobId}`, { token: await token() })
    expect(job.body.data).toMatchObject({ state: 'DONE', fileName: 'rewards-2026.pdf' })
    expect((await app.call('GET', job.body.data.fileHref, { token: await token() })).text.slice(0, 5)).toBe('%PDF-')
    const refused = await app.call('GET', `/jobs/${future.body.data.jobId}`, { token: await token() })
    expect(refused.body.data).toMatchObject({ state: 'FAILED', error: 'This year has not started yet' })
    expect((await post('/rewards/statements', { year: '1999', format: 'pdf' })).status).toBe(400)
  })
})

describe('promised rewards', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  await instance.fundPool('COIN', coin(10_000_000))
  await instance.fundPool('USD', coin(10_000_000))
  const app = await testApp(db, { routes: (bind) => rewardRoutes(bind, { readNfts }), clock })
  const leader = await instance.join()
  const child = await instance.join({ sponsor: leader })
  await instance.stake(leader, { amount: coin(1000), apy: 100n * ONE, days: 400 })
  await instance.buyNft(leader, { price: coin(240), percent: 100n * ONE, months: 14 })
  await instance.stake(child, { amount: coin(3650), apy: 100n * ONE, days: 365 })
  const read = async (id: bigint) => (await app.call('GET', '/rewards/promised', { token: (await app.signIn(id)).token })).body.data
  /** Adds up all promises by kind. */
  const byKind = ({ months, later }: { months: WireSum[]; later: WireSum[] }) => {
    const sums: Record<string, bigint> = {}
    for (const { kind, amount } of [...months, ...later]) sums[kind] = (sums[kind] ?? 0n) + units(amount)
    return sums
  }
  /** Reads the same from the sources and pending rewards. */
  async function remaining() {
    const { rows } = await sql<{ kind: string; sum: bigint }>`
      select case stream when 0 then 'daily' when 1 then 'stake-log' else 'nft-monthly' end as kind, sum(amount * (steps - processed))::bigint as sum
      from reward_source where member_id = ${leader.id} and processed < steps group by 1
      union all
      select kind, sum(amount - reversed)::bigint from reward_instant where beneficiary_id = ${leader.id} and status = 'held' group by 1`.execute(
      db,
    )
    return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
  }

  it('are the remaining payments of own stakes and NFTs and the pending rewards, by month', async () => {
    const first = await read(leader.id)
    expect(byKind(first)).toEqual(await remaining())
    expect(Object.keys(byKind(first)).toSorted()).toEqual(['daily', 'level', 'nft-monthly'])
    expect(new Set(first.months.map((sum: WireSum) => sum.month)).size).toBe(12)
    for (let day = 0; day < 3; day += 1) {
      clock.advance(DAY_MS)
      await instance.job()
    }
    const next = await read(leader.id)
    expect(byKind(next)).toEqual(await remaining())
    expect(byKind(next).daily).toBe((byKind(first).daily ?? 0n) - 3n * units(2.5))
    // A full month has one payment for each of its days.
    const march = next.months.find((sum: WireSum) => sum.month === '2026-05' && sum.kind === 'daily')
    expect(units(march.amount)).toBe(31n * units(2.5))
  })

  it('do not contain those of others', async () => {
    expect((await read((await instance.join()).id)).months).toEqual([])
  })
})

describe('a reward pool that is short', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  const app = await testApp(db, { routes: (bind) => rewardRoutes(bind, { readNfts }), clock })
  const member = await instance.join()
  await instance.fundPool('COIN', coin(25))
  await instance.stake(member, { amount: coin(1000), apy: 100n * ONE, days: 100 })
  const token = async () => (await app.signIn(member.id)).token
  const read = async () => (await app.call('GET', '/rewards/earnings', { token: await token() })).body.data
  const days = async () => {
    const list = await app.call('GET', '/roy-bonus-historys?page=1&limit=25', { token: await token() })
    return list.body.data.data.map((row: { day: number; status: string }) => `${row.day} ${row.status}`)
  }
  const pass = async (count: number) => {
    for (let day = 0; day < count; day += 1) {
      clock.advance(DAY_MS)
      await instance.job()
    }
  }

  it('owes rewards that it cannot pay, and pays the oldest first after funding, as the page about the budget says', async () => {
    await pass(5)
    expect(await days()).toEqual(['5 owed', '4 owed', '3 owed', '2 paid', '1 paid'])
    expect(await read()).toMatchObject({ owed: [{ asset: 'coin', amount: 30 }], months: [{ kind: 'daily', amount: 50 }] })
    await instance.fundPool('COIN', coin(15))
    await instance.job()
    expect(await days()).toEqual(['5 owed', '4 paid', '3 paid', '2 paid', '1 paid'])
    expect(await read()).toMatchObject({ owed: [{ asset: 'coin', amount: 10 }] })
    await instance.fundPool('COIN', coin(100))
    await instance.job()
    expect(await read()).toMatchObject({ owed: [], months: [{ kind: 'daily', amount: 50 }] })
  })
})
