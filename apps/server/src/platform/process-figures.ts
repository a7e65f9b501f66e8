import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { type Db, linesOf } from './database.ts'
import { VERSION } from './release.ts'

/** What every process knows of itself: what it uses, which version it is, and its lines to the database. */
export function processFigures(kind: 'api' | 'worker', db: Db): Registry {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const info = new Gauge({
    name: 'product_info',
    help: '1 for the version and kind of this process',
    labelNames: ['version', 'process'],
    registers,
  })
  info.set({ version: VERSION, process: kind }, 1)
  const lines = linesOf(db)
  if (lines === undefined) return registry
  registry.registerMetric(
    new Gauge({
      name: 'database_lines',
      help: 'Lines to the database that work and that rest, and how many calls wait for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        this.set({ state: 'busy' }, lines.totalCount - lines.idleCount)
        this.set({ state: 'idle' }, lines.idleCount)
        this.set({ state: 'waiting' }, lines.waitingCount)
      },
    }),
  )
  return registry
}
