import type { PlantedFault } from './planted-fault.ts'

const REQUESTS = 'apps/server/src/modules/staff/requests'
const FACTS = 'apps/server/src/modules/staff/proposals/shared/payout-facts.queries.ts'
const PAYOUTS = 'apps/server/src/modules/withdrawals'

/** Faults of the payout rules that their search must find. */
export const payoutRuleFaults: readonly PlantedFault[] = [
  {
    name: 'a linked account approves the rules of its other account',
    file: 'apps/server/src/modules/staff/proposals/decide-proposal.ts',
    before: 'await assertNoConflictOfInterest(tx, [actor.memberId], [row.proposed_by])\n  await assertCoolingOffOver',
    after: 'if (actor.memberId === row.proposed_by) throw new AppError("FOUR_EYES")\n  await assertCoolingOffOver',
  },
  {
    name: 'many accounts with one address have a ceiling each',
    file: `${PAYOUTS}/rules/decide-by-rule.ts`,
    before: 'subject: `${request.kind} ${request.address.toLowerCase()}`',
    after: 'subject: `${request.kind} ${request.memberId} ${request.address.toLowerCase()}`',
  },
  {
    name: 'a link that one person cleared does not count',
    file: FACTS,
    before: 'and t.first_seen_at <= ${at})',
    after: "and t.first_seen_at <= ${at} and t.verdict is distinct from 'harmless')",
  },
  {
    name: 'rules and single people have a solo limit each',
    file: `${REQUESTS}/apply-payout-rules.ts`,
    before: 'needsTwo: (about) => Promise.resolve(exceeds(about))',
    after: 'needsTwo: (about) => Promise.resolve(exceeds({ ...about, amount: 0n }))',
  },
  {
    name: 'a running job pays by rules that were stopped meanwhile',
    file: `${REQUESTS}/apply-payout-rules.ts`,
    before: 'const { version, rules } = await payoutRulesAt(tx, deps, now)',
    after: 'const [version, rules] = [before, known]',
  },
  {
    name: 'one person approves a held payout',
    file: `${PAYOUTS}/decisions/decide-payout.ts`,
    before: "const two = exceedsLimit || request.rule_outcome === 'HELD'",
    after: 'const two = exceedsLimit',
  },
  {
    name: 'a rule is the second approval after one person',
    file: `${PAYOUTS}/decisions/decide-payout.ts`,
    before: '? rule === undefined || request.first_approved_by !== null',
    after: '? rule === undefined',
  },
]
