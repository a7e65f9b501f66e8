import { isRecent } from '../platform/runtime/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Ports } from '../main/ports.ts'
import { examine, type Health, reportOf } from './examine.ts'

/** A report asks mail, provider and nodes: nobody's reloads ask them more often than this. */
const KEPT_MS = 15_000

/**
 * The report for the console, one look at a time: whoever asks in the middle of one gets that, and whoever asks soon after it what
 * it found, with its moment.
 */
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
