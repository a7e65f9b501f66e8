import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { checksOfTests } from '../../test/audited-instance.ts'
import { testDatabase } from '../../test/database.ts'
import { type OldMember, oldPlatform, writeImport } from '../../test/import-files.ts'
import { ledgerChecks, runAudit } from '../ledger/index.ts'
import { DAY_MS, systemClock } from '../platform/runtime/clock.ts'

const MEMBERS = 30
const WALLETS = ['depositWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet', 'nftWallet', 'rcmWallet'] as const
const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** A process that continues the import of FOLDER to its report, from where the last process ended. */
const PROCESS = `
import { importReport } from ${here('../main/import-report.ts')}
import { approveImport, importJobs, importReportJob, stageImport } from ${here('../modules/import/index.ts')}
import { runJob } from ${here('../jobs/job.ts')}
import { readConfig } from ${here('../platform/config/config.ts')}
import { inTransaction, openDatabase } from ${here('../platform/db/database.ts')}
import { systemClock } from ${here('../platform/runtime/clock.ts')}
import { randomIds } from ${here('../platform/runtime/ids.ts')}
import { createLog } from ${here('../platform/runtime/log.ts')}
const { db } = openDatabase({ url: process.env.URL }, { max: 4, limits: false })
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') }
const known = await db.selectFrom('import_batch').select(['hash', 'status']).orderBy('id', 'desc').limit(1).executeTakeFirst()
const open = known?.status === 'DONE' && process.env.CONTINUES !== 'yes' ? undefined : known
const { hash } = open ?? (await inTransaction(db, (tx) => stageImport(tx, deps, process.env.FOLDER)))
if (open === undefined || open.status === 'STAGED') await inTransaction(db, (tx) => approveImport(tx, deps, hash))
for (const job of [...importJobs, importReportJob(importReport)]) await runJob(db, deps, job, String(process.pid))
process.exit(0)
`

const root = mkdtempSync(path.join(tmpdir(), 'import-kills-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const { db, url = '' } = await testDatabase()

function run(folder: string, env: Record<string, string>): Promise<number | NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROCESS], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], URL: url, FOLDER: folder, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
}

/** Returns a platform with every wallet, stakes, NFTs and history, so that each stage has rows. */
function platform(turn: number): OldMember[] {
  const started = new Date(Math.floor(Date.now() / 1000) * 1000 - DAY_MS / 2)
  const stake = {
    plan: 'Old year',
    wallet: 'nativeWallet',
    amount: 3n * ONE,
    percent: 50n * ONE,
    days: 365,
    startedAt: started,
    paidDays: 0,
  } as const
  const nft = { nft: 'Old dome', price: ONE, percent: ONE, months: 3, boughtAt: started, paidMonths: 0 }
  const row = { happenedAt: '2020-01-05T00:00:00Z', title: 'Bonus', direction: 'in', unit: 'usd', amount: ONE, reference: '' } as const
  const balances = Object.fromEntries(WALLETS.map((wallet, index) => [wallet, BigInt(turn * 1_000 + index + 1)]))
  return oldPlatform(turn, MEMBERS, `k${turn}x`).map((member) => ({ ...member, balances, stakes: [stake], nfts: [nft], history: [row] }))
}

/** Counts what an import adds, which must be all or nothing. */
async function counts(turn: number): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    with own as (select id from member where email like ${`k${turn}x%`})
    select array[(select count(*) from own), (select count(*) from ledger_account where owner_id in (select id from own) and balance > 0),
      (select count(*) from stake where member_id in (select id from own)), (select count(*) from nft_purchase where member_id in (select id from own)),
      (select count(*) from reward_source where member_id in (select id from own))]::int[] as counts`.execute(db)
  return rows[0]?.counts ?? []
}

it('adds everything once or nothing, whichever of its steps the process is killed at', { timeout: 900_000 }, async () => {
  const at = systemClock.now()
  const plan = { public_id: 'old-year', name: 'Old year', duration_days: 365, minimum: 1n, apy: ONE, is_omega: false }
  await db
    .insertInto('stake_plan')
    .values({ ...plan, status: 'CLOSED', created_at: at })
    .execute()
  const nft = { public_id: 'old-dome', kind: 'dome', name: 'Old dome', price: ONE, duration_months: 12, total_percent: ONE }
  await db
    .insertInto('nft')
    .values({ ...nft, status: 'CLOSED', created_at: at })
    .execute()
  const all = [MEMBERS, MEMBERS * (WALLETS.length + 1), MEMBERS, MEMBERS, 2 * MEMBERS]
  const none = all.map(() => 0)
  const stages: string[] = []
  let turn = 0
  for (let killed = true; killed;) {
    turn += 1
    const folder = path.join(root, String(turn))
    writeImport(folder, platform(turn))
    killed = (await run(folder, { FAULT_POINT: `import_step:${turn}` })) === 'SIGKILL'
    // The session of a killed process ends a moment later.
    const whole = new RegExp(`^(${String(all)}|${String(none)})$`)
    await expect.poll(async () => String(await counts(turn))).toMatch(whole)
    await sql`update job_lease set held_until = null`.execute(db)
    const isStored = (await db.selectFrom('import_member').select('member_id').limit(1).execute()).length > 0
    const isApplied = (await counts(turn))[0] !== 0
    stages.push(isApplied ? 'applied' : isStored ? 'stored' : 'nothing')
    const env = { CONTINUES: isStored || isApplied ? 'yes' : 'no' }
    expect(await run(folder, env)).toBe(0)
    expect(await counts(turn)).toEqual(all)
  }
  // A second run changes nothing.
  expect(await run(path.join(root, String(turn)), { CONTINUES: 'yes' })).toBe(0)
  expect(await counts(turn)).toEqual(all)
  expect(turn).toBeGreaterThan(20)
  expect([...new Set(stages)]).toEqual(['nothing', 'stored', 'applied'])
  const batches = await db.selectFrom('import_batch').select(['status', 'report']).execute()
  expect(batches.map(({ status, report }) => [status, report === null])).toEqual(Array.from({ length: turn }, () => ['DONE', false]))
  const { rows } = await sql<{ kind: string; sum: bigint }>`
    select a.kind, sum(a.balance)::bigint as sum from ledger_account a join member m on m.id = a.owner_id where m.email like 'k%x%' group by 1`.execute(
    db,
  )
  const sums = Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
  const turns = Array.from({ length: turn }, (_, index) => BigInt(index + 1))
  const expected = WALLETS.map((wallet, index) => [
    wallet,
    turns.reduce((sum, one) => sum + BigInt(MEMBERS) * (one * 1_000n + BigInt(index) + 1n), 0n),
  ])
  expect(sums).toEqual({ ...Object.fromEntries(expected), stakeWallet: 3n * ONE * BigInt(MEMBERS * turn) })
  expect((await runAudit(db, [...ledgerChecks, ...checksOfTests])).filter(({ broken }) => broken > 0)).toEqual([])
})
