import { isRecent } from '../platform/runtime/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Ports } from '../main/ports.ts'
import { examine, type Health, reportOf } from './examine.ts'

/** Minimum time in ms between two reports: each report calls the mail server, the provider and the nodes. */
const KEPT_MS = 15_000

/** Serves the health report to the console. Callers share a running report and reuse a recent one, with its time. */
export function keptHealth(ports: Ports): (db: Db, deps: Deps) => Promise<Health> {
  let kept: { since: Date; health: Promise<Health> } | undefined
  return (db, deps) => {
    const now = deps.clock.now()
    if (kept !== undefined && isRecent(kept.since, now, KEPT_MS)) return kept.health
    const health = examine(deps, db, ports).then((findings) => reportOf(now, findings))
    const look = { since: now, health }
    health.catch(() => {
      if (kept === look) kept = undefined
    })
    kept = look
    return health
  }
}
