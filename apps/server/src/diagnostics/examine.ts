import type { health } from '@tizara/contract/staff-health'
import type * as v from 'valibot'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { shellCommand, VERSION } from '../platform/runtime/release.ts'
import type { Ports } from '../main/ports.ts'
import { allJobs } from '../main/jobs.ts'
import type { SchemaLack } from '../platform/db/wait-for-schema.ts'
import { undecryptableRows } from './data-key.ts'
import { alertFindings } from './alerts.ts'
import { auditLogFindings } from './audit-log.ts'
import { chainFindings } from './chain.ts'
import { databaseFindings } from './database.ts'
import { findingsFor, type Finding, check, worst } from './finding.ts'
import { platformFindings } from './platform.ts'
import { machineFindings } from './machine.ts'
import { externalServiceFindings } from './external-services.ts'
import { payoutFindings } from './payouts.ts'
import { providerDifferences } from './provider.ts'
import { settingsFindings } from './settings.ts'
import { workerFindings } from './worker.ts'

export type Health = v.InferOutput<typeof health>

export const reportOf = (at: Date, findings: Finding[]): Health => ({ at, version: VERSION, state: worst(findings), findings })

/**
 * Runs all checks around a configured instance concurrently, without changing anything. Each has a time limit, so that a host without a
 * response delays only its own finding.
 */
export async function examine(deps: Pick<Deps, 'config' | 'clock'>, db: Db, ports: Ports, lack?: SchemaLack): Promise<Finding[]> {
  const { config } = deps
  const found = await Promise.all([
    check('machine', 'check DATA_DIR', () => machineFindings(config)),
    check('database', 'correct DATABASE_URL; check PostgreSQL', () =>
      databaseFindings(db, { embedded: config.databaseUrl === undefined, sandboxWallet: config.sandbox }),
    ),
    lack === undefined ? recordFindings(deps, db, ports) : schemaFindings(lack),
    externalServiceFindings(config, ports),
  ])
  return [...settingsFindings(config), ...found.flat()]
}

/** Checks stored records and the chain nodes that they refer to. */
async function recordFindings({ config, clock }: Pick<Deps, 'config' | 'clock'>, db: Db, ports: Ports): Promise<Finding[]> {
  const now = clock.now()
  const found = await Promise.all([
    check('secrets', 'check the database', () => secretFindings(config, db)),
    check('platform', 'check the database', () => platformFindings(db, now, config)),
    check('platform', 'check the database', () => alertFindings(db, now)),
    check('provider', 'check the database', () => providerDifferences(db, now)),
    chainFindings(db, ports, now),
    payoutFindings(db, config, now),
    check('audit log', 'check DATA_DIR/audit-heads.txt', () => auditLogFindings(db, config)),
    check('worker', 'check the database', () => workerFindings(db, allJobs(ports), now)),
  ])
  return found.flat()
}

/** Reports a database that does not match this release. Another check reports an unreachable database. */
function schemaFindings({ state, why }: SchemaLack): Finding[] {
  if (state === 'unreachable') return []
  const fix = state === 'behind' ? shellCommand('migrate') : 'install the release that matches this database (CHANGELOG.md)'
  return [findingsFor('database').bad(why.replace(/: run .*$/, ''), fix)]
}

/** Checks that DATA_KEY decrypts stored secrets. A key of another instance, or from before a rotation, does not. */
async function secretFindings(config: Config, db: Db): Promise<Finding[]> {
  const why = await undecryptableRows(config, db)
  if (why === undefined) return [findingsFor('secrets').good('DATA_KEY decrypts the stored secrets')]
  return [
    findingsFor('secrets').bad(
      why,
      'set the DATA_KEY of this database; API and worker do not start without it (docs/operations.md, Secrets)',
    ),
  ]
}
