import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'

/** Development chain in a child process. */
export interface Anvil {
  url: string
  pid: number
  /** Stops the program. With SIGTERM it saves its state first. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const LISTENS = /Listening on 127\.0\.0\.1:(\d+)/
/** Maximum wait for the start and for the end of the program, in ms. */
const START_TIMEOUT_MS = 10_000

/** Returns the packaged program for this machine; undefined if there is none (musl, or a missing optional package). */
export function anvilProgram(resolve: (name: string) => string = createRequire(import.meta.url).resolve): string | undefined {
  try {
    const requireNear = createRequire(resolve('@foundry-rs/anvil/package.json'))
    const machine = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
    return requireNear.resolve(`@foundry-rs/anvil-${machine}/bin/anvil${process.platform === 'win32' ? '.exe' : ''}`)
  } catch {
    return undefined
  }
}

/**
 * Starts a chain on a free loopback port. The chain creates blocks only on request.
 * @param home folder for the program's files other than its state
 * @param at start time of a new chain
 */
export async function startAnvil(
  program: string,
  { chainId, home, at, more = [] }: { chainId: number; home: string; at: Date; more?: readonly string[] },
): Promise<Anvil> {
  const flags = [
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    '--chain-id',
    String(chainId),
    '--base-fee',
    '0',
    '--no-mining',
    // The finalized block follows the head by two.
    '--slots-in-an-epoch',
    '1',
    '--cache-path',
    home,
  ]
  const child = spawn(program, [...flags, '--timestamp', String(Math.floor(at.getTime() / 1000)), ...more], {
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Detached, because a terminal's Ctrl-C reaches the whole group. The chain must end after its clients.
    detached: true,
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void exited.then(() => process.removeListener('exit', kill))
  const port = await listening(child)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const slow = setTimeout(kill, START_TIMEOUT_MS)
      await exited
      clearTimeout(slow)
    },
  }
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const late = setTimeout(() => reject(new Error('anvil does not listen')), START_TIMEOUT_MS)
    const end = (error: Error) => {
      clearTimeout(late)
      child.kill('SIGKILL')
      reject(error)
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output === 'listens') return
      output += chunk.toString()
      const port = LISTENS.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(late)
      output = 'listens'
      resolve(Number(port))
    })
    child.once('exit', (code) => end(new Error(`anvil ended with ${code}: ${output.slice(-500)}`)))
    child.once('error', end)
  })
}
