import { type ChildProcess, spawn } from 'node:child_process'
import { recordingOptions } from './record-statements.ts'
import { entryFile } from '../src/cli/command-line.mjs'

/** A command or process of the product, as a test started it. */
export interface Entry {
  /** What it has written so far. */
  said: string
  /** Its exit code, when it has ended. */
  ended: Promise<number | null>
  /** Gives it all of its input. */
  write(input: string): void
  /** Asks it to end. */
  stop(): void
}

const started: ChildProcess[] = []

/** Ends the entry points that the tests of a file have left running. */
export function endEntries(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL')
}

/** Starts an entry point of the server on a PostgreSQL; it ends with the test file at the latest. */
export function startEntry(name: string, env: NodeJS.ProcessEnv, ...args: string[]): Entry {
  const child = spawn(process.execPath, [entryFile(name), ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'test',
      DATABASE_POOL: '4',
      ...recordingOptions(),
      ...env,
    },
  })
  started.push(child)
  const entry: Entry = {
    said: '',
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
    write: (input) => void child.stdin.end(input),
    stop: () => child.kill('SIGTERM'),
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (entry.said += String(text)))
  return entry
}
