import { alertsSince } from '../modules/staff/index.ts'
import type { Db } from '../platform/db/database.ts'
import { wordsOfAlert } from './areas.ts'
import { findingsFor, type Finding } from './finding.ts'

/** Alerts that another check reports with more detail: each job, backup, payout, token sweep and token. */
const DETAILED: readonly string[] = ['job', 'backup', 'sending', 'sweeping', 'token']

/** Area and fix of each alert. Two people answer a chain incident, in the bar at the top of the console. */
const ALERTS: Readonly<Record<string, readonly [area: string, fix: string]>> = {
  ledger: ['ledger', 'follow “Automatic stops” in docs/runbook.md'],
  chain: ['audit log', 'follow “The audit log” in docs/operations.md'],
  balance: ['balance sheet', '`tizara staff fund-reward-pool asset=usd amount=AMOUNT source=operator into=sales reason=TEXT`'],
  halt: ['rewards', '`tizara rewards --day DAY --dry-run`'],
  invoices: ['provider', 'check the log of the worker'],
  webhook: ['webhooks', 'follow “Find out why a webhook did not arrive” in docs/webhooks.md, then switch it on in the console'],
}
const CHAIN_INCIDENT = ['chain', 'follow “Automatic stops” in docs/runbook.md'] as const

/** Reports the alerts that the overview and the bar of the console show, with the same words and the same start. */
export async function alertFindings(db: Db, now: Date): Promise<Finding[]> {
  const alerts = (await alertsSince(db, now)).map((alert) => ({ ...alert, kind: alert.name.split(':')[0] ?? '' }))
  return alerts
    .filter(({ kind }) => !DETAILED.includes(kind))
    .map(({ name, kind, level, text, since }) => {
      const [area, fix] = ALERTS[kind] ?? CHAIN_INCIDENT
      const { warning, bad } = findingsFor(area)
      return (level === 'red' ? bad : warning)(text, fix, { ...wordsOfAlert(name), since })
    })
}
