import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { account } from '../../test/postgres.ts'

/** Simulated cluster machine with a separate address and folder. */
export interface Host {
  name: string
  address: string
  folder: string
  /** Starts a program on the host. The program's output goes to a file with the program's name in the host's folder. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess
  /** Kills every program of the host, like a power failure. `only` limits it to a subfolder. */
  kill(only?: string): void
  /** Disconnects the host silently, and reconnects it. */
  cut(): void
  heal(): void
}

/** Network of the hosts. Names of network interfaces have at most 15 characters. */
const NETWORK = '10.213.77'
const BRIDGE = 'tizara-cluster'
/** Maximum hosts. */
const MAX_HOSTS = 9
const spaceOf = (number: number) => `${BRIDGE}-${number}`
/** Address of this machine in the hosts' network. */
const FRONT = { root: `${NETWORK}.254`, user: '127.77.0.254' } as const

/** True if hosts have separate networks, which can be disconnected. This needs root. */
export const networks = process.getuid?.() === 0

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const quietly = (work: () => void) => {
  try {
    work()
  } catch {
    // It did not exist.
  }
}

/**
 * Returns the processes with a working directory below a folder. Names and parents would not suffice, because PostgreSQL's processes
 * change both.
 */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const directory = readlinkSync(`/proc/${pid}/cwd`)
        return directory === folder || directory.startsWith(`${folder}/`)
      } catch {
        return false
      }
    })
}

const signal = (folder: string, name: NodeJS.Signals) => {
  for (const pid of processesIn(folder)) quietly(() => process.kill(pid, name))
}

/** Creates the hosts' network as root. {@link removeHosts} removes it. */
export function openNetwork(): string {
  if (!networks) return FRONT.user
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${FRONT.root}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  return FRONT.root
}

/** Kills all processes in a folder and removes the hosts' networks, also those of an earlier run. */
export function removeHosts(folder: string): void {
  // Repeats, because a process may fork just before the kill.
  for (let turn = 0; turn < 20 && processesIn(folder).length > 0; turn += 1) {
    signal(folder, 'SIGKILL')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  if (!networks) return
  for (let number = 1; number <= MAX_HOSTS; number += 1) quietly(() => ip('netns', 'del', spaceOf(number)))
  quietly(() => ip('link', 'del', BRIDGE))
}

/** Creates the n-th host, counted from 1. */
export function openHost(number: number, below: string): Host {
  const name = `pg${number}`
  const folder = path.join(below, name)
  mkdirSync(folder)
  chmodSync(folder, 0o700)
  const as = account()
  if (as !== undefined) chownSync(folder, as.uid, as.gid)
  const space = spaceOf(number)
  const line = `tizara-line-${number}`
  if (networks) {
    ip('netns', 'add', space)
    ip('link', 'add', line, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', line, 'master', BRIDGE)
    ip('link', 'set', line, 'up')
    for (const args of [
      ['addr', 'add', `${NETWORK}.${number}/24`, 'dev', 'eth0'],
      ['link', 'set', 'eth0', 'up'],
      ['link', 'set', 'lo', 'up'],
    ])
      ip('-n', space, ...args)
  }
  // With root rights, runs the program in the host's network under another account, because PostgreSQL does not run as root.
  const before =
    as === undefined ? [] : ['ip', 'netns', 'exec', space, 'setpriv', `--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups', '--']
  return {
    name,
    folder,
    address: networks ? `${NETWORK}.${number}` : `127.77.0.${number}`,
    start(program, args, env) {
      const [command = program, ...rest] = [...before, program, ...args]
      const log = openSync(path.join(folder, `${path.basename(program)}.log`), 'a')
      return spawn(command, rest, { cwd: folder, env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', log, log] })
    },
    kill: (only) => signal(only === undefined ? folder : path.join(folder, only), 'SIGKILL'),
    // Without root rights, pauses the host's processes instead: connections stay open without a response.
    cut: () => (networks ? ip('link', 'set', line, 'down') : signal(folder, 'SIGSTOP')),
    heal: () => (networks ? ip('link', 'set', line, 'up') : signal(folder, 'SIGCONT')),
  }
}
