/**
 * `npm run drill:deploy`: unpacks a release as two versions and deploys one over the other under load, twenty times back and forth, as the
 * units in deploy/ do. The API process gets SIGTERM while the socket stays open, the next process takes the socket over, and the worker is
 * replaced. Prints the effect on clients. The exit code is 0 only if the ledger has every acknowledged transfer, no call failed, and page
 * files of both versions were always available. `-- --rounds 5` deploys less often. `-- --proxy nginx` (or caddy) adds this proxy with TLS,
 * configured with the example in deploy/.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { openProxy, type Proxy, PROXIES } from '../../test/proxies.ts'
import { openInstance, waitUntilReady } from './instance.ts'
import { report, startLoad } from './load.ts'
import { anotherVersion, packCurrentVersion, replace } from './versions.ts'

const { values } = readArguments(import.meta.url, { rounds: { type: 'string', default: '20' }, proxy: { type: 'string' } })
const proxyName = PROXIES.find((name): name is Proxy => name === values.proxy)
if (values.proxy !== undefined && proxyName === undefined) throw new Error(`--proxy takes ${PROXIES.join(' or ')}`)

const instance = await openInstance()
const first = packCurrentVersion(instance.folder)
const second = anotherVersion(first, '99.0.0')
for (const [version, name] of [
  [first, 'only-first.js'],
  [second, 'only-second.js'],
] as const)
  replace(version, `apps/web/dist/assets/${name}`, 'export {}')
for (const step of ['migrate', 'seed'])
  execFileSync(process.execPath, [entryFile(step)], {
    env: { ...instance.env, DATA_DIR: path.join(instance.folder, 'seed') },
    stdio: 'ignore',
  })
let api = instance.api(first)
let worker = instance.worker(first)
await waitUntilReady(instance.port)
// Accepts the self-signed certificate of the drill's proxy.
if (proxyName !== undefined) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
const proxy = proxyName === undefined ? undefined : await openProxy(proxyName, instance.port, instance.folder)
const base = proxy === undefined ? `http://127.0.0.1:${instance.port}` : `https://localhost:${proxy.port}`
const load = await startLoad(base, instance.postgres.url, ['/assets/only-first.js', '/assets/only-second.js'])
const longest = { api: 0, worker: 0 }
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const next = round % 2 === 1 ? second : first
  // Follows CHANGELOG.md: replaces the worker once the API answers again.
  for (const name of ['api', 'worker'] as const) {
    const { code, took } = await (name === 'api' ? api : worker).stop()
    longest[name] = Math.max(longest[name], took)
    if (code !== 0) load.fail(`${name} ended with ${code}`)
    if (name === 'api') api = instance.api(next)
    else worker = instance.worker(next)
    const version = await waitUntilReady(instance.port)
    if (version !== next.version) load.fail(`ready as ${version}`)
  }
}
const lost = await load.stop()
await proxy?.close()
for (const one of [api, worker]) if ((await one.stop()).code !== 0) load.fail('a process did not end with 0')
await instance.close()
const good = report(`${values.rounds} deployments${proxyName === undefined ? '' : ` behind ${proxyName}`}`, load, lost)
console.log(`longest end of the API ${Math.round(longest.api)} ms, of the worker ${Math.round(longest.worker)} ms`)
process.exit(good ? 0 : 1)
