import * as v from 'valibot'
import { amount, coinInput, echoed, line, moment } from './fields.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { person, reason } from './staff.ts'

/**
 * Rules that decide payouts without a person. Two people approve a set of rules (`staff-changes.ts`). The first rule that matches a
 * payout decides; a payout without a match waits for staff.
 */

const whole = (min: number, max: number) =>
  v.pipe(
    v.number('This field is required'),
    v.integer('Must be a whole number'),
    v.minValue(min, `Must be at least ${min}`),
    v.maxValue(max, `Must be at most ${max}`),
  )
/** Name of a rule, and its payouts: USD withdrawals or bridges of coin. */
const named = { name: line(60), kind: v.picklist(['withdrawal', 'bridge'], 'Invalid kind') }

/** Days for which a device counts as new. A payout is not approved automatically meanwhile. */
export const NEW_DEVICE_DAYS = 7
const MAX_RULES = 20

/**
 * A rule. Sums are units of the payout's asset, fees included.
 * - `approve`: pays at most `atMost` to an address of the member's address book, if the account is `accountDays` old and has no warning.
 *   The ceilings count per UTC day: all payouts of the rule, and all automatic payouts of one member and to one address.
 * - `hold`: payouts above a sum by a member with a device newer than `newDeviceDays` take two people.
 * - `queue`: payouts above a sum wait for staff in a queue with the rule's name.
 */
const payoutRule = v.variant('action', [
  v.strictObject({
    action: v.literal('approve'),
    ...named,
    atMost: coinInput,
    accountDays: whole(3, 3650),
    dayCount: whole(1, 100_000),
    daySum: coinInput,
    memberDayCount: whole(1, 100),
    memberDaySum: coinInput,
  }),
  v.strictObject({ action: v.literal('hold'), ...named, above: echoed, newDeviceDays: whole(1, 90) }),
  v.strictObject({ action: v.literal('queue'), ...named, above: coinInput }),
])
export type PayoutRule = v.InferOutput<typeof payoutRule>
export type ApproveRule = Extract<PayoutRule, { action: 'approve' }>

/** Returns the earlier rule that takes every payout of a later one; undefined if the later rule can match. */
const coveringRule = (later: PayoutRule, earlier: readonly PayoutRule[]): PayoutRule | undefined =>
  earlier.find((one) => {
    if (one.kind !== later.kind) return false
    if (one.action === 'queue') return later.action !== 'approve' && later.above >= one.above
    if (one.action === 'hold') return later.action === 'hold' && later.above >= one.above && later.newDeviceDays <= one.newDeviceDays
    return later.action === 'approve' && later.atMost <= one.atMost && later.accountDays >= one.accountDays
  })

/** Returns what is contradictory in a rule after the rules before it; undefined if nothing is. */
function faultOf(rule: PayoutRule, earlier: readonly PayoutRule[]): string | undefined {
  if (earlier.some(({ name }) => name === rule.name)) return `Two rules have the name “${rule.name}”`
  const cover = coveringRule(rule, earlier)
  if (cover !== undefined) return `“${rule.name}” never matches, because “${cover.name}” above it matches the same payouts`
  if (rule.action === 'hold') {
    const paid = earlier.find((one) => one.action === 'approve' && one.kind === rule.kind && one.atMost > rule.above)
    return paid === undefined ? undefined : `“${paid.name}” approves payouts that “${rule.name}” holds: put “${rule.name}” above it`
  }
  if (rule.action === 'queue') return undefined
  if (rule.atMost > rule.memberDaySum) return `“${rule.name}” approves more at once than for one member in a day`
  if (rule.memberDaySum > rule.daySum || rule.memberDayCount > rule.dayCount)
    return `“${rule.name}” approves more for one member than for all members in a day`
  return undefined
}

/** A complete set of rules, in order; none switches them off. Contradictory sets are rejected with the names of the rules. */
export const payoutRulesValue = v.strictObject({
  rules: v.pipe(
    v.array(payoutRule),
    v.maxLength(MAX_RULES, `At most ${MAX_RULES} rules`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const fault = dataset.value.map((rule, index) => faultOf(rule, dataset.value.slice(0, index))).find((text) => text !== undefined)
      if (fault !== undefined) addIssue({ message: fault })
    }),
  ),
})

export const staffPayoutRules = staffRead({
  name: 'staffPayoutRules',
  role: 'all',
  path: '/staff/payout-rules',
  summary: "Returns the rules that decide payouts automatically, and how much of today's ceilings is used.",
  reply: v.object({
    /** Version in force; 0 before the first. */
    version: v.number(),
    /** Rules in force; empty if they are off. */
    rules: v.array(payoutRule),
    /** Reason why the latest rules do not apply: none were approved, one person stopped them, the database was restored, or altered. */
    offWhy: v.optional(v.picklist(['NONE', 'STOPPED', 'RESTORED', 'FORGED'])),
    /** The latest approved rules if they are off, to propose them again. */
    rulesBeforeOff: v.array(payoutRule),
    /** Start of this state, and the person who approved or stopped the rules. */
    since: v.nullable(moment),
    by: v.optional(person),
    reason: v.optional(v.string()),
    /** Approved versions that start later. */
    planned: v.array(v.object({ version: v.number(), startsAt: moment, rules: v.array(payoutRule) })),
    /** Use of each rule since the start of the UTC day, and the payouts that wait under the rule's name. */
    today: v.array(v.object({ name: v.string(), approved: v.number(), sum: amount, waiting: v.number() })),
  }),
})

export const stopPayoutRules = staffAct({
  name: 'stopPayoutRules',
  role: 'money',
  path: '/staff/payout-rules/stop',
  summary:
    'Switches all rules off at once, planned ones included. Payouts then wait for staff. Two people switch rules on again, with a proposal.',
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['ALREADY_DECIDED'],
})
