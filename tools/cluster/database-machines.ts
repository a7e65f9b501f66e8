import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { type Host, openHost, openNetwork } from './hosts.ts'
import type { Programs } from './programs.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy/cluster/', import.meta.url))
const COUNT = 3
/** Maximum time in ms until a machine has recovered. The machine may have to copy the data written meanwhile. */
const START_TIMEOUT_MS = 300_000
/** Addresses of the machines in deploy/cluster, from 10.0.0.1. */
const EXAMPLE = /10\.0\.0\.(\d)/g

/** Machine with PostgreSQL under Patroni, and etcd. */
export interface DatabaseMachine extends Host {
  /** Starts the machine's stopped programs. */
  begin(): void
  /** State of the machine's PostgreSQL as Patroni reports it, or undefined if Patroni does not respond. */
  state(): Promise<MachineState | undefined>
  beginEtcd(): void
  /** Returns true if the machine's etcd is part of a quorum. */
  etcdWorks(): Promise<boolean>
}

const addressed = (text: string, hosts: readonly Host[]) =>
  text.replaceAll(EXAMPLE, (_, n: string) => (hosts[Number(n) - 1] as Host).address)

/** Builds the environment of a program on the n-th machine from the example file of the first machine. */
function environment(file: string, number: number, hosts: readonly Host[]): NodeJS.ProcessEnv {
  const text = readFileSync(path.join(DEPLOY, file), 'utf8')
  const host = hosts[number - 1] as Host
  const lines = text
    .split('\n')
    // Lines with all machines stay. In other lines the address of the first machine becomes the address of this machine.
    .map((line) => (/10\.0\.0\.2/.test(line) ? line : line.replaceAll('10.0.0.1', `10.0.0.${number}`)))
  const own = addressed(lines.join('\n'), hosts)
    .replace(/(_NAME=)pg1$/m, `$1${host.name}`)
    .replace(/^(PATRONI_POSTGRESQL_DATA_DIR=).*$/m, `$1${path.join(host.folder, 'data')}`)
    .replace(/^(ETCD_DATA_DIR=).*$/m, `$1${path.join(host.folder, 'etcd-data')}`)
  return parseEnv(own)
}

function machine(host: Host, number: number, hosts: readonly Host[], programs: Programs, secrets: NodeJS.ProcessEnv): DatabaseMachine {
  const file = path.join(host.folder, 'patroni.yml')
  const settings = readFileSync(path.join(DEPLOY, 'patroni.yml'), 'utf8').replace('/var/run/postgresql', host.folder)
  writeFileSync(file, addressed(settings, hosts))
  const running = new Map<string, { exitCode: number | null; signalCode: string | null }>()
  const lives = (name: string) => {
    const child = running.get(name)
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }
  const beginEtcd = () => {
    const env = environment('etcd.env', number, hosts)
    // A returning member has its cluster state on disk.
    const known = existsSync(path.join(host.folder, 'etcd-data', 'member'))
    if (!lives('etcd'))
      running.set('etcd', host.start(programs.etcd, [], { ...env, ...(known && { ETCD_INITIAL_CLUSTER_STATE: 'existing' }) }))
  }
  return {
    ...host,
    beginEtcd,
    begin() {
      beginEtcd()
      const env = { ...environment('machine.env', number, hosts), PATRONI_POSTGRESQL_BIN_DIR: programs.postgres, ...secrets }
      if (!lives('patroni')) running.set('patroni', host.start(programs.patroni, [file], env))
    },
    etcdWorks: async () => (await ask<{ health: string }>(`http://${host.address}:2379/health`))?.health === 'true',
    state: () => ask(`http://${host.address}:8008/patroni`),
  }
}

interface MachineState {
  role: string
  state: string
  timeline?: number
  /** Replicas of a primary. */
  replication?: { application_name: string; state: string }[]
}

/** Returns true if all machines run, one of them is the primary, and this primary reports both others as replicas. */
function isComplete(states: readonly (MachineState | undefined)[]): boolean {
  const primaries = states.filter((one) => one?.role === 'master')
  const followers = primaries[0]?.replication?.filter(({ state }) => state === 'streaming') ?? []
  return (
    primaries.length === 1 &&
    states.every((one) => one?.state === 'running' && one.timeline === primaries[0]?.timeline) &&
    new Set(followers.map((one) => one.application_name)).size === COUNT - 1
  )
}

const ask = <T>(url: string): Promise<T | undefined> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) })
    .then((answer) => answer.json() as Promise<T>)
    .catch(() => undefined)

export interface DatabaseMachines {
  machines: DatabaseMachine[]
  /** Address of this machine in the network of the database machines. */
  front: string
  /** Returns the first primary that is not in `except`. */
  primary(except?: DatabaseMachine): Promise<DatabaseMachine>
  /** Waits until the cluster is complete: one primary, its replicas, and an etcd quorum. */
  waitUntilComplete(): Promise<void>
}

/** Starts three machines below a folder accessible to other accounts. */
export async function openDatabaseMachines(folder: string, programs: Programs, secrets: NodeJS.ProcessEnv): Promise<DatabaseMachines> {
  const front = openNetwork()
  const hosts = Array.from({ length: COUNT }, (_, index) => openHost(index + 1, folder))
  const machines = hosts.map((host, index) => machine(host, index + 1, hosts, programs, secrets))
  for (const one of machines) one.begin()
  const statesOf = () => Promise.all(machines.map((one) => one.state()))
  const until = async <T>(what: string, probe: () => Promise<T | undefined>): Promise<T> => {
    for (const began = performance.now(); performance.now() - began < START_TIMEOUT_MS; await pause(100)) {
      const found = await probe()
      if (found !== undefined) return found
    }
    throw new Error(`${what} within 5 minutes: ${JSON.stringify(await statesOf())}`)
  }
  const all: DatabaseMachines = {
    machines,
    front,
    primary: (except) =>
      until('no primary', async () => {
        for (const one of machines) if (one !== except && (await one.state())?.role === 'master') return one
        return undefined
      }),
    waitUntilComplete: async () => {
      await until('not all machines are there', async () => {
        const states = await statesOf()
        const stores = await Promise.all(machines.map((one) => one.etcdWorks()))
        // Patroni promotes only replicas that it lists as synchronous.
        const named = (await ask<{ members: { role: string }[] }>(`http://${machines[0]?.address}:8008/cluster`))?.members
        const synchronous = named?.filter(({ role }) => role === 'sync_standby').length
        return isComplete(states) && stores.every(Boolean) && synchronous === COUNT - 1 ? true : undefined
      })
    },
  }
  await all.waitUntilComplete()
  return all
}
