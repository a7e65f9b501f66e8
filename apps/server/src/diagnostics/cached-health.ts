import { isRecent } from '../platform/runtime/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Ports } from '../main/ports.ts'
import { examine, type Health, reportOf } from './examine.ts'

/** Minimum time in ms between two reports: each report calls the mail server, the provider and the nodes. */
const CACHE_MS = 15_000

/** Serves the health report to the console. Callers share a running report and reuse a recent one, with its time. */
export function cachedHealth(ports: Ports): (db: Db, deps: Deps) => Promise<Health> {
  let cached: { since: Date; health: Promise<Health> } | undefined
  return (db, deps) => {
    const now = deps.clock.now()
    if (cached !== undefined && isRecent(cached.since, now, CACHE_MS)) return cached.health
    const health = examine(deps, db, ports).then((findings) => reportOf(now, findings))
    const entry = { since: now, health }
    health.catch(() => {
      if (cached === entry) cached = undefined
    })
    cached = entry
    return health
  }
}
