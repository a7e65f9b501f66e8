import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { entryFile } from '../cli/command-line.mjs'
import { freePort } from '../../../../test/postgres.ts'
import { testDatabase } from '../../test/database.ts'

const { url } = await testDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'termination-'))
let child: ChildProcess | undefined
afterAll(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Entries that run until a signal, and their arguments. */
const LONG: [entry: string, ...args: string[]][] = [['api'], ['worker'], ['serve'], ['tizara', 'worker']]

/** Prints a line when the process registers its signal handlers. */
const SIGNAL_HOOK = `process.on('newListener', (name) => name === 'SIGINT' && require('node:fs').writeSync(1, 'hears'))`

it('each long-running process imports nothing before it handles signals, and the rest afterwards', () => {
  for (const name of new Set(LONG.map(([entry]) => entry))) {
    const text = readFileSync(entryFile(name), 'utf8')
    expect(text.match(/^import .*/gm)).toEqual([
      expect.stringMatching(/^import \{ noopShutdown, onTermination \} from '\.\.\/platform\/runtime\/termination\.ts'$/),
    ])
    expect(text).toMatch(/onTermination\(noopShutdown\)\nawait import\('\.\/process\/\w+\.ts'\)\n$/)
  }
  expect(readFileSync(new URL('../platform/runtime/termination.ts', import.meta.url), 'utf8')).not.toMatch(/^import /m)
})

describe.each(LONG)('%s %s', (entry, ...args) => {
  it('exits with 0 when a signal arrives during the start', async () => {
    const hook = path.join(folder, 'hears.cjs')
    writeFileSync(hook, SIGNAL_HOOK)
    for (const after of [0, 40, 300]) {
      const [port, sandboxPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
      child = spawn(process.execPath, ['--require', hook, entryFile(entry), ...args], {
        env: {
          PATH: process.env['PATH'],
          NODE_ENV: 'test',
          LOG_LEVEL: 'silent',
          DATABASE_URL: url,
          DATA_DIR: path.join(folder, 'data'),
          PORT: String(port),
          SANDBOX_PORT: String(sandboxPort),
          METRICS_PORT: String(metricsPort),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      await once(child.stdout as NodeJS.ReadableStream, 'data')
      await pause(after)
      child.kill('SIGTERM')
      expect([after, ...(await ended)]).toEqual([after, 0, null])
    }
  })
})
