import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEntry } from '../../entry.ts'
import { runJob } from '../../../src/jobs/job.ts'
import { accessJournalJob } from '../../../src/modules/audit/index.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { type Database, openDatabase } from '../../../src/platform/db/database.ts'
import { type Embedded, startEmbedded } from '../../../src/platform/embedded/embedded.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { systemClock } from '../../../src/platform/runtime/clock.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'embedded-backup-'))
const dataDir = path.join(folder, 'data')
const file = path.join(folder, 'platform.tar.gz')
let product: Embedded
let database: Database
beforeAll(async () => {
  product = await startEmbedded(dataDir)
  database = openDatabase({ socketDir: dataDir }, { max: 2 })
  await migrate(database.pool)
})
afterAll(async () => {
  await database.close()
  await product.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = async (name: string, ...args: string[]) => {
  const entry = startEntry(name, { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, ...args)
  return { code: await entry.ended, output: entry.output }
}
const note = (key: string) => database.pool.query('insert into rate_limit (key, window_start, hits) values ($1, now(), 1)', [key])
const notes = async () => (await database.pool.query("select key from rate_limit where key like 'note%' order by key")).rows

it(
  'an embedded database is backed up and restored while the product runs, and rejects a file that is no backup',
  { timeout: 400_000 },
  async () => {
    await note('note 1')
    const deps = {
      config: readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir }),
      clock: systemClock,
      ids: randomIds,
      log: createLog('silent'),
    }
    await runJob(database.db, deps, accessJournalJob, 'test')
    // The backup excludes another connection's open transaction, which continues.
    const open = await database.pool.connect()
    const result = await run('backup', file)
    open.release()
    expect(result).toEqual({ code: 0, output: expect.stringContaining('Keep DATA_KEY') })
    expect(statSync(file).mode & 0o077).toBe(0)

    await note('note 2')
    const torn = path.join(folder, 'torn.tar.gz')
    writeFileSync(torn, readFileSync(file).subarray(0, 100_000))
    expect(await run('restore', torn)).toEqual({ code: 1, output: expect.stringContaining('is incomplete') })
    expect(await notes()).toHaveLength(2)

    // No worker has written this line to the access journal: the restore does.
    await database.pool.query("insert into access_journal (kind, subject, value) values ('passkey', 'key', '')")
    const { code, output } = await run('restore', file)
    expect([code, output]).toEqual([0, expect.stringMatching(/^Restored; all \d+ checks hold/)])
    expect(output).toMatch(/The access journal ends with line 2, \S+; 1 lines are newer than the backup\./)
    await expect.poll(notes).toEqual([{ key: 'note 1' }])
    await note('note 3')
    expect(await notes()).toHaveLength(2)
    expect(existsSync(path.join(dataDir, 'database.before'))).toBe(true)
  },
)

it('an embedded database is backed up and restored encrypted, without a plain copy that stays', { timeout: 400_000 }, async () => {
  const key = path.join(folder, 'backup.key')
  const target = path.join(folder, 'encrypted.age')
  const recipient = /^BACKUP_RECIPIENTS=(.*)$/m.exec((await run('secrets', 'backup-key', key)).output)?.[1] ?? ''
  await note('note 8')
  const entry = startEntry('backup', { DATA_DIR: dataDir, LOG_LEVEL: 'silent', BACKUP_RECIPIENTS: recipient }, target)
  expect([await entry.ended, entry.output]).toEqual([0, expect.stringContaining('encrypted for 1 keys')])
  expect(readFileSync(target).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  await note('note 9')
  expect(await run('restore', target)).toEqual({ code: 2, output: expect.stringContaining('is encrypted') })
  expect(await run('restore', '--identity', key, target)).toEqual({
    code: 0,
    output: expect.stringMatching(/^Restored; all \d+ checks hold/),
  })
  await expect.poll(async () => (await notes()).map(({ key: name }) => name)).not.toContain('note 9')
  expect((await notes()).map(({ key: name }) => name)).toContain('note 8')
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.part'))).toEqual([])
})
