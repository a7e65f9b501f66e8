/**
 * `tizara ready`: waits until the API is ready. Exits with 0, or with 1 after a minute, and then prints missing parts of the
 * schema.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { shellCommand } from '../platform/runtime/release.ts'
import { commandLine } from './command-line.mjs'
import { readConfigOrExit } from '../main/read-config.ts'

commandLine('ready')
const config = readConfigOrExit()
const { host, port } = config
const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/health/ready`
const isReady = () =>
  fetch(url, { redirect: 'error', signal: AbortSignal.timeout(4_000) })
    .then(({ ok }) => ok)
    .catch(() => false)

const end = Date.now() + 60_000
let ready = await isReady()
while (!ready && Date.now() < end) {
  await pause(250)
  ready = await isReady()
}
if (!ready) {
  // Loaded only now, because this command starts beside the API and shares its cores.
  const { openConfigured } = await import('../main/open-database.ts')
  const { schemaLack } = await import('../platform/db/wait-for-schema.ts')
  const database = config.databaseUrl === undefined ? undefined : await openConfigured(config)
  const lack = database === undefined ? undefined : await schemaLack(database)
  await database?.close()
  console.error(`${url} is not ready. ${lack ?? `Check the log of the API, and run ${shellCommand('doctor')}.`}`)
}
process.exitCode = ready ? 0 : 1
