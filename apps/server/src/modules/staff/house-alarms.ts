import { sql } from 'kysely'
import { jobStates } from '../../jobs/job-states.queries.ts'
import { houseBalances } from '../../ledger/index.ts'
import type { Db } from '../../platform/database.ts'
import { haltedSince } from '../rewards/index.ts'
import { sumsOf } from './reserves.rules.ts'

/** Something that is wrong with the house at the moment. */
export interface Alarm {
  /** One name for each thing that can be wrong; a job's stands behind a colon. */
  name: string
  level: 'amber' | 'red'
  text: string
  /** Whether everything that pays, credits or runs is stopped for it. */
  stops: boolean
}

/** What each kind means for members, and where staff look. */
const MEANINGS: Readonly<Record<string, { meaning: string; href?: string }>> = {
  ledger: { meaning: 'Payouts, credits and runs are stopped. Members still ask for payouts, which wait.', href: '/staff/ledger' },
  chain: { meaning: 'Payouts, credits and runs are stopped. Members still ask for payouts, which wait.', href: '/staff/audit' },
  reserves: { meaning: 'Payouts, credits and runs are stopped. Members still ask for payouts, which wait.', href: '/staff' },
  halt: { meaning: 'Members get no daily rewards until that day is paid by hand.', href: '/staff/rewards' },
  job: { meaning: 'It is tried again by itself; what depends on it is late for members.', href: '/staff' },
}

export const alarmOf = (name: string) => MEANINGS[name.split(':')[0] ?? ''] ?? { meaning: '' }

/** A job that failed once is tried again; one that fails so often is told of. */
const FAILURES = 3

/** A command that looks at the whole, and what it found when it last ran. */
const CHECKS = [
  { command: 'ledger-check', name: 'ledger', text: 'The ledger does not add up' },
  { command: 'audit', name: 'ledger', text: 'The ledger audit found differences' },
  { command: 'audit-chain', name: 'chain', text: 'The chain of the audit log is broken' },
] as const

/** Everything that is wrong now: from figures that are kept anyway, so that asking often costs little. */
export async function houseAlarms(db: Db): Promise<Alarm[]> {
  const [houses, jobs, halted, checks] = await Promise.all([
    houseBalances(db),
    jobStates(db),
    haltedSince(db),
    sql<{ name: string; detail: string }>`select name, detail from command_run where not good`.execute(db),
  ])
  const alarms: Alarm[] = []
  for (const { command, name, text } of CHECKS) {
    const found = checks.rows.find((row) => row.name === command)
    if (found !== undefined && !alarms.some((one) => one.name === name))
      alarms.push({ name, level: 'red', text: `${text}: ${found.detail}`, stops: true })
  }
  for (const { asset, reserves, liabilities } of sumsOf(houses))
    if (reserves < liabilities)
      alarms.push({
        name: `reserves:${asset}`,
        level: 'red',
        text: `Reserves in ${asset === 'usd' ? 'USD' : 'coin'} are below what is owed`,
        stops: true,
      })
  if (halted !== null) alarms.push({ name: 'halt', level: 'red', text: `Rewards wait since ${halted}`, stops: false })
  for (const job of jobs)
    if (job.tries >= FAILURES) alarms.push({ name: `job:${job.name}`, level: 'amber', text: `The job ${job.name} fails`, stops: false })
  return alarms
}
