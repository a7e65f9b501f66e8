/**
 * `npm run backup -- FILE`: writes the whole database into FILE, complete or not at all. What is sealed in it opens only
 * with DATA_KEY, which belongs to the backup and is not in it. Ends with 0, or with 1 and the reason.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { noteCommandRun } from '../jobs/command-run.ts'
import { typed } from '../platform/release.ts'
import { keyMark } from '../platform/seal.ts'
import { runTool } from './backup/postgres-tool.ts'
import { createDeps } from './deps.ts'
import { openPrepared } from './open-database.ts'

const [file] = process.argv.slice(2)
const { config } = createDeps()

async function backUp(target: string, databaseUrl: string): Promise<string> {
  if (existsSync(target)) throw new Error(`${target} is there already.`)
  const part = `${target}.part`
  const database = await openPrepared(config, { limits: false })
  try {
    await runTool('pg_dump', databaseUrl, ['--format=custom', '--no-owner', '--no-privileges', `--file=${part}`])
    // Reads all of it once more, as a restore would.
    await runTool('pg_restore', databaseUrl, ['--file=/dev/null', part])
    renameSync(part, target)
    await noteCommandRun(database.db, 'backup', true, path.basename(target))
  } catch (error) {
    rmSync(part, { force: true })
    await noteCommandRun(database.db, 'backup', false, error instanceof Error ? error.message : String(error)).catch(() => undefined)
    throw error
  } finally {
    await database.close()
  }
  const megabytes = (statSync(target).size / 1e6).toFixed(1)
  return `${target}: ${megabytes} MB. Keep DATA_KEY (${keyMark(config.dataKey).toString('hex').slice(0, 8)}) with it, in another place: without it authenticator apps are lost.`
}

try {
  if (file === undefined) throw new Error(`Usage: ${typed('backup FILE')}`)
  if (config.databaseUrl === undefined) throw new Error('The embedded database is a folder: stop the product and copy DATA_DIR.')
  console.log(await backUp(path.resolve(file), config.databaseUrl))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
