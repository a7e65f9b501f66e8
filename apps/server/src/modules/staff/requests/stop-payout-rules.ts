import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { payoutRulesAt, plannedPayoutRules, RULES_SUBJECT, rulesOf, setPayoutRules, STOP_RULES } from '../../withdrawals/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { auditExpired, proposalSubject } from '../duties/approval-audit-match.ts'
import { queueForDecision } from '../duties/approval-limits.ts'
import { lockApprovals, OTHER_BASELINE, reschedule } from '../proposals/reschedule.ts'

/**
 * Switches all payout rules off at once, planned ones included. One person may do so, because payouts then wait for staff. No rule approves
 * a payout after this transaction. Open proposals of rules expire.
 * @throws AppError STAFF_ONLY, ALREADY_DECIDED if no rules are in force or planned
 */
export async function stopPayoutRules(tx: Tx, liveDeps: Deps, actor: StaffActor, reason: string): Promise<void> {
  await lockApprovals(tx)
  await queueForDecision(tx)
  // Reads the time after the locks, so that the stop is later than any rules approved meanwhile.
  const deps = withFrozenClock(liveDeps)
  const now = deps.clock.now()
  await assertStaff(tx, deps, actor, 'stopPayoutRules')
  const { rules } = await payoutRulesAt(tx, deps, now)
  const hasPlanned = (await plannedPayoutRules(tx, now)).some((row) => rulesOf(row).length > 0)
  if (rules.length === 0 && !hasPlanned) throw new AppError('ALREADY_DECIDED')
  await setPayoutRules(tx, deps, { rules: [], actorId: actor.memberId, reason })
  const expired = await reschedule(tx, deps, { name: 'payout-rules', id: '' })
  await auditExpired(tx, deps, expired.map(proposalSubject), OTHER_BASELINE)
  await auditStaff(tx, deps, actor, { action: STOP_RULES, subject: RULES_SUBJECT, reason, detail: { rules: rules.length } })
}
