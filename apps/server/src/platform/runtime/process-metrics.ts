import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { type Db, connectionsOf } from '../db/database.ts'
import { VERSION } from './release.ts'
import type { Reads } from '../db/replica.ts'

/** Adds the metrics of a process: resources, version, and database connections. */
export function addProcessMetrics(kind: 'api' | 'worker', db: Db, reads?: Reads): Registry {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const info = new Gauge({
    name: 'tizara_build_info',
    help: '1 for the version and kind of this process',
    labelNames: ['version', 'process'],
    registers,
  })
  info.set({ version: VERSION, process: kind }, 1)
  const lines = { primary: connectionsOf(db), replica: reads?.figures?.lines }
  registry.registerMetric(
    new Gauge({
      name: 'tizara_database_connections',
      help: 'Busy and idle connections to the database and its replicas, and calls waiting for one',
      labelNames: ['to', 'state'],
      registers: [],
      collect() {
        for (const [to, pool] of Object.entries(lines)) {
          if (pool === undefined) continue
          this.set({ to, state: 'busy' }, pool.totalCount - pool.idleCount)
          this.set({ to, state: 'idle' }, pool.idleCount)
          this.set({ to, state: 'waiting' }, pool.waitingCount)
        }
      },
    }),
  )
  if (reads?.figures !== undefined) registry.registerMetric(readCounter(reads.figures.served))
  return registry
}

const readCounter = (served: Readonly<Record<string, number>>): Counter =>
  new Counter({
    name: 'tizara_database_reads_total',
    help: 'Reads by the server that answered them',
    labelNames: ['from'],
    registers: [],
    collect() {
      this.reset()
      for (const [from, count] of Object.entries(served)) this.inc({ from }, count)
    },
  })
