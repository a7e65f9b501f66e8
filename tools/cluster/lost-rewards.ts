import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { build, runDay } from '../../bench/lib/reward-instance.ts'
import { type Database, openDatabase } from '../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../apps/server/src/platform/db/migrate.ts'
import type { Cluster } from './instance.ts'

const MEMBERS = 40_000
/** Long timeouts, because one machine runs the whole cluster. */
const LIMITS = { lock: 0, statement: 0, idle: 0, silent: 120_000, patient: false }

/** SQL: digest of all rows that a reward day writes. Equal payments have equal digests. */
const WRITTEN = `
  select (select md5(string_agg(concat_ws(' ', f.member_id, f.stream, f.due_at, f.source_id, f.amount), ',' order by f.member_id, f.stream, f.due_at, f.source_id)) from reward_accrual f) as accruals,
    (select count(*) from reward_accrual) as rows,
    (select md5(string_agg(balance::text, ',' order by id)) from ledger_account where id > 0) as balances,
    (select count(*) from reward_run where status <> 'DONE') as open`

async function openPlatform({ adminUrl }: Cluster, name: string): Promise<Database> {
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const database = openDatabase({ url: adminUrl.replace(/tizara$/, name) }, { max: 8, limits: LIMITS })
  await migrate(database.pool)
  await build(database, MEMBERS)
  return database
}

/**
 * Loses part of a reward run: a run commits without waiting for disk or replica, the replicas are disconnected during the run, and
 * then the primary is killed. After the promotion the server must repeat the lost payments exactly.
 * @returns one sentence per difference from a run without fault
 */
export async function drillLostRewards(cluster: Cluster, say: (line: string) => void): Promise<string[]> {
  const { database } = cluster
  const undisturbed = await openPlatform(cluster, 'rewards_undisturbed')
  await runDay(undisturbed.db, 1)
  const expected = (await undisturbed.pool.query(WRITTEN)).rows[0]
  await undisturbed.close()
  const instance = await openPlatform(cluster, 'rewards_lost')
  await database.waitUntilComplete()
  const primary = await database.primary()
  const replicas = database.machines.filter((machine) => machine !== primary)
  const run = runDay(instance.db, 1).catch(() => undefined)
  const count = async (table: string) => Number((await instance.pool.query(`select count(*) as n from ${table}`)).rows[0]?.n ?? 0)
  while ((await count('reward_run')) === 0) await pause(2)
  for (const replica of replicas) replica.cut()
  for (const began = performance.now(); (await count('reward_accrual')) === 0 && performance.now() - began < 15_000;) await pause(5)
  const before = await count('reward_accrual')
  primary.kill()
  for (const replica of replicas) replica.heal()
  await run
  await database.primary(primary)
  await instance.close()
  const again = openDatabase({ url: cluster.adminUrl.replace(/tizara$/, 'rewards_lost') }, { max: 8, limits: LIMITS })
  for (let attempts = 0; attempts < 100; attempts += 1) {
    if (
      await again.pool.query('select 1').then(
        () => true,
        () => false,
      )
    )
      break
    await pause(200)
  }
  const remaining = Number((await again.pool.query('select count(*) as n from reward_accrual')).rows[0]?.n)
  // Ends the lease of the killed run. Otherwise the lease would never expire, because the clock of this drill does not move.
  await again.pool.query('update job_lease set held_until = null')
  await runDay(again.db, 1)
  const got = (await again.pool.query(WRITTEN)).rows[0]
  await again.close()
  primary.begin()
  await database.waitUntilComplete()
  say(`a promotion in a reward run: ${before} accruals were written, ${remaining} were left, ${String(got?.rows)} in the end`)
  const problems = before > remaining ? [] : ['inconclusive: the promotion lost no accruals']
  if (JSON.stringify(got, withBigInts) !== JSON.stringify(expected, withBigInts))
    problems.push(
      `a reward run after a promotion paid other amounts than an undisturbed run: ${JSON.stringify([got, expected], withBigInts)}`,
    )
  return problems
}

const withBigInts = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
