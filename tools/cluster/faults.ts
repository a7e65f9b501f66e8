import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { DatabaseMachine } from './database-machines.ts'
import { type Cluster, waitUntilReady, type Process } from './instance.ts'
import type { Fault } from './rounds.ts'

const elapsed = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/**
 * Returns the faults of the drill. Each process is killed `rounds` times. The primary fails `rounds` times, half of them by a stop of its
 * whole machine. Slow faults occur at most twice.
 */
export function faultsOf({ database, apis, workers, ownerUrl }: Cluster, rounds: number): Fault[] {
  const slowRounds = Math.min(2, rounds)
  const others = async () => {
    const primary = await database.primary()
    return { primary, replicas: database.machines.filter((machine) => machine !== primary) }
  }
  /** Waits for a new primary, because a fault has no visible effect before the promotion. */
  const promoted = async (primary: DatabaseMachine, began: number) => {
    const next = await database.primary(primary)
    return `${primary.name} gone, ${next.name} is primary after ${elapsed(began)}`
  }
  return [
    {
      what: 'primary: its whole machine stops',
      times: Math.ceil(rounds / 2),
      cause: async () => {
        const { primary } = await others()
        const began = performance.now()
        primary.kill()
        return { result: await promoted(primary, began), restore: async () => primary.begin() }
      },
    },
    {
      what: 'primary: its PostgreSQL is killed',
      times: Math.floor(rounds / 2),
      cause: async () => {
        const { primary } = await others()
        const began = performance.now()
        primary.kill('data')
        return { result: await promoted(primary, began) }
      },
    },
    ...apis.map((one) => restarted(one, rounds, () => waitUntilReady(one.url as string))),
    ...workers.map((one) => restarted(one, rounds, () => waitForJob(one, ownerUrl))),
    {
      what: 'a replica is cut off for 20 s, each in turn',
      times: slowRounds,
      cause: async (round) => {
        const replica = (await others()).replicas[round]
        replica?.cut()
        await pause(20_000)
        return { result: `${replica?.name} cut off`, restore: async () => replica?.heal() }
      },
    },
    {
      what: 'the primary is cut off from all machines, until 10 s after the promotion of another one',
      times: slowRounds,
      cause: async () => {
        const { primary } = await others()
        const began = performance.now()
        primary.cut()
        const restore = async () => {
          await pause(10_000)
          primary.heal()
        }
        return { result: await promoted(primary, began), restore }
      },
    },
    {
      what: 'etcd is without its majority for 30 s',
      times: slowRounds,
      cause: async () => {
        const lost = database.machines.slice(0, 2)
        for (const machine of lost) machine.kill('etcd-data')
        await pause(30_000)
        const restore = async () => {
          for (const machine of lost) machine.beginEtcd()
        }
        return { result: `etcd of ${lost.map(({ name }) => name).join(' and ')} killed`, restore }
      },
    },
  ]
}

/** Fault that kills a process of the product. The process is restarted at once, as systemd would do. */
const restarted = (one: Process, times: number, isBack: () => Promise<void>): Fault => ({
  what: `${one.name} is killed`,
  times,
  cause: async () => {
    const began = performance.now()
    await one.kill()
    one.start()
    await isBack()
    return { result: `at work again after ${elapsed(began)}` }
  },
})

/** Waits until a worker has begun a job. */
async function waitForJob(worker: Process, url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const began = performance.now()
  for (let found = 0; found === 0; await pause(100)) {
    if (performance.now() - began > 90_000) throw new Error(`${worker.name} begins no job`)
    found = (await client.query(`select from job_lease where holder like '%:' || $1 || '@%'`, [worker.pid()])).rowCount ?? 0
  }
  await client.end()
}
