import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, startReplica } from '../../../../../test/postgres.ts'
import { testApp } from '../../app.ts'
import { createTestMember, fund } from '../../members.ts'
import { transferRoutes } from '../../../src/modules/transfers/index.ts'
import { walletRoutes } from '../../../src/modules/wallets/index.ts'
import { AppError } from '../../../src/platform/runtime/app-error.ts'
import { type Database, type Db, openDatabase } from '../../../src/platform/db/database.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { openReads } from '../../../src/platform/db/replica.ts'

const IN_RECOVERY = sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`
const onReplica = async (db: Db) => (await IN_RECOVERY.execute(db)).rows[0]?.replica

const server = await startPostgres({ fsync: 'off', wal_keep_size: '1GB' })
const replica = await startReplica(server)
afterAll(async () => {
  await replica.stop()
  await server.stop()
})

describe('reads from a replica', () => {
  let primary: Database
  let reads: ReturnType<typeof openReads>
  const follower = replica
  const pool = openDatabase({ url: follower.url }, { max: 1 })
  beforeAll(async () => {
    primary = openDatabase({ url: server.url }, { max: 10 })
    await migrate(primary.pool)
    await primary.pool.query(
      'create table seen (n int not null); insert into seen values (0); create role blind login; grant select on seen to blind',
    )
    reads = openReads(primary.db, follower.url, 5)
  })
  afterAll(async () => {
    await reads.close()
    await pool.close()
    await primary.close()
  })
  const replay = (what: 'pause' | 'resume') => sql`select ${sql.raw(`pg_wal_replay_${what}()`)}`.execute(pool.db)

  it('use the replica when it is up to date, and see each earlier commit, also in parallel', async () => {
    await expect.poll(() => reads.read(onReplica)).toBe(true)
    for (let n = 1; n <= 40; n += 1) {
      await sql`update seen set n = ${n}`.execute(primary.db)
      const all = await Promise.all(
        Array.from({ length: 5 }, () => reads.read(async (db) => (await sql<{ n: number }>`select n from seen`.execute(db)).rows[0]?.n)),
      )
      expect(all).toEqual([n, n, n, n, n])
    }
  })

  it("show a member's own payment at once while no replica replays, and return when it does", async () => {
    const [payer, receiver] = [await createTestMember(primary.db), await createTestMember(primary.db)]
    await fund(primary.db, payer.id, 'depositWallet', 1000_00000000n)
    const app = await testApp(primary.db, {
      reads,
      routes: (bind) => {
        transferRoutes(bind)
        walletRoutes(bind, { rewardTotals: () => Promise.reject(new Error('not asked')) } as never)
      },
    })
    const { token } = await app.signIn(payer.id)
    const holds = async () => (await app.call('GET', '/user-wallet', { token })).body.data.depositWallet
    expect(await holds()).toBe(1000)
    await replay('pause')
    try {
      const paid = await app.call('POST', '/usd-transfer/user-to-user-deposit', { token, body: { amount: 10, email: receiver.email } })
      expect(paid.status).toBe(200)
      expect(await holds()).toBe(990)
      expect(await reads.read(onReplica)).toBe(false)
    } finally {
      await replay('resume')
    }
    await expect.poll(() => reads.read(onReplica)).toBe(true)
    expect(await holds()).toBe(990)
  })

  it('return a rejection without a second read', async () => {
    await expect.poll(() => reads.read(onReplica)).toBe(true)
    let times = 0
    const refused = reads.read(() => {
      times += 1
      return Promise.reject(new AppError('NOT_FOUND'))
    })
    await expect(refused).rejects.toThrow(AppError)
    expect(times).toBe(1)
  })

  it('fall back to the primary for a read that the replica cannot run', async () => {
    const done = await reads.read(async (db) => {
      await sql`insert into seen values (7)`.execute(db)
      return onReplica(db)
    })
    expect(done).toBe(false)
  })

  it('reject a replica of an abandoned timeline, however far it is', async () => {
    const [next, left] = [await startReplica(server), await startReplica(server)]
    const successor = openDatabase({ url: next.url }, { max: 2 })
    const role = left.url.replace('postgres@', 'blind@')
    const [old, oldBlind] = [openReads(successor.db, left.url, 2), openReads(successor.db, role, 2)]
    const numberOf = async (db: Db) => (await sql<{ n: number }>`select max(n) as n from seen`.execute(db)).rows[0]?.n
    try {
      await expect.poll(() => onReplica(successor.db)).toBe(true)
      await sql`select pg_promote()`.execute(successor.db)
      // The old primary continues with one replica, beyond the new primary's position.
      await sql`insert into seen select 0 from generate_series(1, 50000)`.execute(primary.db)
      await sql`insert into seen values (1000)`.execute(successor.db)
      const { rows } = await sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`.execute(successor.db)
      const direct = openDatabase({ url: left.url }, { max: 1 })
      const isAhead = async () =>
        (await sql<{ ahead: boolean }>`select pg_last_wal_replay_lsn() > ${rows[0]?.lsn}::pg_lsn as ahead`.execute(direct.db)).rows[0]
          ?.ahead
      await expect.poll(isAhead).toBe(true)
      await direct.close()
      expect([await old.read(numberOf), await oldBlind.read(numberOf)]).toEqual([1000, 1000])
    } finally {
      await Promise.all([old.close(), oldBlind.close(), successor.close()])
      await Promise.all([next.stop(), left.stop()])
    }
  })

  it('use a replica that may not report its primary', async () => {
    const unknowing = openReads(primary.db, follower.url.replace('postgres@', 'blind@'), 2)
    await expect.poll(() => unknowing.read(onReplica)).toBe(true)
    await unknowing.close()
  })

  it('use the primary while the replica is down, and the replica when it is back', async () => {
    await follower.kill()
    const answered = await Promise.all(Array.from({ length: 8 }, () => reads.read(onReplica)))
    expect(new Set(answered)).toEqual(new Set([false]))
    await follower.restart()
    await expect.poll(() => reads.read(onReplica), { interval: 300 }).toBe(true)
  })
})
