import { payoutRulesValue } from '@tizara/contract/staff-payout-rules'
import { assertWithinLimits, payoutRulesAt, schedulePayoutRules, setPayoutRules } from '../../../../withdrawals/index.ts'
import { queueForDecision } from '../../../duties/approval-limits.ts'
import { asJson } from '../../shared/as-json.ts'
import { dryRunPayoutRules } from '../../shared/payout-rule-dry-run.ts'
import { type Fields, noMembers, proposalKind } from '../../shared/proposal-kind.ts'

const countOf = (fields: Fields | null) => (Array.isArray(fields?.['rules']) ? fields['rules'].length : 0)

/** Sets the rules that decide payouts without a person. The rules are approved and compared as a whole. */
export const payoutRules = proposalKind({
  subject: 'payout-rules',
  value: payoutRulesValue,
  members: noMembers,
  current: async (db, deps, _, at) => asJson({ rules: (await payoutRulesAt(db, deps, at)).rules }),
  baseline: 'all-fields',
  assertAllowed: (tx, { clock }, { rules }) => assertWithinLimits(tx, clock.now(), rules),
  async apply(tx, deps, { rules }, { proposer, approverId, reason }) {
    await queueForDecision(tx)
    await setPayoutRules(tx, deps, { rules, actorId: approverId ?? proposer.memberId, reason })
    return {}
  },
  scheduling: {
    topic: 'payout-rules',
    schedule: (tx, deps, _, steps) =>
      schedulePayoutRules(
        tx,
        deps,
        steps.map(({ value: { rules }, startsAt, decidedBy, reason }) => ({ rules, startsAt, actorId: decidedBy, reason })),
      ),
  },
  // A cancelled proposal leaves the current rules in force, which may approve more.
  cancelNeedsTwo: (_, before) => countOf(before) > 0,
  title: (value, before) => `Payout rules: ${countOf(before)} → ${countOf(value)}`,
  effect: (db, { rules }, { keys, ...days }) => dryRunPayoutRules(db, keys, rules, days),
})
