/** `tizara ready`: waits until the API of these settings says that it is ready; 0 then, 1 when it does not within a minute. */
import { setTimeout as pause } from 'node:timers/promises'
import { readConfigOrExit } from './deps.ts'

const { host, port } = readConfigOrExit()
const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/health/ready`
const isReady = () =>
  fetch(url, { signal: AbortSignal.timeout(4_000) })
    .then(({ ok }) => ok)
    .catch(() => false)

const end = Date.now() + 60_000
let ready = await isReady()
while (!ready && Date.now() < end) {
  await pause(250)
  ready = await isReady()
}
if (!ready) console.error(`${url} is not ready.`)
process.exitCode = ready ? 0 : 1
