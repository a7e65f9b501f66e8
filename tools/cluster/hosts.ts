import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { account } from '../../test/postgres.ts'

/** One of the cluster's machines, played on this one: an address and a folder of its own. */
export interface Host {
  name: string
  address: string
  folder: string
  /** Starts a program there; what it says goes to a file of its name in the host's folder. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess
  /** Ends every program there as a power cut would; `only` keeps to those that work below one folder of it. */
  kill(only?: string): void
  /** Cuts it off without a word to anybody, and lets it back in. */
  cut(): void
  heal(): void
}

/** Where the hosts are: names of the network's parts hold 15 characters at most. */
const NETWORK = '10.213.77'
const BRIDGE = 'tizara-cluster'
/** Hosts that there may be. */
const MOST = 9
const spaceOf = (number: number) => `${BRIDGE}-${number}`
/** The address that this machine has among the hosts. */
const FRONT = { root: `${NETWORK}.254`, user: '127.77.0.254' } as const

/** Whether hosts get networks of their own, whose lines can be cut: that takes root. */
export const networks = process.getuid?.() === 0

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const quietly = (work: () => void) => {
  try {
    work()
  } catch {
    // It was not there.
  }
}

/** Processes that work below a folder: PostgreSQL's hide their names and parents, not where they stand. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const place = readlinkSync(`/proc/${pid}/cwd`)
        return place === folder || place.startsWith(`${folder}/`)
      } catch {
        return false
      }
    })
}

const signal = (folder: string, name: NodeJS.Signals) => {
  for (const pid of processesIn(folder)) quietly(() => process.kill(pid, name))
}

/** The network that hosts with root meet in; gone with {@link removeHosts}. */
export function openNetwork(): string {
  if (!networks) return FRONT.user
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${FRONT.root}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  return FRONT.root
}

/** Ends every process that works below a folder, and takes away the hosts' networks, whoever made them. */
export function removeHosts(folder: string): void {
  // What is killed may have begun something in that moment.
  for (let turn = 0; turn < 20 && processesIn(folder).length > 0; turn += 1) {
    signal(folder, 'SIGKILL')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  if (!networks) return
  for (let number = 1; number <= MOST; number += 1) quietly(() => ip('netns', 'del', spaceOf(number)))
  quietly(() => ip('link', 'del', BRIDGE))
}

/** Makes the n-th host, from 1. */
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
  // Who runs as root goes down to the account that PostgreSQL accepts, inside the host's network.
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
    // Without root the host holds still instead: its lines stay open and nobody answers on them.
    cut: () => (networks ? ip('link', 'set', line, 'down') : signal(folder, 'SIGSTOP')),
    heal: () => (networks ? ip('link', 'set', line, 'up') : signal(folder, 'SIGCONT')),
  }
}
