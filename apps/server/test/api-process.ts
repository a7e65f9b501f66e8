import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../test/postgres.ts'
import { recordingOptions } from './record-statements.ts'

const ENTRY = fileURLToPath(new URL('../src/main/api.ts', import.meta.url))

/** Longest start of a process on a busy machine, in ms. Tests have two minutes. */
const READY_MS = 90_000

/** Separate API process, which a test may kill. */
export interface ApiProcess {
  child: ChildProcess
  url: string
  /** The process's signal or exit code. */
  ended: Promise<unknown>
}

/** Starts an API process on a free port and waits until it is ready. The test stops it. */
export async function startApiProcess(env: NodeJS.ProcessEnv): Promise<ApiProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [ENTRY], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...recordingOptions(), ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + READY_MS; Date.now() < end && child.exitCode === null && child.signalCode === null;) {
    const ready = await fetch(`${url}/health/ready`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) return { child, ended, url }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error(`the API did not become ready, and ended with ${String(await ended)}`)
}
