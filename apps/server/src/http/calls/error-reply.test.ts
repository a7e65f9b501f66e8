import { payoutRulesValue } from '@tizara/contract/staff-payout-rules'
import { programmeValue, valuesValue } from '@tizara/contract/staff-values'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { invalidInput } from './error-reply.ts'

const HOSTILE = '<img src=x>'
const queue = { action: 'queue', kind: 'withdrawal', above: 100, name: HOSTILE }
const days = v.object({ days: v.pipe(v.number(), v.minValue(1, 'Too few')) })

it.each([
  ['a list of objects', payoutRulesValue, { rules: [queue, { ...queue, name: 'Large', above: 0 }] }, 'Rule 2, above: Invalid amount'],
  ['a missing field of an entry', payoutRulesValue, { rules: [{ ...queue, name: undefined }] }, 'Rule 1, name: This field is required'],
  [
    'a list within a proposal',
    v.object({ value: payoutRulesValue }),
    { value: { rules: [{ ...queue, above: 0 }] } },
    'Rule 1, above: Invalid amount',
  ],
  ['an unknown field of an entry', payoutRulesValue, { rules: [{ ...queue, [HOSTILE]: 1 }] }, 'Rule 1: Invalid value'],
  ['an entry of another type', payoutRulesValue, { rules: [HOSTILE] }, 'Rule 1: Invalid value'],
  ['ranks', programmeValue, { ranks: [{ rank: HOSTILE, teamStake: 0, bonus: 1 }] }, 'Rank 1, team stake: Invalid amount'],
  ['several values in one proposal', v.object({ value: valuesValue }), { value: { coinPrice: 0 } }, 'Coin price: Invalid amount'],
  ['an unknown field', payoutRulesValue, { rules: [], [HOSTILE]: 1 }, 'Invalid value'],
  ["one of the body's own fields", days, { days: 0 }, 'Too few'],
])('names the entry and the field in the message, without input, when the fault is in %s', (_, schema, input, message) => {
  const { issues = [] } = v.safeParse(schema, input)
  expect(invalidInput(issues).message).toBe(message)
})
