/**
 * `npm run drill:chain`: kills api and worker (SIGKILL) twenty times at random, while members pay invoices on a real chain, payouts
 * are sent and tokens are swept. Ends with 0 only if every invoice was credited once, every payout arrived once, the chain matches
 * the books, gas included, and the audit passes. `-- --kills 5` does fewer.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { ready } from './instance.ts'
import { openChainInstance, startUsers } from './chain-instance.ts'
import { root } from './versions.ts'

const { values } = readArguments(import.meta.url, { kills: { type: 'string', default: '20' } })
const instance = await openChainInstance()
const { machine, database } = instance
const clone = { command: process.execPath, folder: root, version: '' }
if ((await machine.run(clone, [entryFile('migrate')])).code !== 0) throw new Error('migrate')

type Part = 'api' | 'worker'
const start = (part: Part) => machine.socket.start([process.execPath, entryFile(part)], { env: machine.env })
const parts = { api: start('api'), worker: start('worker') }
await ready(machine.port)
const users = await startUsers(instance)

for (let kill = 0; kill < Number(values.kills); kill += 1) {
  await pause(randomInt(500, 6_000))
  const killed: readonly Part[] =
    [['api'] as const, ['worker'] as const, ['worker'] as const, ['api', 'worker'] as const][randomInt(4)] ?? []
  for (const part of killed) {
    parts[part].kill('SIGKILL')
    await once(parts[part], 'exit')
    parts[part] = start(part)
  }
  // Expires its leases, which otherwise takes a minute.
  await database.pool.query('update job_lease set held_until = null')
}
await users.stop()
const began = performance.now()
while ((await instance.open()) > 0 && performance.now() - began < 180_000) await pause(200)
await instance.stopBlocks()
const wrong = [...(await users.wrong()), ...(await instance.wrong())]
for (const part of ['api', 'worker'] as const) {
  parts[part].kill('SIGTERM')
  await once(parts[part], 'exit')
}
const audit = await machine.run(clone, [entryFile('ledger-audit')])
if (audit.code !== 0) wrong.push(audit.output)
console.log(`${values.kills} kills; ${users.summary()}`)
console.log(wrong.length === 0 ? 'all of it once, the chain holds what the books say, the audit finds nothing' : wrong.join('\n'))
await instance.close()
process.exit(wrong.length === 0 ? 0 : 1)
