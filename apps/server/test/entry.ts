import { type ChildProcess, spawn } from 'node:child_process'
import { recordingOptions } from './record-statements.ts'
import { entryFile } from '../src/cli/command-line.mjs'

/** Product process or command, started by a test. */
export interface Entry {
  /** Output so far. */
  output: string
  /** Exit code after the end. */
  ended: Promise<number | null>
  /** Writes all of its input. */
  write(input: string): void
  /** Requests its end. */
  stop(): void
}

const started: ChildProcess[] = []

/** Kills the entry points left running by a file's tests. */
export function endEntries(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL')
}

/** Starts a server entry point on PostgreSQL. It ends with the test file at the latest. */
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
    output: '',
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
    write: (input) => void child.stdin.end(input),
    stop: () => child.kill('SIGTERM'),
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (entry.output += String(text)))
  return entry
}
