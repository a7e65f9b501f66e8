import { dailyReward, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund, type TestMember } from '../../../test/members.ts'
import { outside } from '../../../test/outside.ts'
import { wellInstance } from '../../../test/staff-instance.ts'
import { ledgerChecks, runAudit } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { buyToken } from '../coin/index.ts'
import { readNfts } from '../nfts/index.ts'
import { auditChecks, rewardHistories, rewardRoutes, rewardJobs, rewardTotals } from '../rewards/index.ts'
import { applySettings } from '../settings/index.ts'
import { staffRoutes } from '../staff/index.ts'
import { openStake } from '../staking/index.ts'
import { walletRoutes } from '../wallets/index.ts'
import { readLiabilities } from './liabilities.ts'
import { readDay } from './read-members.ts'
import { trustRoutes } from './index.ts'
import { setCommitment } from '../../../test/commitment.ts'

it('[MF-15] [MF-17] shows unpaid rewards as owed to member, public and staff, and pays them in order after funding', async () => {
  const { db } = await testDatabase()
  const app = await testApp(db, {
    routes: (bind) => {
      rewardRoutes(bind, { readNfts })
      walletRoutes(bind, { rewardTotals, outside, histories: rewardHistories, transfers: {} })
      trustRoutes(bind)
      staffRoutes(bind, wellInstance)
    },
    jobs: rewardJobs,
  })
  const { clock, deps } = app
  await inTransaction(db, async (tx) => {
    await setCommitment(tx)
    await applySettings(tx, deps, { changes: { rewardHoldDays: 1 }, actorId: null, reason: 'test' })
  })
  await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, status, created_at)
    values ('hundred', 'Hundred', 100, 0, ${100n * ONE}, 'ACTIVE', ${clock.now()})`.execute(db)
  const admin = await createTestMember(db, { role: 'ADMIN' })
  const sponsor = await createTestMember(db)
  const stakers = [await createTestMember(db, { sponsorId: sponsor.id }), await createTestMember(db, { sponsorId: sponsor.id })]
  const [first, second] = stakers
  if (first === undefined || second === undefined) throw new Error('no stakers')
  const get = async (path: string, who: TestMember) => (await app.call('GET', path, { token: (await app.signIn(who.id)).token })).body.data
  const fundPool = async (amount: number) => {
    const { token } = await app.signIn(admin.id)
    const reply = await app.call('POST', '/staff/reward-pool/fund', { token, body: { asset: 'coin', amount, reason: 'test' } })
    expect(reply.status).toBe(200)
    await app.runJobs()
  }
  /** A member's view of a list: the status of each row, newest first, and the sums. */
  const seen = async (path: string, who: TestMember) => {
    const { data, meta } = await get(`${path}?page=1&limit=10`, who)
    return { rows: data.map((row: { status: string }) => row.status), sums: meta.sumByStatus }
  }
  const daily = (who: TestMember) => seen('/roy-bonus-historys', who)
  const owedToAll = async () => {
    await membersAddUp()
    const { rewardPool } = (await app.call('GET', '/trust')).body.data
    const overview = await get('/staff/overview', admin)
    const pool = (list: { asset: string; owed: number; balance: number }[]) => list.find((one) => one.asset === 'coin')
    const runs: { owed: { amount: number }[] }[] = (await get('/staff/reward-runs?page=1&limit=10', admin)).data
    expect(pool(overview.rewardPool)).toMatchObject({ owed: pool(rewardPool)?.owed, balance: pool(rewardPool)?.balance })
    return { owed: pool(rewardPool)?.owed, left: pool(rewardPool)?.balance, runs: runs.flatMap((run) => run.owed.map((one) => one.amount)) }
  }

  /** Checks that what members are owed and promised adds up to the books, and that promises without an earner are the rest. */
  const membersAddUp = async () => {
    const day = await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(readDay)
    if (day === undefined) throw new Error('a run is being counted')
    const sum = (column: BigInt64Array) => column.reduce((total, one) => total + one, 0n)
    const { members } = day
    for (const { asset, owed, promised } of await readLiabilities(db)) {
      expect(asset === 'usd' ? sum(members.owedUsd) : sum(members.owedCoin)).toBe(owed)
      const theirs = asset === 'usd' ? sum(members.promisedUsd) : sum(members.promisedCoin)
      unassigned[asset] = promised - theirs
    }
  }
  const unassigned = { usd: 0n, coin: 0n }

  for (const who of stakers) {
    await fund(db, who.id, 'nativeWallet', 1000n * ONE)
    const figures = { planId: 'hundred', planName: 'Hundred', duration: 100, apy: 100n * ONE, wallet: 'nativewallet' } as const
    const stakeAmount = 1000n * ONE
    const dailyRoy = dailyReward(stakeAmount, figures.apy, figures.duration)
    await inTransaction(db, (tx) => openStake(tx, deps, { ...figures, memberId: who.id, stakeAmount, dailyRoy }))
  }
  await fund(db, first.id, 'depositWallet', ONE)
  await inTransaction(db, (tx) =>
    buyToken(tx, deps, { memberId: first.id, coinAmount: 100n * ONE, coinPrice: 800_000n, totalPrice: 80_000_000n }),
  )
  expect((await owedToAll()).owed).toBe(0)
  // Two stakes pay 1,000 coin each. The bounties of levels 2 to 5, 11 % together, have no earner: the sponsor has no sponsor.
  // Both rank budgets too: 0.5 % of 1,000 coin for 100 of 365 days.
  expect(unassigned).toEqual({ usd: 0n, coin: 220n * ONE + 2n * ((5n * ONE * 100n) / 365n) })

  // A day of 10 coin each, 10 % of both above, and a referral reward of 5: 20 + 2 + 5. Level rewards wait until the stakes mature.
  clock.advance(DAY_MS)
  await app.runJobs()
  expect(await daily(first)).toEqual({ rows: ['owed'], sums: { owed: 10 } })
  expect(await daily(second)).toEqual({ rows: ['owed'], sums: { owed: 10 } })
  expect(await seen('/profit-bounty/my-bounty-historys', sponsor)).toEqual({ rows: ['owed', 'owed'], sums: { owed: 2 } })
  expect(await seen('/stack-bonus-history', sponsor)).toEqual({ rows: ['held', 'held'], sums: { held: 27.39726026 } })
  expect(await seen('/transaction-history', sponsor)).toEqual({ rows: ['owed'], sums: { owed: 5 } })
  expect(await owedToAll()).toEqual({ owed: 27, left: 0, runs: [22] })
  const row = (await get('/roy-bonus-historys?page=1&limit=10', first)).data[0]
  const receipt = await get(`/receipts/${row.receipt.kind}/${row.receipt.id}`, first)
  expect(receipt).toMatchObject({ status: 'owed', amount: 10 })
  expect(receipt).not.toHaveProperty('transferId')

  // Later days wait behind it.
  clock.advance(DAY_MS)
  await app.runJobs()
  expect(await daily(first)).toEqual({ rows: ['owed', 'owed'], sums: { owed: 20 } })
  expect(await owedToAll()).toEqual({ owed: 49, left: 0, runs: [22, 22] })

  // The pool gets enough for the first day's credits: the sponsor's and the stakers', in the order of the run.
  await fundPool(22)
  const paidDays = [await daily(first), await daily(second)].map((list) => list.rows)
  expect(paidDays).toEqual([
    ['owed', 'paid'],
    ['owed', 'paid'],
  ])
  expect(await seen('/profit-bounty/my-bounty-historys', sponsor)).toMatchObject({ sums: { paid: 2, owed: 2 } })
  expect(await owedToAll()).toEqual({ owed: 27, left: 0, runs: [22] })
  const settled = await get(`/receipts/${row.receipt.kind}/${row.receipt.id}`, first)
  expect(settled).toMatchObject({ status: 'paid', amount: 10, transferId: expect.any(String) })

  await fundPool(27)
  expect(await owedToAll()).toEqual({ owed: 0, left: 0, runs: [] })
  for (const path of ['/transaction-history', '/profit-bounty/my-bounty-historys'])
    expect(new Set((await seen(path, sponsor)).rows)).toEqual(new Set(['paid']))
  expect((await daily(second)).sums).toEqual({ paid: 20 })
  expect((await runAudit(db, [...ledgerChecks, ...auditChecks])).filter((one) => one.broken > 0)).toEqual([])
})
