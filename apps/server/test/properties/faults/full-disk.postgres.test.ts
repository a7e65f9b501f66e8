import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { testDatabase } from '../../database.ts'
import { entryFile } from '../../../src/cli/command-line.mjs'

/** Simulates a log file on a full disk. Members must not notice. */
const { url } = await testDatabase()
const started: { kill(signal: 'SIGKILL'): unknown }[] = []
afterAll(() => started.forEach((child) => child.kill('SIGKILL')))

const run = async (name: string, port: number) => {
  // The worker answers at METRICS_PORT, the API at PORT. The settings must differ.
  const other = await freePort()
  const child = spawn(process.execPath, [entryFile(name)], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'test',
      DATABASE_URL: url,
      METRICS_PORT: String(name === 'api' ? other : port),
      PORT: String(name === 'api' ? port : other),
    },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
  })
  started.push(child)
  return { child, ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code))) }
}

it.each(['api', 'worker'])('the %s continues without its log, and stops cleanly', async (name) => {
  const port = await freePort()
  const { child, ended } = await run(name, port)
  const answer = () =>
    fetch(`http://127.0.0.1:${port}/${name === 'api' ? 'health/ready' : 'metrics'}`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(answer, { timeout: 60_000 }).toBe(200)
  expect(await answer()).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('an uncaught error ends a process, even if it cannot be logged', async () => {
  const port = await freePort()
  const first = await run('api', port)
  const isLive = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isLive, { timeout: 60_000 }).toBe(true)
  expect(await (await run('api', port)).ended).toBe(1)
  first.child.kill('SIGTERM')
  await first.ended
})
