import type { health } from '@tizara/contract/staff-health'
import type * as v from 'valibot'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { typed, VERSION } from '../../platform/release.ts'
import type { Ports } from '../ports.ts'
import { allSweeps } from '../sweeps.ts'
import { chainFindings } from './chain.ts'
import { databaseFindings } from './database.ts'
import { about, type Finding, looked, worst } from './finding.ts'
import { houseFindings } from './house.ts'
import { machineFindings } from './machine.ts'
import { outsideFindings } from './outside.ts'
import { payoutFindings } from './payouts.ts'
import { settingsFindings } from './settings.ts'
import { workerFindings } from './worker.ts'

/** The whole report. */
export type Health = v.InferOutput<typeof health>

export const reportOf = (at: Date, findings: Finding[]): Health => ({ at, version: VERSION, state: worst(findings), findings })

/** Looks at everything around a configured product, without changing anything. */
export async function examine(deps: Pick<Deps, 'config' | 'clock'>, db: Db, ports: Ports, lack?: string): Promise<Finding[]> {
  const outside = outsideFindings(deps.config, ports)
  const machine = looked('machine', 'look at DATA_DIR', () => machineFindings(deps.config))
  const findings = await looked('database', 'correct DATABASE_URL; look at PostgreSQL', () =>
    databaseFindings(db, deps.config.databaseUrl === undefined),
  )
  const answers = lack?.startsWith('The database does not answer') !== true
  if (lack !== undefined && answers) {
    const mend = lack.includes(': run ') ? typed('migrate') : 'this release does not fit this database (CHANGELOG.md)'
    findings.push(about('database').bad(lack.replace(/: run .*$/, ''), mend))
  }
  if (lack === undefined) {
    const now = deps.clock.now()
    findings.push(...(await looked('house', 'look at the database', () => houseFindings(db, now))))
    findings.push(
      ...(await looked('chain', 'correct CHAIN_RPC_URL, CHAIN_WITNESS_URL, CHAIN_ID, CHAIN_TOKEN', () => chainFindings(db, ports, now))),
    )
    findings.push(...(await looked('payouts', 'correct CHAIN_RPC_URL', () => payoutFindings(db, deps.config, now))))
    findings.push(...(await looked('worker', 'look at the database', () => workerFindings(db, allSweeps(ports), now))))
  }
  return [...settingsFindings(deps.config), ...(await machine), ...findings, ...(await outside)]
}
