import { type PayoutRule, payoutRulesValue } from '@tizara/contract/staff-payout-rules'
import { formatUnits } from '@tizara/money'
import * as v from 'valibot'
import type { FormField } from '../catalogue/offers.ts'

export type RuleAction = PayoutRule['action']

export const ACTIONS = { approve: 'Approve', hold: 'Hold for two people', queue: 'Send to a queue' } as const

const KINDS = [
  ['withdrawal', 'USD payouts'],
  ['bridge', 'Bridges'],
] as const
const whole = (key: string, label: string, unit?: string): FormField => ({ key, label, kind: 'whole', ...(unit && { unit }) })
const figure = (key: string, label: string): FormField => ({ key, label, kind: 'figure' })
const named = (label: string): FormField[] => [
  { key: 'name', label, kind: 'text' },
  { key: 'kind', label: 'Payouts', kind: KINDS },
]

/** Fields of each kind of rule. */
export const RULE_FIELDS: Readonly<Record<RuleAction, readonly FormField[]>> = {
  approve: [
    ...named('Name'),
    figure('atMost', 'Up to'),
    whole('accountDays', 'Account at least', 'days old'),
    whole('dayCount', 'Payouts a day'),
    figure('daySum', 'Sum a day'),
    whole('memberDayCount', 'Payouts a day, one member or address'),
    figure('memberDaySum', 'Sum a day, one member or address'),
  ],
  hold: [...named('Name'), figure('above', 'Above'), whole('newDeviceDays', 'Device newer than', 'days')],
  queue: [...named('Name of the queue'), figure('above', 'Above')],
}

/** Values of a rule as form text. */
export const textsOf = (rule: PayoutRule | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rule ?? { kind: 'withdrawal' }).map(([key, value]) => [
      key,
      typeof value === 'bigint' ? formatUnits(value) : String(value),
    ]),
  )

/** Reads a rule from form text. Returns the rule, or the label of the first wrong field with the reason. */
export function readRule(action: RuleAction, texts: Readonly<Record<string, string>>): PayoutRule | string {
  const fields = RULE_FIELDS[action]
  const typed = fields.map(({ key, kind }) => {
    const text = (texts[key] ?? '').trim()
    return [key, kind === 'whole' && text !== '' ? Number(text) : text]
  })
  const read = v.safeParse(payoutRulesValue, { rules: [{ action, ...Object.fromEntries(typed) }] })
  if (read.success && read.output.rules[0] !== undefined) return read.output.rules[0]
  const issue = read.issues?.[0]
  const key = issue === undefined ? undefined : v.getDotPath(issue)?.split('.').at(-1)
  const label = fields.find((field) => field.key === key)?.label
  return `${label === undefined ? '' : `${label}: `}${issue?.message ?? 'Invalid'}`
}

/** Returns the first contradiction of a set of rules. */
export function faultOfRules(rules: readonly PayoutRule[]): string | undefined {
  const json = rules.map((rule) =>
    Object.fromEntries(Object.entries(rule).map(([key, value]) => [key, typeof value === 'bigint' ? formatUnits(value) : value])),
  )
  const read = v.safeParse(payoutRulesValue, { rules: json })
  return read.success ? undefined : read.issues[0].message
}
