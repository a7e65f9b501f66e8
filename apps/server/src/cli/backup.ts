/**
 * `npm run backup -- FILE`: writes the whole database into FILE, completely or not at all. The product may keep running.
 * Encrypts the file for the public keys in BACKUP_RECIPIENTS, if there are any. Encrypted columns need DATA_KEY, which is not in
 * the backup: store both. Exits with 0, or with 1 and the reason.
 */
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { recordCommandRun } from '../jobs/command-runs.ts'
import { requestBackup } from '../platform/embedded/embedded-backup.ts'
import { keyMark } from '../platform/crypto/encrypt.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { encryptInto } from './backup/encrypted-file.ts'
import { assertDirectConnection, runTool, streamDump } from './backup/postgres-tool.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { openPrepared } from '../main/open-database.ts'

const [file = ''] = commandLine('backup').positionals
const { config } = createDeps()
const recipients = config.backupRecipients

async function backUp(target: string): Promise<string> {
  if (existsSync(target)) throw new Error(`${target} already exists. Choose another file.`)
  const part = `${target}.part`
  const database = await openPrepared(config, { limits: false })
  try {
    await (config.databaseUrl === undefined ? copyEmbedded(part) : dumpDatabase(config.databaseUrl, part))
    renameSync(part, target)
    await recordCommandRun(database.db, 'backup', true, path.basename(target))
  } catch (error) {
    removePart(part)
    await recordCommandRun(database.db, 'backup', false, errorText(error)).catch(() => undefined)
    throw error
  } finally {
    await database.close()
  }
  const megabytes = (statSync(target).size / 1e6).toFixed(1)
  const encrypted = recipients.length === 0 ? 'not encrypted (BACKUP_RECIPIENTS)' : `encrypted for ${recipients.length} keys`
  return `${target}: ${megabytes} MB, ${encrypted}. Keep DATA_KEY (${keyMark(config.dataKey).toString('hex').slice(0, 8)}) in a separate place: without it, the encrypted columns cannot be restored.`
}

/** Writes a dump of PostgreSQL and reads it once, as a restore would. */
async function dumpDatabase(databaseUrl: string, part: string): Promise<void> {
  await assertDirectConnection('pg_dump', databaseUrl)
  const args = ['--format=custom', '--no-owner', '--no-privileges']
  if (recipients.length > 0) return streamDump(databaseUrl, args, (dump) => encryptInto(part, recipients, dump))
  await runTool('pg_dump', databaseUrl, [...args, `--file=${part}`])
  await runTool('pg_restore', databaseUrl, ['--file=/dev/null'], { file: part })
}

/** Writes a copy of the embedded database. An encrypted one is first written in plain form beside the database, which is plain too. */
async function copyEmbedded(part: string): Promise<void> {
  if (recipients.length === 0) return requestBackup(config.dataDir, { action: 'write', file: part })
  const plain = path.join(config.dataDir, 'backup.part')
  try {
    await requestBackup(config.dataDir, { action: 'write', file: plain })
    await encryptInto(part, recipients, createReadStream(plain))
  } finally {
    removePart(plain)
  }
}

/** If the folder is not accessible, there is no part file. The original error explains the failure. */
function removePart(part: string): void {
  try {
    rmSync(part, { force: true })
  } catch (error) {
    if (existsSync(part)) console.error(`${part} could not be deleted: ${errorText(error)}`)
  }
}

try {
  console.log(await backUp(path.resolve(file)))
} catch (error) {
  console.error(errorText(error))
  process.exitCode = 1
}
