import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { oldPlatform, writeImport } from '../../test/import-files.ts'
import { createTestMember } from '../../test/members.ts'
import { PRODUCTION } from '../../test/production-environment.ts'
import { runJob } from '../jobs/job.ts'
import { accessJournalJob } from '../modules/audit/index.ts'
import { importJobs, importRoutes, readImport, setImportMails, stageImport } from '../modules/import/index.ts'
import { memberByEmail } from '../modules/members/index.ts'
import { approveProposal, submitProposal } from '../modules/staff/index.ts'
import { type Db, inTransaction } from '../platform/db/database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restored-imports-'))
const backup = path.join(folder, 'platform.dump')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the product at the machine's time, which the restore command uses too, with functions for imports. */
async function startOn(db: Db, dataDir: string) {
  const { DATA_KEY, TOKEN_SECRET } = PRODUCTION
  const at = await testApp(db, { routes: importRoutes, jobs: importJobs, env: { TOKEN_SECRET, DATA_KEY, DATA_DIR: dataDir } })
  at.clock.advance(Date.now() - at.clock.now().getTime())
  const stage = (seed: number, name: string) => {
    const files = path.join(folder, name)
    writeImport(
      files,
      oldPlatform(seed, 5, name).map((member) => ({ ...member, active: true })),
    )
    return inTransaction(db, async (tx) => (await stageImport(tx, at.deps, files)).hash)
  }
  const admin = (memberId: bigint) => ({ memberId, role: 'ADMIN' as const })
  const propose = (hash: string, by: bigint) =>
    inTransaction(db, (tx) => submitProposal(tx, at.deps, admin(by), { subject: 'import', value: { hash }, reason: 'test' }))
  const approve = (id: string, by: bigint) => inTransaction(db, (tx) => approveProposal(tx, at.deps, admin(by), { id }))
  const statusOf = async (hash: string) => (await readImport(db, hash)).status
  return { ...at, stage, propose, approve, statusOf }
}
const mailsTo = async (db: Db, name: string) =>
  (await db.selectFrom('mail_outbox').select('id').where('recipient', 'like', `${name}%`).execute()).length

it('applies no import and sends no mail of an import that a backup had approved, and keeps a stored import for its second admin', async () => {
  const lost = path.join(folder, 'lost')
  const [before, after] = [await testDatabase(), await emptyDatabase()]
  const old = await startOn(before.db, lost)
  const [first, second] = [await createTestMember(before.db, { role: 'ADMIN' }), await createTestMember(before.db, { role: 'ADMIN' })]
  const mailed = await old.stage(1, 'mailed')
  await old.approve(await old.propose(mailed, first.id), second.id)
  await old.runJobs()
  await inTransaction(before.db, (tx) => setImportMails(tx, mailed, 60))
  const approved = await old.stage(2, 'approved')
  await old.approve(await old.propose(approved, first.id), second.id)
  const stored = await old.stage(3, 'stored')
  const proposal = await old.propose(stored, first.id)
  await runJob(before.db, old.deps, accessJournalJob, 'test')
  execFileSync('pg_dump', ['--format=custom', `--file=${backup}`, direct(before.url ?? '')])
  // After the backup, the lost instance applied the import and mailed.
  await old.runJobs()
  expect([await old.statusOf(approved), await mailsTo(before.db, 'mailed')]).toEqual(['DONE', 1])

  const dataDir = path.join(folder, 'restored')
  cpSync(lost, dataDir, { recursive: true })
  const restore = startEntry('restore', { ...PRODUCTION, DATABASE_URL: direct(after.url ?? ''), DATA_DIR: dataDir }, backup)
  expect([await restore.ended, restore.output]).toEqual([0, expect.stringContaining('Refused 1 approved imports of members')])
  expect(restore.output).toContain('Stopped the mails of 1 imports')
  const restored = await startOn(after.db, dataDir)
  await restored.runJobs()
  const refusal = 'The platform was restored from a backup. Propose the files again'
  expect(await readImport(after.db, approved)).toMatchObject({ status: 'REFUSED', refusal })
  expect([await memberByEmail(after.db, 'approved0@gmail.com'), await mailsTo(after.db, 'mailed')]).toEqual([undefined, 0])
  const left = after.db.selectFrom('import_member').select('email').distinct().where('email', 'like', 'approved%')
  expect(await left.execute()).toEqual([])

  // The second admin approves the stored import, and two admins propose and approve the refused one again.
  await restored.approve(proposal, second.id)
  await restored.runJobs()
  expect(await restored.statusOf(stored)).toBe('DONE')
  expect(await restored.stage(2, 'approved')).toBe(approved)
  await restored.approve(await restored.propose(approved, first.id), second.id)
  await restored.runJobs()
  expect(await memberByEmail(after.db, 'approved0@gmail.com')).toBeDefined()
})
