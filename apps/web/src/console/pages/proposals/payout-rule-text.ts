import { NEW_DEVICE_DAYS, type PayoutRule, payoutRulesValue } from '@tizara/contract/staff-payout-rules'
import * as v from 'valibot'
import { formatAmount } from '../../../ui/money-format.ts'

const KINDS = { withdrawal: 'USD payouts', bridge: 'bridges' } as const
const counted = (count: number) => (count === 1 ? '1 payout' : `${count} payouts`)

/** Describes a rule in full sentences. Amounts are in USD or coin. */
export function describePayoutRule(rule: PayoutRule): string {
  const unit = rule.kind === 'bridge' ? 'coin' : 'USD'
  const money = (units: bigint) => `${formatAmount(units)} ${unit}`
  const kind = KINDS[rule.kind]
  if (rule.action === 'queue') return `Puts ${kind} above ${money(rule.above)} into this queue for staff.`
  if (rule.action === 'hold')
    return `Holds ${kind} above ${money(rule.above)} by members with a device newer than ${rule.newDeviceDays} days, for two people.`
  return (
    `Approves ${kind} up to ${money(rule.atMost)} to an address of the address book that was paid before. ` +
    `The account is ${rule.accountDays} days old, has no warning and no device newer than ${NEW_DEVICE_DAYS} days. ` +
    `In a day at most ${counted(rule.dayCount)} and ${money(rule.daySum)}; ` +
    `for one member or address ${counted(rule.memberDayCount)} and ${money(rule.memberDaySum)}.`
  )
}

const rulesIn = (value: unknown): PayoutRule[] => {
  const read = v.safeParse(payoutRulesValue, value)
  return read.success ? read.output.rules : []
}

/** Lists the rules of a proposal in their order, and the rules that it removes. */
export function diffOfPayoutRules(before: unknown, value: unknown) {
  const [old, next] = [rulesIn(before), rulesIn(value)]
  const place = (rules: readonly PayoutRule[], name: string) => {
    const index = rules.findIndex((rule) => rule.name === name)
    const rule = rules[index]
    return rule && `${index + 1}. ${describePayoutRule(rule)}`
  }
  const names = [...new Set([...next, ...old].map(({ name }) => name))]
  return names.map((name) => {
    const [was, becomes] = [place(old, name), place(next, name)]
    return { label: name, before: was, after: becomes ?? 'removed', same: was === becomes }
  })
}
