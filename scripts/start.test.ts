import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freePort } from '../test/postgres.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let dataDir: string
let started: ChildProcess | undefined
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'signals-'))
})
afterEach(() => {
  // Kills the whole process group after each test.
  if (started?.pid !== undefined) {
    try {
      process.kill(-started.pid, 'SIGKILL')
    } catch {
      // The group has ended.
    }
  }
  rmSync(dataDir, { recursive: true, force: true })
})

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Returns true if a process runs, or any of a process group if the id is negative. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(port: number, isUp: boolean): Promise<void> {
  while ((await answers(port)) !== isUp) await pause(50)
}

/** Starts a command like npm does: in a shell that does not forward signals. */
async function start(): Promise<{ pid: number; port: number }> {
  const port = await freePort()
  started = spawn('sh', ['-c', `"${process.execPath}" scripts/entry.mjs sandbox; true`], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, SANDBOX_PORT: String(port), NODE_ENV: 'development' },
    detached: true,
    stdio: 'ignore',
  })
  if (started.pid === undefined) throw new Error('the shell did not start')
  await until(port, true)
  return { pid: started.pid, port }
}

it('ends the server when only its parent shell receives the signal', async () => {
  const { pid, port } = await start()
  process.kill(pid, 'SIGTERM')
  await expect(until(port, false)).resolves.toBeUndefined()
  // The server closes its port first and its chain node last. Killed in between, it would leave the node behind.
  await expect.poll(() => isRunning(-pid)).toBe(false)
})

it('lets a server finish when the process group receives the signal twice', async () => {
  const script = `import { onTermination } from ${JSON.stringify(path.join(root, 'apps/server/src/platform/runtime/termination.ts'))}
    onTermination(() => new Promise((resolve) => setTimeout(resolve, 400)))
    setInterval(() => undefined, 1000); console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  // Waits from here on, because a busy machine can notice the exit before the last signal.
  const exit = once(child, 'exit')
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
    child.kill(signal)
    await pause(50)
  }
  expect(await exit).toEqual([0, null])
})
