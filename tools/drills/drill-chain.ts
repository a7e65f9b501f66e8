/**
 * `npm run drill:chain`: kills api and worker (SIGKILL) twenty times at random, while members pay invoices on a real chain, payouts
 * are sent and tokens are swept. The exit code is 0 only if every invoice was credited once, every payout arrived once, the chain
 * matches the books, gas included, and the audit passes. `-- --kills 5` kills less often.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { waitUntilReady } from './instance.ts'
import { openChainInstance, startUsers } from './chain-instance.ts'
import { root } from './versions.ts'

const { values } = readArguments(import.meta.url, { kills: { type: 'string', default: '20' } })
const chainInstance = await openChainInstance()
const { instance, database } = chainInstance
const clone = { command: process.execPath, folder: root, version: '' }
if ((await instance.run(clone, [entryFile('migrate')])).code !== 0) throw new Error('migrate')

type ProcessName = 'api' | 'worker'
const start = (name: ProcessName) => instance.socket.start([process.execPath, entryFile(name)], { env: instance.env })
const processes = { api: start('api'), worker: start('worker') }
await waitUntilReady(instance.port)
const users = await startUsers(chainInstance)

for (let kill = 0; kill < Number(values.kills); kill += 1) {
  await pause(randomInt(500, 6_000))
  const killed: readonly ProcessName[] =
    [['api'] as const, ['worker'] as const, ['worker'] as const, ['api', 'worker'] as const][randomInt(4)] ?? []
  for (const name of killed) {
    processes[name].kill('SIGKILL')
    await once(processes[name], 'exit')
    processes[name] = start(name)
  }
  // Ends the leases of the killed worker, which would otherwise expire after a minute.
  await database.pool.query('update job_lease set held_until = null')
}
await users.stop()
const began = performance.now()
while ((await chainInstance.open()) > 0 && performance.now() - began < 180_000) await pause(200)
await chainInstance.stopBlocks()
const differences = [...(await users.differences()), ...(await chainInstance.differences())]
for (const name of ['api', 'worker'] as const) {
  processes[name].kill('SIGTERM')
  await once(processes[name], 'exit')
}
const audit = await instance.run(clone, [entryFile('ledger-audit')])
if (audit.code !== 0) differences.push(audit.output)
console.log(`${values.kills} kills; ${users.summary()}`)
console.log(differences.length === 0 ? 'no duplicates or losses; the chain matches the ledger; the audit passed' : differences.join('\n'))
await chainInstance.close()
process.exit(differences.length === 0 ? 0 : 1)
