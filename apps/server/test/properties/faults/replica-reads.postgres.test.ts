import type { Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, startReplica } from '../../../../../test/postgres.ts'
import { type TestApp, testApp } from '../../app.ts'
import { completeStory } from '../../audited-instance.ts'
import { backgroundJobs } from '../../../src/jobs/background-jobs.job.ts'
import { type Db, openDatabase } from '../../../src/platform/db/database.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { openReads, type Reads, readsOf } from '../../../src/platform/db/replica.ts'
import { castId } from '../../../src/sandbox/demo/perform.ts'
import { seedDemo } from '../../../src/sandbox/demo/seed-demo.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'
import { jobKinds } from '../../../src/main/jobs.ts'

/** Reads that stay on the primary, with the reason. */
const AT_PRIMARY = {
  staffHealth: 'what only the primary knows of itself',
  staffQueueItem: 'whether one may decide alone is asked of the queue of decisions',
}
/** Reads refused here, because this instance lacks their subject. */
const REFUSED = [
  'payoutLink',
  'calendarFeed',
  'getInvoice',
  'getPaymentStatus',
  'myProof',
  'myReturnable',
  'searchTeam',
  'staffImportReport',
  'staffLogo',
  'staffWebhookDeliveries',
]

const server = await startPostgres({ fsync: 'off', wal_keep_size: '1GB' })
const primary = openDatabase({ url: server.url }, { max: 10 })
await migrate(primary.pool)
let app: TestApp
let plain: TestApp
/** Databases that served the reads; the last entry belongs to the latest response. */
let where: string[] = []
const tokens: Record<string, string> = {}
const paths: Record<string, string> = {}

const one = async (table: string, column = 'public_id', filter = 'true') => {
  const { rows } = await sql<{ id: unknown }>`
    select ${sql.ref(column)} as id from ${sql.table(table)} where ${sql.raw(filter)} order by id desc limit 1`.execute(primary.db)
  return String(rows[0]?.id)
}

/** Paths for reads with parameters or a query, about a member with all data kinds. */
async function findPaths(amara: bigint, job: string, staffJob: string): Promise<void> {
  const own = `member_id = ${amara}`
  const ticket = await one('ticket', 'public_id', own)
  const member = await one('member', 'public_id', `id = ${amara}`)
  Object.assign(paths, {
    getReceipt: `/receipts/buy-token/${await one('coin_purchase', 'public_id', own)}`,
    ownJob: `/jobs/${job}`,
    ownJobFile: `/jobs/${job}/file`,
    getInvoice: `/invoice/${await one('deposit', 'public_id', `method = 'chain'`)}`,
    getPaymentStatus: `/payments/${await one('deposit', 'public_id', `method = 'hosted'`)}`,
    searchTeam: '/team/search?q=a',
    inviter: '/trust/inviter?code=NOBODY00',
    getTicket: `/ticket/${ticket}`,
    ticketImage: `/ticket-images/${await one('ticket_image', 'id', own)}`,
    staffQueue: '/staff/queues/payouts',
    staffQueueItem: `/staff/queues/withdrawals/${await one('payout_request', 'public_id', `kind = 'withdrawal'`)}`,
    staffChange: `/staff/changes/${await one('staff_proposal')}`,
    staffJob: `/staff/jobs/${staffJob}`,
    staffJobFile: `/staff/jobs/${staffJob}/file`,
    earningRows: '/rewards/earnings/rows?month=2026-02&kind=referral',
    earningPeople: '/rewards/earnings/people?month=2026-02',
    staffSearch: '/staff/search?q=amara',
    staffLedgerAccount: `/staff/ledger/accounts/${amara * 16n + 1n}`,
    staffLedgerEntries: `/staff/ledger/accounts/${amara * 16n + 1n}/entries`,
    staffTransferReceipts: `/staff/ledger/transfers/${await one('ledger_transfer', 'id')}/receipts`,
    staffLedgerTransfer: `/staff/ledger/transfers/${await one('ledger_transfer', 'id')}`,
    staffTicketDetail: `/staff/tickets/${ticket}`,
  })
  for (const { name, path } of reads) paths[name] ??= path.replace('/staff/members/:id', `/staff/members/${member}`)
}

/** The contract's read routes. Other routes do not use a replica. */
const reads: readonly Route[] = allRoutes.filter((route) => route.method === 'GET')
const ask = (at: TestApp, route: Route) =>
  at.call('GET', paths[route.name] ?? '', { token: tokens[route.access === 'staff' ? 'staff' : 'member'] })

const replica = await startReplica(server)
afterAll(async () => {
  await primary.close()
  await replica.stop()
  await server.stop()
})

describe('API reads', () => {
  const follower = replica
  const pool = openDatabase({ url: follower.url }, { max: 1 })
  const replay = (what: 'pause' | 'resume') => sql`select ${sql.raw(`pg_wal_replay_${what}()`)}`.execute(pool.db)
  const opened = openReads(primary.db, follower.url, 4)
  const watched: Reads = {
    read: (work) =>
      opened.read(async (db) => {
        where.push((await isReplica(db)) ? 'replica' : 'primary')
        return work(db)
      }),
  }
  const isReplica = async (db: Db) => (await sql<{ yes: boolean }>`select pg_is_in_recovery() as yes`.execute(db)).rows[0]?.yes

  beforeAll(async () => {
    const routes = (bind: Parameters<typeof bindRoutes>[0], deps: TestApp['deps']) =>
      bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9'))
    app = await testApp(primary.db, { routes, reads: watched })
    plain = await testApp(primary.db, { routes, reads: readsOf(primary.db), jobs: [backgroundJobs(jobKinds, watched)], clock: app.clock })
    await seedDemo(primary.db, app.deps, createPorts(app.deps.config, 'http://127.0.0.1:9'))
    await completeStory(primary.db, app.deps)
    const amara = await castId(primary.db, 'amara@example.com')
    tokens['member'] = (await app.signIn(amara)).token
    tokens['staff'] = (await app.signIn(await castId(primary.db, 'admin@example.com'))).token
    const [own, staffs] = [
      await plain.call('POST', '/statements', { token: tokens['member'], body: { month: '2026-02' } }),
      await plain.call('POST', '/staff/exports', { token: tokens['staff'], body: { list: 'members' } }),
    ]
    expect([own.status, staffs.status]).toEqual([200, 200])
    await findPaths(amara, own.body.data.jobId, staffs.body.data.jobId)
    // The first view of personal data is in the audit log from then on. Makes it before both apps report it.
    for (const route of reads.filter(({ personal }) => personal !== undefined)) await ask(plain, route)
  })
  afterAll(async () => {
    await opened.close()
    await pool.close()
  })

  /** Reads all routes from both apps. Their responses must be identical. */
  async function everything(): Promise<Record<string, string>> {
    const from: Record<string, string> = {}
    const refused: string[] = []
    for (const route of reads) {
      where = []
      const [got, wanted] = [await ask(app, route), await ask(plain, route)]
      expect([route.name, got.status, got.text]).toEqual([route.name, wanted.status, wanted.text])
      if (got.status >= 300) refused.push(route.name)
      from[route.name] = where.at(-1) ?? 'none'
    }
    expect(refused.toSorted()).toEqual(REFUSED.toSorted())
    return from
  }

  it('for requested files run on the replica', async () => {
    await expect.poll(() => opened.read(isReplica)).toBe(true)
    where = []
    await plain.runJobs()
    expect(where.length).toBeGreaterThan(3)
    // A read goes to the primary when the replica has not yet replayed what the job just wrote.
    expect(where).toContain('replica')
  })

  it('come from an up-to-date replica, except those that cannot', async () => {
    const from = await everything()
    const stays = [...Object.keys(AT_PRIMARY), ...REFUSED]
    expect(Object.keys(AT_PRIMARY).map((name) => from[name])).toEqual(['none', 'none'])
    for (const route of reads.filter(({ name }) => !stays.includes(name))) {
      // The replica may lag briefly behind the session's marker.
      const served = async () => {
        where = []
        await ask(app, route)
        return `${route.name}: ${where.at(-1)}`
      }
      await expect.poll(served).toBe(`${route.name}: replica`)
    }
  })

  it('show earlier writes while no replica replays', async () => {
    await replay('pause')
    try {
      const body = { amount: 10, email: 'rafael@example.com' }
      const paid = await app.call('POST', '/usd-transfer/user-to-user-deposit', { token: tokens['member'], body })
      expect(paid.status).toBe(200)
      const from = await everything()
      expect(Object.values(from)).not.toContain('replica')
    } finally {
      await replay('resume')
    }
  })

  it('are answered while the replica is down', async () => {
    await follower.kill()
    await expect.poll(() => opened.read(isReplica)).toBe(false)
    let from: Awaited<ReturnType<typeof everything>> = {}
    try {
      from = await everything()
    } finally {
      await follower.restart()
    }
    expect(Object.values(from)).not.toContain('replica')
    await expect.poll(() => opened.read(isReplica), { interval: 300 }).toBe(true)
  })
})
