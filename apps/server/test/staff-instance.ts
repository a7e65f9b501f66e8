import { ONE, type Units } from '@tizara/money'
import { type TestApp, type TestReply, testApp } from './app.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { createTestMember, fund, PAYOUT_ADDRESS, type TestMember, confirmPayoutAddress } from './members.ts'
import { post } from '../src/ledger/index.ts'
import { backgroundJobs } from '../src/jobs/background-jobs.job.ts'
import { runJob } from '../src/jobs/job.ts'
import type { TestClock } from '../src/platform/runtime/clock.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { auditRoutes } from '../src/modules/audit/index.ts'
import { authRoutes } from '../src/modules/auth/index.ts'
import { memberRoutes } from '../src/modules/members/index.ts'
import { nftRoutes } from '../src/modules/nfts/index.ts'
import { settingsRoutes } from '../src/modules/settings/index.ts'
import { stakingRoutes } from '../src/modules/staking/index.ts'
import { requestBridge, requestWithdrawal, stopAndAuditPayouts } from '../src/modules/withdrawals/index.ts'
import { receiptFor } from '../src/modules/wallets/index.ts'
import { staffJobs, type StaffPorts, staffRoutes } from '../src/modules/staff/index.ts'
import { activity } from '../src/main/activity.ts'

/** Test person with a session. */
export interface Person extends TestMember {
  token: string
}

/** Instance with three admins, one support and one member. */
export interface StaffInstance {
  at: TestApp
  database: TestDatabase
  maker: Person
  checker: Person
  third: Person
  support: Person
  member: Person
  /** Creates a new person. */
  person(wishes?: Parameters<typeof createTestMember>[1]): Promise<Person>
  post(path: string, who: Person, body?: unknown, key?: string): Promise<TestReply>
  get(path: string, who: Person): Promise<TestReply>
  /** Files a call as the maker, and approves it as the checker. */
  byTwo(path: string, body: object): Promise<TestReply>
  /** Simulates a programme draft, and returns the result's digest. */
  simulate(who: Person, rules: object): Promise<string>
  /** Creates a pending withdrawal, in whole USD. */
  withdrawal(who: Person, usd: bigint, address?: string): Promise<string>
  /** Creates a pending bridge transfer, in whole coin. */
  bridge(who: Person, coin: bigint, address?: string): Promise<string>
  /** Creates a hosted deposit in whole USD, optionally paid in another currency. */
  deposit(who: { id: bigint }, usd: bigint, currency?: string): Promise<string>
  balance(who: { id: bigint }, wallet: string): Promise<Units>
  /** Audit log rows about a subject. */
  audits(
    subjectId: string,
  ): Promise<{ action: string; actor_id: bigint | null; reason: string | null; outcome: string; request_id: string | null }[]>
}

/** Ports without external services. */
export const wellInstance: StaffPorts = {
  findReceipt: (db, memberId, row) => receiptFor(db, memberId, row, { histories: [], transfers: {} }),
  readHealth: (_, { clock }) => Promise.resolve({ at: clock.now(), version: 'none', state: 'good', findings: [] }),
}

/** Builds the instance on a new database. */
export async function staffInstance(clock?: TestClock, env: Record<string, string> = {}): Promise<StaffInstance> {
  const database = await testDatabase()
  const { db } = database
  const at = await testApp(db, {
    ...(clock === undefined ? {} : { clock }),
    env,
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      auditRoutes(bind)
      staffRoutes(bind, wellInstance)
      memberRoutes(bind, { downlineCount: () => Promise.resolve(0), ...activity })
      settingsRoutes(bind)
      stakingRoutes(bind)
      nftRoutes(bind)
    },
  })
  const person = async (options: Parameters<typeof createTestMember>[1] = {}): Promise<Person> => {
    const member = await createTestMember(db, options)
    return { ...member, token: (await at.signIn(member.id)).token }
  }
  await post(db, {
    kind: 'testFunds',
    cause: { type: 'test', id: 'stock' },
    at: at.clock.now(),
    transfers: [{ from: { system: 'SYS-OPERATOR', asset: 'COIN' }, to: { system: 'SYS-REWARD', asset: 'COIN' }, amount: 1_000_000n * ONE }],
  })
  const [maker, checker] = [await person({ role: 'ADMIN' }), await person({ role: 'ADMIN' })]
  return {
    at,
    database,
    maker,
    checker,
    third: await person({ role: 'ADMIN' }),
    support: await person({ role: 'SUPPORT' }),
    member: await person(),
    person,
    post: (path, who, body = {}, key) => at.call('POST', path, { token: who.token, body, ...(key === undefined ? {} : { key }) }),
    byTwo: async (path, body) => {
      const filed = await at.call('POST', path, { token: maker.token, body })
      if (filed.body.data?.proposalId === undefined) return filed
      return at.call('POST', `/staff/changes/${filed.body.data.proposalId}/approve`, { token: checker.token, body: {} })
    },
    get: (path, who) => at.call('GET', path, { token: who.token }),
    simulate: async (who, rules) => {
      const { body } = await at.call('POST', '/staff/programme/simulate', { token: who.token, body: { rules } })
      await runJob(db, at.deps, backgroundJobs(staffJobs), 'test')
      const job = await at.call('GET', `/staff/jobs/${body.data.jobId}`, { token: who.token })
      return job.body.data.result.hash
    },
    withdrawal: async (who, usd, address = PAYOUT_ADDRESS) => {
      await fund(db, who.id, 'depositWallet', usd * ONE)
      await confirmPayoutAddress(db, who.id, address, { keys: at.deps.config })
      return inTransaction(db, async (tx) => (await requestWithdrawal(tx, at.deps, { memberId: who.id, amount: usd * ONE, address })).id)
    },
    bridge: async (who, coin, address = PAYOUT_ADDRESS) => {
      await fund(db, who.id, 'icoWallet', coin * ONE)
      await confirmPayoutAddress(db, who.id, address, { keys: at.deps.config })
      const input = { memberId: who.id, amount: coin * ONE, address, network: 0 as const }
      return inTransaction(db, async (tx) => (await requestBridge(tx, at.deps, input)).id)
    },
    deposit: async (who, usd, currency) => {
      const publicId = at.deps.ids.publicId()
      const created = { public_id: publicId, member_id: who.id, method: 'hosted', description: 'USDT', created_at: at.clock.now() }
      const { id } = await db
        .insertInto('deposit')
        .values({ ...created, amount: usd * ONE, usd_amount: usd * ONE })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (currency === undefined) return publicId
      const payment = {
        status: 'settled',
        pay_currency: currency,
        actually_paid: usd * ONE,
        paid_text: String(usd),
        review_reason: `paid in ${currency}`,
      }
      await db
        .insertInto('provider_payment')
        .values({ payment_id: `p-${publicId}`, deposit_id: id, ...payment, updated_at: at.clock.now() })
        .execute()
      return publicId
    },
    balance: async (who, wallet) => {
      const row = await db
        .selectFrom('ledger_account')
        .select('balance')
        .where('owner_id', '=', who.id)
        .where('kind', '=', wallet)
        .executeTakeFirstOrThrow()
      return row.balance
    },
    audits: (subjectId) =>
      db
        .selectFrom('audit_event')
        .select(['action', 'actor_id', 'reason', 'outcome', 'request_id'])
        .where('subject_id', '=', subjectId)
        .orderBy('id')
        .execute(),
  }
}
