import type { PayoutRule } from '@tizara/contract/staff-payout-rules'
import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import { pauseReason } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { lockMember, staffMembers } from '../../members/index.ts'
import {
  approveByRule,
  lockUncheckedPayout,
  nextUncheckedPayout,
  payoutRulesAt,
  queuedPayout,
  recordRuleCheck,
  type UncheckedPayout,
} from '../../withdrawals/index.ts'
import { exceedsSoloLimit, queueForDecision } from '../duties/approval-limits.ts'
import { linkedTo } from '../duties/linked-accounts.ts'
import { matchPayoutRule } from '../proposals/shared/match-payout-rule.rules.ts'
import { payoutFacts } from '../proposals/shared/payout-facts.queries.ts'
import { payoutRequest } from './queue-item.ts'
import { signsOf } from './queue-signs.ts'
import { loadContext } from './queues.queries.ts'

const NOTHING: Batch = { done: 0, more: false }
const ACTIONS = { approve: 'approve-by-rule', hold: 'hold-by-rule', queue: 'queue-by-rule' } as const

/**
 * Applies the payout rules in force to the confirmed requests that they have not checked, one in each transaction.
 * See docs/decisions/0057-payout-rules.md.
 * @returns the number of checked requests
 */
export const applyPayoutRules = (lease: Lease, deps: Deps): Promise<number> => lease.untilDone((tx) => applyToNext(tx, deps))

/** Applies the rules to the next request. Takes the locks of a decision by staff, and then reads the rules, so that a stop takes effect. */
async function applyToNext(tx: Tx, liveDeps: Deps): Promise<Batch> {
  const { version: before, rules: known } = await payoutRulesAt(tx, liveDeps, liveDeps.clock.now())
  const next = known.length === 0 ? undefined : await nextUncheckedPayout(tx, before)
  if (next === undefined) return NOTHING
  await queueForDecision(tx)
  // Reads the time after the lock, so that rules that changed meanwhile have started.
  const deps = withFrozenClock(liveDeps)
  const now = deps.clock.now()
  const { version, rules } = await payoutRulesAt(tx, deps, now)
  if (version !== before || rules.length === 0 || (await pauseReason(tx)) !== undefined) return NOTHING
  await lockMember(tx, next.memberId)
  if (!(await lockUncheckedPayout(tx, next))) return { done: 0, more: true }
  const [facts] = await payoutFacts(tx, deps.config, { which: sql`p.id = ${next.id}`, at: sql`${now}::timestamptz`, max: 1 })
  const rule = facts && matchPayoutRule(rules, facts)
  const outcome = rule === undefined ? 'refused' : await apply(tx, deps, next, { version, rule })
  if (outcome !== 'approved')
    await recordRuleCheck(tx, next, {
      version,
      rule: rule === undefined || outcome === 'refused' ? undefined : { name: rule.name, outcome },
    })
  if (rule !== undefined && (outcome === 'approved' || outcome === 'HELD' || outcome === 'QUEUED'))
    await audit(tx, now, next, { version, rule })
  return { done: 1, more: true }
}

/** Approves a request if its rule does so. Returns `refused` if the request waits for staff without an outcome. */
async function apply(tx: Tx, deps: Deps, request: UncheckedPayout, { version, rule }: { version: number; rule: PayoutRule }) {
  if (rule.action !== 'approve') return rule.action === 'hold' ? 'HELD' : 'QUEUED'
  const now = deps.clock.now()
  const queued = await queuedPayout(tx, request.publicId)
  if (queued === undefined) return 'refused'
  const row = payoutRequest(queued)
  // A warning that staff would see always leaves the decision to them.
  if (signsOf(row, await loadContext(tx, now, [row])).length > 0) return 'refused'
  const staff = (await staffMembers(tx)).map(({ id }) => id)
  if (staff.includes(request.memberId) || (await linkedTo(tx, request.memberId, staff)).size > 0) return 'refused'
  const exceeds = await exceedsSoloLimit(tx, now, null, [request.memberId])
  return approveByRule(tx, deps, request, { version, rule, needsTwo: (about) => Promise.resolve(exceeds(about)) })
}

/** Records an automatic decision under the rule and its version [I17]. Call it last in the transaction. */
function audit(
  tx: Tx,
  at: Date,
  { kind, publicId }: UncheckedPayout,
  { version, rule }: { version: number; rule: PayoutRule },
): Promise<void> {
  return recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: `staff.request.${ACTIONS[rule.action]}`,
    subject: { type: kind === 'bridge' ? 'bridges' : 'withdrawals', id: publicId },
    reason: rule.name,
    outcome: 'ok',
    detail: { rule: rule.name, version },
  })
}
