/**
 * `npm run drill:upgrade`: tests the rules of CHANGELOG.md with release archives under load. The drill upgrades this version to a
 * version with changed tables and functions, and goes back. Then it upgrades by two versions. On that schema this version must exit
 * with a clear message, and must work again after a restore of the earlier backup. Prints each step and the longest outage. The exit
 * code is 0 only if all rules held, no transfer was lost, and no outage was longer than 5 seconds.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { readSchema } from '../../apps/server/src/platform/db/schema-files.ts'
import { openInstance, type ManagedProcess, waitUntilReady } from './instance.ts'
import { report, startLoad } from './load.ts'
import { anotherVersion, packCurrentVersion, type Version } from './versions.ts'

readArguments(import.meta.url)
const instance = await openInstance()
const present = packCurrentVersion(instance.folder)
const [major = 0, minor = 0] = present.version.split('.').map(Number)
const FUNCTIONS = 'apps/server/src/platform/functions.sql'
const functions = readFileSync(path.join(present.folder, FUNCTIONS), 'utf8')
const [baseline] = readSchema().migrations
const CHANGE = 'alter table member add column drilled text; create table drilled (id int primary key);'
const DELTA = {
  // Every release contains the unchanged baseline.
  'apps/server/db/0001_baseline.sql': baseline?.text ?? '',
  'apps/server/db/0002_add_drilled.sql': CHANGE,
  [FUNCTIONS]: `${functions}\n-- Functions of the next version.\n`,
}
const next = anotherVersion(present, `${major}.${minor + 1}.0`, DELTA)
const versionAfterNext = anotherVersion(present, `${major}.${minor + 2}.0`, {
  ...DELTA,
  'apps/server/db/0003_drop_drilled.sql': 'drop table drilled;',
  [FUNCTIONS]: `${functions}\n-- Functions of the version after next.\n`,
})

execFileSync(process.execPath, [entryFile('migrate')], { env: { ...instance.env }, stdio: 'ignore' })
execFileSync(process.execPath, [entryFile('seed')], {
  env: { ...instance.env, DATA_DIR: path.join(instance.folder, 'seed') },
  stdio: 'ignore',
})
let api: ManagedProcess = instance.api(present)
let worker: ManagedProcess = instance.worker(present)
await waitUntilReady(instance.port)
const load = await startLoad(`http://127.0.0.1:${instance.port}`, instance.postgres.url, [])

/** Prints a step and its result. */
function step(what: string, good: boolean, output = ''): void {
  console.log(`${good ? 'ok ' : 'NOT'} ${what}${output === '' ? '' : `\n      ${output.trim().replaceAll('\n', '\n      ')}`}`)
  if (!good) load.fail(what)
}

async function run(what: string, version: Version, args: readonly string[], expectedCode: number, words: RegExp): Promise<void> {
  const { code, output } = await instance.run(version, args)
  step(what, code === expectedCode && words.test(output), args[0] === 'audit' ? (output.trim().split('\n').at(-1) ?? '') : output)
}

/** Replaces the API, and then the worker after the API responds again, as CHANGELOG.md requires. */
async function deploy(version: Version): Promise<void> {
  const ends = [(await api.stop()).code]
  api = instance.api(version)
  const works = (await waitUntilReady(instance.port)) === version.version
  ends.push((await worker.stop()).code)
  worker = instance.worker(version)
  step(`${version.version} works`, works && ends.every((code) => code === 0))
}

/** Maximum outage in ms during a version change. */
const OUTAGE = 5_000

function outage(what: string): void {
  const longest = load.outage()
  step(`${what}: the longest time without an answer was ${Math.round(longest)} ms`, longest <= OUTAGE)
}

const backup = path.join(instance.folder, 'before.dump')
await run('a backup before', present, ['backup', backup], 0, /Keep DATA_KEY/)
// Resets the longest outage: the time before the migration does not count.
load.outage()
await run(`${next.version} brings the schema forward while ${present.version} works`, next, ['migrate'], 0, /Ran 0002_add_drilled/)
await deploy(next)
outage('to the next version')
await deploy(present)
outage('and back')
await run(`${present.version} does not migrate a newer schema back`, present, ['migrate'], 1, /a newer version has used it/)
await deploy(next)
await run(`${versionAfterNext.version} brings the schema forward`, versionAfterNext, ['migrate'], 0, /Ran 0003_drop_drilled/)
await deploy(versionAfterNext)

// Starts this version on the schema that is two versions ahead. The process must exit with a message.
const ended = await api.stop()
const refused = instance.api(present, 'pipe')
let output = ''
refused.child.stdout?.on('data', (text) => (output += String(text)))
const code = await new Promise((resolve) => refused.child.once('close', resolve))
const sentence = /This database has the schema of version [\d.]+, which [\d.]+ cannot use[^"]*/.exec(output)?.[0] ?? output
step(
  `${present.version} refuses the schema of ${versionAfterNext.version}`,
  ended.code === 0 && code === 2 && sentence.startsWith('This database'),
  sentence,
)
api = instance.api(versionAfterNext)
step('no call was lost meanwhile', (await waitUntilReady(instance.port)) === versionAfterNext.version)
const lost = await load.stop()
await run('the books hold', versionAfterNext, ['audit'], 0, /All \d+ checks hold/)

const admin = new Client({ connectionString: instance.postgres.url })
await admin.connect()
for (const [version, name, words] of [
  [present, 'back', /^Restored; all \d+ checks hold/m],
  [versionAfterNext, 'forward', /The backup is of another version\. .*migrate/],
] as const) {
  await admin.query(`create database ${name}`)
  const url = instance.postgres.url.replace(/\/postgres$/, `/${name}`)
  const restored = await instance.run(version, ['restore', backup], url)
  step(`${version.version} restores the backup into a new database`, restored.code === 0 && words.test(restored.output), restored.output)
  for (const args of version === versionAfterNext ? [['migrate'], ['audit']] : []) {
    const after = await instance.run(version, args, url)
    step(`then ${args[0]}`, after.code === 0, after.output.trim().split('\n').at(-1) ?? '')
  }
}
await admin.end()
for (const one of [api, worker]) step('a process ends with 0', (await one.stop()).code === 0)
await instance.close()
process.exit(report('upgrades', load, lost) ? 0 : 1)
