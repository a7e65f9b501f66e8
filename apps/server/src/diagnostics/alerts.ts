import { type AlertKind, alertsSince } from '../modules/staff/index.ts'
import type { Db } from '../platform/db/database.ts'
import { wordsOfAlert } from './areas.ts'
import { findingsFor, type Finding } from './finding.ts'

/** Alerts that another check reports with more detail. */
const DETAILED = ['job', 'backup', 'sending', 'sweeping', 'token', 'ceiling', 'difference'] as const satisfies readonly AlertKind[]
type Detailed = (typeof DETAILED)[number]

const INCIDENT = ['chain', 'follow “Incidents of the chain” in docs/runbook.md'] as const

/** Area and fix of each other alert. */
const ALERTS: Readonly<Record<Exclude<AlertKind, Detailed>, readonly [area: string, fix: string]>> = {
  ledger: ['ledger', 'follow “Automatic stops” in docs/runbook.md'],
  'audit-log': ['audit log', 'follow “The audit log” in docs/operations.md'],
  balance: ['balance sheet', '`tizara staff fund-reward-pool asset=usd amount=AMOUNT source=operator into=sales reason=TEXT`'],
  halt: ['rewards', '`tizara rewards --day DAY --dry-run`'],
  invoices: ['provider', 'check the log of the worker'],
  webhook: ['webhooks', 'follow “Find out why a webhook did not arrive” in docs/webhooks.md, then switch it on in the console'],
  reorganised: INCIDENT,
  spent: INCIDENT,
  unread: INCIDENT,
  lost: INCIDENT,
  unclaimed: INCIDENT,
  views: ['staff', 'ask the person; suspend the account under Staff and roles if the views were not theirs'],
  cases: ['staff', 'open Cases in the console'],
}

const isKind = (kind: string): kind is Exclude<AlertKind, Detailed> => Object.hasOwn(ALERTS, kind)

/** Reports the alerts that the overview and the bar of the console show, with the same words and the same start. */
export async function alertFindings(db: Db, now: Date): Promise<Finding[]> {
  return (await alertsSince(db, now)).flatMap(({ name, level, text, since }) => {
    const kind = name.split(':')[0] ?? ''
    if (!isKind(kind)) return []
    const [area, fix] = ALERTS[kind]
    const { warning, bad } = findingsFor(area)
    return [(level === 'red' ? bad : warning)(text, fix, { ...wordsOfAlert(name), since })]
  })
}
