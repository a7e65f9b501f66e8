import type { ReplyOf } from '@tizara/contract'
import type { staffPayoutRules } from '@tizara/contract/staff-payout-rules'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { latestPayoutRules, payoutRulesAt, plannedPayoutRules, rulesOf, ruleUseToday } from '../../withdrawals/index.ts'
import { personOf } from '../access/person.ts'

/** Reads the payout rules in force and planned, and the use of today's ceilings. */
export async function readPayoutRules(db: Db, deps: Pick<Deps, 'clock' | 'config'>): Promise<ReplyOf<typeof staffPayoutRules>> {
  const now = deps.clock.now()
  const { version, rules, offWhy, row } = await payoutRulesAt(db, deps, now)
  const rulesBeforeOff = offWhy === undefined ? [] : await latestPayoutRules(db, now)
  const shown = rules.length > 0 ? rules : rulesBeforeOff
  const [planned, today, people] = await Promise.all([
    plannedPayoutRules(db, now),
    ruleUseToday(
      db,
      now,
      shown.map(({ name }) => name),
    ),
    membersById(
      db,
      [row?.created_by].filter((id) => id !== undefined && id !== null),
    ),
  ])
  const by = people.get(row?.created_by ?? 0n)
  return {
    version,
    rules: [...rules],
    ...(offWhy === undefined ? {} : { offWhy }),
    rulesBeforeOff,
    since: row?.starts_at ?? null,
    ...(by === undefined ? {} : { by: personOf(by) }),
    ...(row === undefined ? {} : { reason: row.reason }),
    planned: planned
      .map((one) => ({ version: one.version, startsAt: one.starts_at, rules: rulesOf(one) }))
      .filter((one) => one.rules.length > 0),
    today,
  }
}
