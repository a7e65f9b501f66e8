import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dailyReward, monthlyReward, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { onFileEnd } from './on-file-end.ts'
import type { TestDatabase } from './database.ts'
import { createTestMember, type TestMember } from './members.ts'
import { passDays } from './pass-days.ts'
import { runJob } from '../src/jobs/job.ts'
import { balanceOfSystemAccount, balancesOf, ledgerChecks, post, runAudit } from '../src/ledger/index.ts'
import { testClock } from '../src/platform/runtime/clock.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { inTransaction, openDatabase } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'
import { randomIds } from '../src/platform/runtime/ids.ts'
import { createLog } from '../src/platform/runtime/log.ts'
import { auditChecks } from '../src/modules/rewards/audit-checks.ts'
import { saleTerms } from '../src/modules/rewards/pool/assert-covered.ts'
import { onCoinBought } from '../src/modules/rewards/instant/on-coin-bought.ts'
import { openSources } from '../src/modules/rewards/instant/source-sales.ts'
import { rewardJobs } from '../src/modules/rewards/rewards.jobs.ts'
import { stakingJobs } from '../src/modules/staking/staking.jobs.ts'
import { setCommitment } from './commitment.ts'

/** For tests: an instance with members, stakes and NFTs, and a movable clock. */
export interface TestInstance {
  db: TestDatabase['db']
  deps: Deps
  clock: ReturnType<typeof testClock>
  join(wishes?: { sponsor?: TestMember | undefined; verified?: boolean; active?: boolean }): Promise<TestMember>
  /** Opens a stake at the clock's time, with coin from the stock. */
  stake(member: { id: bigint }, wishes: { amount: Units; apy: Units; days: number; omega?: boolean }): Promise<bigint>
  buyNft(member: { id: bigint }, wishes: { price: Units; percent: Units; months: number }): Promise<bigint>
  buyCoin(member: { id: bigint }, coin: Units): Promise<bigint>
  fundPool(asset: 'COIN' | 'USD', amount: Units): Promise<void>
  job(name?: string): Promise<number>
  /** Advances the clock and runs the jobs at least every three days, as runs catch up on no more. */
  pass(days: number): Promise<void>
  /** Ends the matured stakes, which returns their principals to the native wallets. */
  mature(): Promise<number>
  setActive(member: { id: bigint }, active: boolean): Promise<void>
  wallet(member: { id: bigint }, wallet: 'nativeWallet' | 'nftWallet' | 'rcmWallet'): Promise<Units>
  pool(asset: 'COIN' | 'USD'): Promise<Units>
  /** Returns the audit's findings. */
  damage(): Promise<string[]>
}

let purchases = 0n

/** Builds an instance on a test database. Coverage is observed only, so that tests fill the pool as they need. */
export async function testInstance(database: TestDatabase, start = '2026-03-02T09:00:00Z'): Promise<TestInstance> {
  const { db } = database
  const clock = testClock(start)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instance-'))
  onFileEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir })
  const deps: Deps = { config, clock, ids: randomIds, log: createLog('silent') }
  await setCommitment(db)
  const planId = (
    await sql<{ id: bigint }>`insert into stake_plan (public_id, name, duration_days, minimum, apy, status, created_at)
      values (${randomIds.publicId()}, 'Test plan', 100, 0, 100, 'ACTIVE', ${clock.now()}) returning id`.execute(db)
  ).rows[0]?.id
  const nftId = (
    await sql<{ id: bigint }>`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at)
      values (${randomIds.publicId()}, 'dome', 'Test dome', 1, 12, 1, 'ACTIVE', ${clock.now()}) returning id`.execute(db)
  ).rows[0]?.id
  if (planId === undefined || nftId === undefined) throw new Error('no plan')

  const job = async (name?: string) => {
    let done = 0
    for (const one of rewardJobs.filter((candidate) => name === undefined || candidate.name === name))
      done += (await runJob(db, deps, one, 'test')) ?? 0
    return done
  }

  return {
    db,
    deps,
    clock,
    join: (options = {}) =>
      createTestMember(db, {
        ...(options.sponsor === undefined ? {} : { sponsorId: options.sponsor.id }),
        verified: options.verified ?? true,
        active: options.active ?? true,
        at: clock.now(),
      }),
    stake: (member, { amount, apy, days, omega = false }) =>
      inTransaction(db, async (tx) => {
        const at = clock.now()
        await post(tx, {
          kind: 'testStake',
          cause: { type: 'test', id: 'stake' },
          at,
          transfers: [{ from: { system: 'SYS-COIN', asset: 'COIN' }, to: { owner: member.id, kind: 'stakeWallet' }, amount }],
        })
        const terms = await saleTerms(tx, at, 'COIN')
        const publicId = randomIds.publicId()
        const daily = dailyReward(amount, apy, days)
        const { id } = await tx
          .insertInto('stake')
          .values({
            public_id: publicId,
            member_id: member.id,
            plan_id: planId,
            plan_name: 'Test plan',
            is_omega: omega,
            wallet: 'nativewallet',
            amount,
            apy,
            duration_days: days,
            daily_reward: daily,
            programme_version: terms.programme.version,
            started_at: at,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await openSources(tx, terms, at, [
          {
            stream: omega ? 1 : 0,
            publicId,
            label: 'Test plan',
            memberId: member.id,
            principal: amount,
            percent: apy,
            amount: daily,
            steps: days,
          },
        ])
        return id
      }),
    buyNft: (member, { price, percent, months }) =>
      inTransaction(db, async (tx) => {
        const at = clock.now()
        const terms = await saleTerms(tx, at, 'USD')
        const publicId = randomIds.publicId()
        const monthly = monthlyReward(price, percent, months)
        const { id } = await tx
          .insertInto('nft_purchase')
          .values({
            public_id: publicId,
            member_id: member.id,
            nft_id: nftId,
            kind: 'dome',
            name: 'Test dome',
            price,
            paid_from: 'depositwallet',
            paid_asset: 'usd',
            paid_amount: price,
            duration_months: months,
            total_percent: percent,
            monthly_reward: monthly,
            programme_version: terms.programme.version,
            purchased_at: at,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await openSources(tx, terms, at, [
          {
            stream: 2,
            publicId,
            label: 'Test dome',
            memberId: member.id,
            principal: price,
            percent,
            amount: monthly,
            steps: months,
          },
        ])
        return id
      }),
    buyCoin: (member, coin) =>
      inTransaction(db, async (tx) => {
        purchases += 1n
        await onCoinBought(tx, clock.now(), await saleTerms(tx, clock.now(), 'COIN'), [
          {
            memberId: member.id,
            purchaseId: purchases,
            publicId: `coin-${purchases}`,
            coinAmount: coin,
            charged: coin,
            newMoney: coin,
          },
        ])
        return purchases
      }),
    fundPool: async (asset, amount) => {
      await post(db, {
        kind: 'testFunds',
        cause: { type: 'test', id: 'pool' },
        at: clock.now(),
        transfers: [{ from: { system: 'SYS-OPERATOR', asset }, to: { system: 'SYS-REWARD', asset }, amount }],
      })
    },
    job,
    pass: async (days) => {
      await job()
      await passDays(clock, days, job)
    },
    mature: async () => {
      let done = 0
      for (const one of stakingJobs) done += (await runJob(db, deps, one, 'test')) ?? 0
      return done
    },
    setActive: async (member, active) => {
      await db.updateTable('member').set({ is_active: active }).where('id', '=', member.id).execute()
    },
    wallet: async (member, wallet) => (await balancesOf(db, member.id))[wallet],
    pool: (asset) => balanceOfSystemAccount(db, 'SYS-REWARD', asset),
    damage: async () => {
      // Opens the database like the command does, without time limits, because a check over many days is slow.
      const own = database.url === undefined ? undefined : openDatabase({ url: database.url }, { max: 1, limits: false })
      try {
        return (await runAudit(own?.db ?? db, [...ledgerChecks, ...auditChecks]))
          .filter((result) => result.broken > 0)
          .map((result) => `${result.check.invariant} ${result.check.title}: ${result.examples.join(' ')}`)
      } finally {
        await own?.close()
      }
    },
  }
}
