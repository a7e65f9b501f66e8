import { formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import {
  type ChainIncident,
  chainIncidents,
  rejectedTokens,
  confirmedDifferences,
  tokenSweepDelays,
} from '../../../gateways/chain/index.ts'
import { jobStates } from '../../../jobs/job-states.queries.ts'
import { balanceSheetOf, systemBalances } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { creditsOf, type GoneCredit, invoiceProblems } from '../../deposits/index.ts'
import { haltedSince } from '../../rewards/index.ts'
import { brokenEndpoints } from '../../webhooks/index.ts'
import { sendingHealth } from '../../withdrawals/index.ts'
import { reachedLimits } from '../access/personal-views.ts'
import { hasOverdueCase } from '../members/remind-case-owners.ts'

export interface Alert {
  /** The fault's unique name. For a job, a colon precedes the job name. */
  name: string
  level: 'amber' | 'red'
  text: string
  /** True if the incident starts an emergency pause. */
  stops: boolean
  /** True if admins also get a mail for an incident of level amber. */
  mailed?: boolean
}

/** Each fault's meaning for members, and the console page with the details. */
const MEANINGS = {
  ledger: { meaning: 'Payouts, credits and runs are paused. Members can still request payouts, which wait.', href: '/staff/ledger' },
  'audit-log': { meaning: 'Payouts, credits and runs are paused. Members can still request payouts, which wait.', href: '/staff/audit' },
  balance: {
    meaning: 'Nothing is paused. The operator owes this amount: two people must add external money to the sales fund.',
    href: '/staff/rewards',
  },
  halt: { meaning: 'Members get no daily rewards until staff pay that day.', href: '/staff/rewards' },
  reorganised: {
    meaning: 'Payouts, credits and runs are paused until the credits of the reverted payments are found.',
    href: '/staff/deposits?for=decided',
  },
  spent: {
    meaning: 'Payouts, credits and runs are paused until it is known who has the key of the hot wallet.',
    href: '/staff/payouts?for=decided',
  },
  unread: {
    meaning: 'Payouts, credits and runs are paused. No payment on the chain is credited until the chain is read again.',
    href: '/staff/health',
  },
  lost: {
    meaning:
      'Payouts, credits and runs are paused. Lift the pause first: the worker then sends the same transactions again, and nothing else. When an explorer shows them, propose an answer.',
    href: '/staff/payouts?for=decided',
  },
  unclaimed: {
    meaning: 'A member may be waiting for a credit: compare the transaction with the details of the member. Two people then answer.',
    href: '/staff/deposits',
  },
  difference: {
    meaning: 'A payment may be missing, credited twice or stolen. Compare the listed rows with the chain before the next payout.',
    href: '/staff/health',
  },
  invoices: { meaning: 'Members are waiting for a credit. The worker retries each minute.', href: '/staff/deposits' },
  sending: { meaning: 'Members are waiting for approved payouts.', href: '/staff/payouts?for=decided' },
  sweeping: { meaning: 'Tokens stay at invoice addresses, and the hot wallet may run out of money for payouts.', href: '/staff/health' },
  token: {
    meaning: 'Members get no invoice in this token. Its payments are credited only when two people approve them: compare each balance.',
    href: '/staff/health',
  },
  ceiling: {
    meaning: 'Nothing is paused. A thief with the key of the hot wallet could take this amount: two people should move the surplus.',
    href: '/staff/hot-wallet',
  },
  backup: {
    meaning: 'If the disk fails, everything since the last backup is lost. Check the free space and the service tizara-nightly.',
    href: '/staff/health',
  },
  views: {
    meaning:
      'The person views no new personal data until an hour has passed or an admin allows more. If it was not the person, suspend the account.',
    href: '/staff/roles',
  },
  cases: {
    meaning: 'A payout may be held longer than needed, or a suspicious account stays open. The owners got a mail.',
    href: '/staff/cases',
  },
  webhook: {
    meaning: 'Other software of the operator gets no events. They wait for up to 30 days. Two admins switch an endpoint on again.',
    href: '/staff/webhooks',
  },
  job: { meaning: 'It is retried automatically. Results that depend on it are late for members.', href: '/staff' },
} satisfies Readonly<Record<string, { meaning: string; href: string }>>

/** Kind of an alert: its name before the colon. */
export type AlertKind = keyof typeof MEANINGS

/** Name prefixes for chain incidents that need two answers. The incident id follows the colon. */
const ANSWERED: readonly string[] = ['reorganised', 'spent', 'unread', 'lost', 'unclaimed']

/** Returns the chain incident that two people must answer before the alert ends. */
export function answeredBy(name: string): string | undefined {
  const [kind = '', id] = name.split(':')
  return ANSWERED.includes(kind) ? id : undefined
}

/** Returns what an alert means for members, and the console page of the alert, for the overview, the mail and the health check. */
export const alertMeaning = (name: string): { meaning: string; href?: string } =>
  (MEANINGS as Readonly<Record<string, { meaning: string; href: string }>>)[name.split(':')[0] ?? ''] ?? { meaning: '' }

/** Failures before a job raises an alert. The worker retries earlier failures. */
const FAILURES = 3

/** Platform-wide checks, and the alert for a failed last run. */
const CHECKS = [
  { command: 'ledger-check', name: 'ledger', text: 'The ledger balances do not add up to 0' },
  { command: 'audit', name: 'ledger', text: 'The ledger audit found differences' },
  { command: 'audit-heads', name: 'audit-log', text: 'The audit log does not match its hash outside the database' },
  { command: 'audit-chain', name: 'audit-log', text: 'The hash chain of the audit log is broken' },
] as const

/** Lists chain incidents. An incident stays open until two people have answered it. */
async function chainAlerts(db: Db): Promise<Alert[]> {
  const alerts: Alert[] = []
  for (const incident of await chainIncidents(db)) alerts.push(chainAlert(incident, await creditsOf(db, incident.transfers)))
  return alerts
}

/** Builds a chain alert with the affected credits: each deposit, and its reversible ledger transfer. */
function chainAlert({ id, kind, fromBlock, transfers }: ChainIncident, credited: readonly GoneCredit[]): Alert {
  const count = transfers.length
  switch (kind) {
    case 'FINAL_GONE': {
      const list = credited.map(
        (one) =>
          `${formatUnits(one.amount)} ${one.asset === 'USD' ? 'USD' : 'coin'} of deposit ${one.deposit} (transfer ${one.transferId})`,
      )
      const reverted = `${count === 1 ? '1 final payment is' : `${count} final payments are`} reverted on the chain, from block ${fromBlock} on`
      return {
        name: `reorganised:${id}`,
        level: 'red',
        text: list.length === 0 ? reverted : `${reverted}; these were credited: ${list.join(', ')}`,
        stops: true,
      }
    }
    case 'WALLET_SPENT':
      return { name: `spent:${id}`, level: 'red', text: `Money left a hot wallet without a payout: ${transfers.join(', ')}`, stops: true }
    case 'PAYOUT_GONE':
      return {
        name: `lost:${id}`,
        level: 'red',
        text: `Completed payouts were reverted on the chain: ${transfers.join(', ')}`,
        stops: true,
      }
    case 'SWEEP_GONE':
      return {
        name: `lost:${id}`,
        level: 'red',
        text: `Completed token sweeps were reverted on the chain: ${transfers.join(', ')}`,
        stops: true,
      }
    case 'UNCLAIMED':
      return {
        name: `unclaimed:${id}`,
        level: 'amber',
        text: `Payments to addresses without an invoice, possible after a restore: ${transfers.join(', ')}`,
        stops: false,
      }
    case 'TOO_DEEP':
      return {
        name: `unread:${id}`,
        level: 'red',
        text: `The chain differs from the stored blocks before block ${fromBlock}`,
        stops: true,
      }
  }
}

/** Native coin at an address raises no alert, because any sender can cause it. */
async function differenceAlerts(db: Db): Promise<Alert[]> {
  const count = (await confirmedDifferences(db)).filter(({ kind }) => kind !== 'NATIVE').length
  if (count === 0) return []
  const text = `Two comparisons in a row found that chain and ledger differ: ${count === 10 ? 'at least 10' : count} ${count === 1 ? 'row' : 'rows'}`
  return [{ name: 'difference', level: 'amber', text, stops: false, mailed: true }]
}

async function invoiceAlerts(db: Db): Promise<Alert[]> {
  const found = await invoiceProblems(db)
  if (found === undefined) return []
  const text = `${found.count === 1 ? '1 invoice' : `${found.count} invoices`} cannot be settled: ${found.problem}`
  return [{ name: 'invoices', level: 'amber', text, stops: false }]
}

async function sendingAlerts(db: Db): Promise<Alert[]> {
  const { problems } = await sendingHealth(db)
  const count = problems.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return []
  const text = `${count === 1 ? '1 payout is' : `${count} payouts are`} stuck: ${problems[0]?.problem}`
  return [{ name: 'sending', level: 'amber', text, stops: false }]
}

async function sweepAlerts(db: Db, now: Date): Promise<Alert[]> {
  const delays = await tokenSweepDelays(db, now)
  const count = delays.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return []
  const text = `${count === 1 ? '1 token sweep is' : `${count} token sweeps are`} delayed for more than an hour: ${delays[0]?.problem}`
  return [{ name: 'sweeping', level: 'amber', text, stops: false, mailed: true }]
}

/** Time in ms above the ceiling before an alert. The hourly comparison reads the balance. */
const ABOVE_CEILING_MS = 3_600_000

async function ceilingAlerts(db: Db, now: Date): Promise<Alert[]> {
  const { rows } = await sql<{ wallet: string; token: string; percent: number }>`
    select wallet, token, floor(least(100 * balance / greatest(ceiling, 1), 1000000))::int as percent from chain_reserve
    where above_since <= ${new Date(now.getTime() - ABOVE_CEILING_MS)} order by wallet, token limit 20`.execute(db)
  return rows.map(({ wallet, token, percent }) => ({
    name: `ceiling:${wallet} ${token}`,
    level: 'amber',
    text: `The hot wallet ${wallet} has held more of the token ${token} than its ceiling for an hour: ${percent} % of it`,
    stops: false,
    mailed: true,
  }))
}

async function tokenAlerts(db: Db): Promise<Alert[]> {
  return [...(await rejectedTokens(db))].map(([token, problem]) => ({
    name: `token:${token}`,
    level: 'red',
    text: `A deposit token proves no payment: ${problem}`,
    stops: false,
  }))
}

/** The last backup's age in hours before an alert. Backups run nightly, so this means two missed nights. */
const BACKUP_HOURS = 50

async function backupAlerts(db: Db): Promise<Alert[]> {
  const { rows } = await sql<{ succeeded: boolean; hours: number; detail: string }>`
    select succeeded, (extract(epoch from clock_timestamp() - finished_at) / 3600)::int as hours, detail from command_last_run where name = 'backup'`.execute(
    db,
  )
  const last = rows[0]
  if (last === undefined || (last.succeeded && last.hours < BACKUP_HOURS)) return []
  const text = last.succeeded ? `The last backup is ${last.hours} hours old` : `The last backup failed: ${last.detail}`
  return [{ name: 'backup', level: 'amber', text, stops: false, mailed: true }]
}

/** The text has the public id and no address, because API keys of the operator read it with the health. */
async function viewAlerts(db: Db, now: Date): Promise<Alert[]> {
  return (await reachedLimits(db, now)).map(({ publicId }) => ({
    name: `views:${publicId}`,
    level: 'amber',
    text: `The staff member ${publicId} reached the hourly limit for personal data`,
    stops: false,
    mailed: true,
  }))
}

async function caseAlerts(db: Db, now: Date): Promise<Alert[]> {
  return (await hasOverdueCase(db, now)) ? [{ name: 'cases', level: 'amber', text: 'Cases about members are overdue', stops: false }] : []
}

/** Why the platform has switched an endpoint of webhooks off. */
const OFF_TEXTS: Readonly<Record<string, string>> = {
  FAILING: 'it accepted nothing for five days',
  RESTORED: 'the database was restored',
  FORGED: 'its address or secret was changed outside the application',
}

/** Endpoints that are switched off and those that fail have different names, because their incidents have different texts. */
async function webhookAlerts(db: Db, now: Date): Promise<Alert[]> {
  return (await brokenEndpoints(db, now)).map(({ publicId, name, offReason, fault }) => ({
    name: offReason === null ? `webhook:${publicId}` : `webhook:${publicId} off`,
    level: 'amber',
    text:
      offReason === null
        ? `Webhooks to “${name}” have failed for a day: ${fault ?? 'no response'}`
        : `Webhooks to “${name}” are switched off, because ${OFF_TEXTS[offReason] ?? offReason}`,
    stops: false,
    // The admins get another mail when an endpoint is switched off.
    mailed: offReason === null,
  }))
}

/** Lists all current alerts. Reads only stored values, so frequent calls are cheap. */
export async function platformAlerts(db: Db, now: Date): Promise<Alert[]> {
  const [systemAccounts, jobs, halted, checks, chain, sending, backup] = await Promise.all([
    systemBalances(db),
    jobStates(db),
    haltedSince(db),
    sql<{ name: string; detail: string }>`select name, detail from command_last_run where not succeeded`.execute(db),
    chainAlerts(db),
    Promise.all([
      sendingAlerts(db),
      differenceAlerts(db),
      invoiceAlerts(db),
      sweepAlerts(db, now),
      ceilingAlerts(db, now),
      tokenAlerts(db),
      viewAlerts(db, now),
      webhookAlerts(db, now),
      caseAlerts(db, now),
    ]).then((lists) => lists.flat()),
    backupAlerts(db),
  ])
  const alerts: Alert[] = []
  for (const { command, name, text } of CHECKS) {
    const found = checks.rows.find((row) => row.name === command)
    if (found !== undefined && !alerts.some((one) => one.name === name))
      alerts.push({ name, level: 'red', text: `${text}: ${found.detail}`, stops: true })
  }
  const { free } = balanceSheetOf(systemAccounts)
  if (free < 0n)
    alerts.push({ name: 'balance', level: 'red', text: `The balance sheet is below zero by ${formatUnits(-free)} USD`, stops: false })
  if (halted !== null) alerts.push({ name: 'halt', level: 'red', text: `Rewards of ${halted} and later wait`, stops: false })
  for (const job of jobs)
    if (job.failures >= FAILURES)
      alerts.push({
        name: `job:${job.name}`,
        level: 'amber',
        text: `The job ${job.name} fails: ${(job.error ?? '').split('\n')[0]?.slice(0, 200)}`,
        stops: false,
      })
  return [...alerts, ...chain, ...sending, ...backup]
}

/** Lists all current alerts with their start; null for an alert that the worker has not recorded yet. */
export async function alertsSince(db: Db, now: Date): Promise<(Alert & { since: Date | null })[]> {
  const alerts = await platformAlerts(db, now)
  const rows = await db.selectFrom('staff_incident').select(['name', 'since']).where('ended_at', 'is', null).execute()
  const started = new Map(rows.map(({ name, since }) => [name, since]))
  return alerts.map((alert) => ({ ...alert, since: started.get(alert.name) ?? null }))
}
