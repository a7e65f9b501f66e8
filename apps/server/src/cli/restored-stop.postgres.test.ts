import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ONE } from '@tizara/money'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { byTwo, confirmPayoutAddress, createTestMember, fund, PAYOUT_ADDRESS } from '../../test/members.ts'
import { PRODUCTION } from '../../test/production-environment.ts'
import { runJob } from '../jobs/job.ts'
import { balancesOf } from '../ledger/index.ts'
import { accessJournalJob } from '../modules/audit/index.ts'
import { setPayoutStop } from '../modules/members/index.ts'
import { approvePayout, requestWithdrawal, withdrawalJobs, withdrawalRoutes } from '../modules/withdrawals/index.ts'
import { linkToken } from '../modules/withdrawals/confirmation/payout-token.ts'
import { type Db, inTransaction } from '../platform/db/database.ts'
import { AppError } from '../platform/runtime/app-error.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restored-stop-'))
const backup = path.join(folder, 'platform.dump')
/** The data folder of the lost instance, with its journal. */
const LOST = path.join(folder, 'lost')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { DATA_KEY, TOKEN_SECRET } = PRODUCTION
/** What the members did after the backup. */
const MEMBERS = ['stopped', 'resumed', 'neither'] as const
/** Public ids of the payouts, and the staff member who gives the second approval. */
const payouts = new Map<string, string>()
let second: bigint

/** Starts the product at the machine's time, which the restore command uses too. */
async function startOn(db: Db, dataDir: string) {
  const at = await testApp(db, { routes: withdrawalRoutes, jobs: withdrawalJobs, env: { TOKEN_SECRET, DATA_KEY, DATA_DIR: dataDir } })
  at.clock.advance(Date.now() - at.clock.now().getTime())
  return at
}
type App = Awaited<ReturnType<typeof startOn>>
const approve = ({ db, deps }: App, payoutId: string, staffId: bigint) =>
  inTransaction(db, (tx) => approvePayout(tx, deps, { payoutId, staffId, reason: 'checked', ...byTwo })).catch((error: unknown) =>
    error instanceof AppError ? error.code : error,
  )

beforeAll(async () => {
  const { db, url } = await testDatabase()
  const at = await startOn(db, LOST)
  const [first, other] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db, { role: 'ADMIN' })]
  second = other.id
  const ids = new Map<string, bigint>()
  for (const name of MEMBERS) {
    const { id } = await createTestMember(db, { name })
    ids.set(name, id)
    await fund(db, id, 'depositWallet', 1000n * ONE)
    const input = { memberId: id, amount: 100n * ONE, address: PAYOUT_ADDRESS }
    const payout = await inTransaction(db, (tx) => requestWithdrawal(tx, at.deps, input))
    payouts.set(name, payout.id)
    const token = linkToken(at.deps, { about: 'payout', id: payout.id })
    expect((await at.call('POST', '/withdrawals/link/confirm', { token })).status).toBe(200)
    await confirmPayoutAddress(db, id, PAYOUT_ADDRESS, { keys: at.deps.config })
    expect(await approve(at, payout.id, first.id)).toBe('waits-for-second')
  }
  await runJob(db, at.deps, accessJournalJob, 'test')
  execFileSync('pg_dump', ['--format=custom', `--file=${backup}`, direct(url ?? '')])

  for (const name of ['stopped', 'resumed']) {
    const token = linkToken(at.deps, { about: 'payout', id: payouts.get(name) ?? '' })
    expect((await at.call('POST', '/withdrawals/link/stop', { token })).status).toBe(200)
  }
  // As the reset of the password does.
  await inTransaction(db, (tx) => setPayoutStop(tx, ids.get('resumed') ?? 0n, null))
  await runJob(db, at.deps, accessJournalJob, 'test')
})

/** Restores the backup, runs the worker, and reads what became of the payouts and addresses. */
async function restore(dataDir: string) {
  const { db, url = '' } = await emptyDatabase()
  const entry = startEntry('restore', { ...PRODUCTION, DATABASE_URL: direct(url), DATA_DIR: dataDir }, backup)
  // The audit of the restore reports the deposit of `fund`, which no member could make.
  await entry.ended
  const at = await startOn(db, dataDir)
  const waiting = await db.selectFrom('payout_request').select(['public_id', 'confirmed_how', 'first_approved_by']).execute()
  const stops = db.selectFrom('member').select('name').where('payouts_stopped_at', 'is not', null)
  const book = db
    .selectFrom('payout_address')
    .innerJoin('member', 'member.id', 'payout_address.member_id')
    .select('member.name')
    .where('removed_at', 'is', null)
  const state = {
    stopped: (await stops.execute()).map(({ name }) => name),
    confirmed: waiting.filter((row) => row.confirmed_how !== null).map((row) => row.public_id),
    approved: waiting.filter((row) => row.first_approved_by !== null).map((row) => row.public_id),
    addresses: (await book.execute()).map(({ name }) => name),
  }
  await at.runJobs()
  // After the freeze of the restore.
  await db.updateTable('member').set({ payouts_frozen_until: null, payouts_frozen_for: null }).execute()
  const results: Record<string, unknown> = {}
  for (const name of MEMBERS) results[name] = await approve(at, payouts.get(name) ?? '', second)
  const revoked = db.selectFrom('audit_event').select('subject_id').where('action', '=', 'staff.request.revoke-approval').orderBy('id')
  return { state, results, output: entry.output, db, revoked: (await revoked.execute()).map((row) => row.subject_id) }
}
const idsOf = (...names: string[]) => names.map((name) => payouts.get(name))

it('revokes pending payouts and addresses again that a stop after the backup revoked, also after payouts resumed', async () => {
  const dataDir = mkdtempSync(path.join(folder, 'data-'))
  cpSync(LOST, dataDir, { recursive: true })
  const { state, results, output, db, revoked } = await restore(dataDir)
  const only = idsOf('neither')
  expect(state).toEqual({ stopped: ['stopped'], confirmed: only, approved: only, addresses: ['neither'] })
  expect(output).toContain('Stopped the payouts of 1 members again')
  expect(output).toContain('The worker returns 2 confirmed payouts')
  expect(results).toEqual({ stopped: 'ALREADY_DECIDED', resumed: 'ALREADY_DECIDED', neither: 'approved' })
  expect(revoked).toEqual(idsOf('stopped', 'resumed'))
  const member = await db.selectFrom('member').select('id').where('name', '=', 'resumed').executeTakeFirstOrThrow()
  expect((await balancesOf(db, member.id)).depositWallet).toBe(1000n * ONE)
})

it('returns all pending payouts without a valid journal, because stops may be lost', async () => {
  const { state, results, output, revoked } = await restore(mkdtempSync(path.join(folder, 'empty-')))
  expect(state).toEqual({ stopped: [], confirmed: [], approved: [], addresses: [] })
  expect(output).toContain('The worker returns 3 confirmed payouts')
  expect(results).toEqual({ stopped: 'ALREADY_DECIDED', resumed: 'ALREADY_DECIDED', neither: 'ALREADY_DECIDED' })
  expect(revoked).toEqual(idsOf(...MEMBERS))
})
