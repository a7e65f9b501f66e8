import { expect, it } from 'vitest'
import { fill, openGap } from './fill.ts'

it('fills the known placeholders of a saved reply, and keeps the others', () => {
  const text = 'Hello {firstName}, {amount} came back: {receipt}. {other}'
  expect(fill(text, { firstName: 'Grace' })).toBe('Hello Grace, {amount} came back: {receipt}. {other}')
  expect(openGap(fill(text, { firstName: 'Grace' }))).toBe('{amount}')
  expect(openGap(fill(text, { firstName: '$&', amount: '320.00 USD', receipt: 'Payout' }))).toBeUndefined()
  expect(fill('{firstName}', { firstName: '$& {amount}' })).toBe('$& {amount}')
})
