/**
 * `npm run backup -- FILE`: writes the whole database into FILE, completely or not at all. The product may keep running.
 * Encrypted columns need DATA_KEY, which is not in the backup: store both. Ends with 0, or with 1 and the reason.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { recordCommandRun } from '../jobs/command-runs.ts'
import { requestBackup } from '../platform/embedded/embedded-backup.ts'
import { keyMark } from '../platform/crypto/encrypt.ts'
import { assertDirectConnection, runTool } from './backup/postgres-tool.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { openPrepared } from '../main/open-database.ts'

const [file = ''] = commandLine('backup').positionals
const { config } = createDeps()

async function backUp(target: string): Promise<string> {
  if (existsSync(target)) throw new Error(`${target} already exists. Choose another file.`)
  const part = `${target}.part`
  const database = await openPrepared(config, { limits: false })
  try {
    if (config.databaseUrl === undefined) await requestBackup(config.dataDir, { action: 'write', file: part })
    else {
      await assertDirectConnection('pg_dump', config.databaseUrl)
      await runTool('pg_dump', config.databaseUrl, ['--format=custom', '--no-owner', '--no-privileges', `--file=${part}`])
      // Reads the whole backup, as a restore would.
      await runTool('pg_restore', config.databaseUrl, ['--file=/dev/null', part])
    }
    renameSync(part, target)
    await recordCommandRun(database.db, 'backup', true, path.basename(target))
  } catch (error) {
    removePart(part)
    await recordCommandRun(database.db, 'backup', false, error instanceof Error ? error.message : String(error)).catch(() => undefined)
    throw error
  } finally {
    await database.close()
  }
  const megabytes = (statSync(target).size / 1e6).toFixed(1)
  return `${target}: ${megabytes} MB. Keep DATA_KEY (${keyMark(config.dataKey).toString('hex').slice(0, 8)}) in a separate place: without it, the encrypted columns cannot be restored.`
}

/** If the folder is not accessible, there is no part file. The original error explains the failure. */
function removePart(part: string): void {
  try {
    rmSync(part, { force: true })
  } catch (error) {
    if (existsSync(part)) console.error(`${part} could not be deleted: ${error instanceof Error ? error.message : String(error)}`)
  }
}

try {
  console.log(await backUp(path.resolve(file)))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
