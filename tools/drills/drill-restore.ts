/**
 * `npm run drill:restore`: loses a database and restores it to a point in time from a base backup made under load and the archived
 * WAL, as described in docs/backups.md. The drill restores twice: to a time between two loads, and to the last time before a table
 * was dropped. Prints result and duration of each restore. The exit code is 0 only if the restored ledger has exactly the transfers
 * acknowledged before that time and the audit passes.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { account, restorePostgres } from '../../test/postgres.ts'
import { openInstance, waitUntilReady } from './instance.ts'
import { report, startLoad } from './load.ts'
import { root } from './versions.ts'

readArguments(import.meta.url)
const archive = mkdtempSync(path.join(tmpdir(), 'archive-'))
const as = account()
chmodSync(archive, 0o755)
if (as !== undefined) chownSync(archive, as.uid, as.gid)
const instance = await openInstance(
  { ACCESS_TOKEN_SECONDS: '3600' },
  // The archive command never leaves an incomplete file and never overwrites a file.
  { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f` },
)
const { binDir, url } = instance.postgres
const database = new Client({ connectionString: url })
await database.connect()
const ask = async (text: string, of = database) => Object.values((await of.query<Record<string, unknown>>(text)).rows[0] ?? {})[0]
const TRANSFERS = "select count(*) from ledger_transfer where kind in ('userToUser', 'transferHeld')"
const run = (name: string, at = url) => {
  const clone = { command: process.execPath, folder: root, version: '' }
  return instance.run(clone, [entryFile(name)], at)
}

for (const step of ['migrate', 'seed']) if ((await run(step)).code !== 0) throw new Error(step)
const api = instance.socket.start([process.execPath, entryFile('api')], { env: instance.env })
await waitUntilReady(instance.port)

const base = path.join(archive, 'base')
let lost = 0
let load = await startLoad(`http://127.0.0.1:${instance.port}`, url, [])
/** Runs `work` during a load. Returns the number of transfers and the database's time after the load has stopped. */
async function runDuringLoad(work: () => void): Promise<{ at: string; transfers: string }> {
  while (load.results.transfers < 20) await pause(50)
  work()
  while (load.results.transfers < 60) await pause(50)
  lost += await load.stop()
  const known = { transfers: String(await ask(TRANSFERS)), at: String(await ask('select clock_timestamp()::text')) }
  await pause(1_000)
  return known
}
const between = await runDuringLoad(() => {
  execFileSync(path.join(binDir, 'pg_basebackup'), ['-d', url, '-D', base, '-c', 'fast'], { ...as, cwd: archive, stdio: 'ignore' })
  execFileSync(path.join(binDir, 'pg_verifybackup'), ['-q', base], { cwd: archive })
})
load = await startLoad(`http://127.0.0.1:${instance.port}`, url, [])
const last = await runDuringLoad(() => undefined)

await database.query('drop table ticket cascade')
const switched = String(await ask('select pg_walfile_name(pg_switch_wal())'))
while (String(await ask("select coalesce(last_archived_wal, '') from pg_stat_archiver")) < switched) await pause(100)
api.kill('SIGKILL')
await database.end().catch(() => undefined)
await instance.close()

for (const [what, { at, transfers }] of [
  ['to a moment between', between],
  ['to the last one before the mistake', last],
] as const) {
  const began = performance.now()
  const server = await restorePostgres(base, { restore_command: `cp ${archive}/%f %p`, recovery_target_time: at })
  const took = performance.now() - began
  const restored = new Client({ connectionString: server.url })
  await restored.connect()
  while ((await ask('select pg_is_in_recovery()', restored)) === true) await pause(100)
  const found = String(await ask(TRANSFERS, restored))
  await restored.end()
  const { code, output } = await run('ledger-audit', server.url)
  const good = found === transfers && code === 0
  console.log(`${good ? 'ok ' : 'NOT'} ${what}: ${found} of ${transfers} transfers after ${Math.round(took)} ms`)
  console.log(`      ${output.trim().split('\n').at(-1)}`)
  if (!good) load.fail(what)
  await server.stop()
}
rmSync(archive, { recursive: true, force: true })
process.exit(report('a database that was lost and came back', load, lost) ? 0 : 1)
