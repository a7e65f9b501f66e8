import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { amountError, formatError, readTyped } from './typed-amount.ts'

it.each([
  ['.5', 50_000_000n],
  ['5.', 5n * ONE],
  [' 12 ', 12n * ONE],
  ['1.50000000000', 150_000_000n],
])('parses %j', (text, units) => {
  expect(readTyped(text, 'usd')).toBe(units)
})

it.each(['', '.', 'abc', '-5', '+7', '1e5', '0x10', '١٢', '1.2.3'])('rejects %j as an amount', (text) => {
  expect(readTyped(text, 'coin')).toBeNull()
})

it('[CO-45] accepts 2 decimals of USD and 8 of coin', () => {
  expect(formatError('1.005', 'usd')).toBe('Enter digits and a dot, such as 12.5, with at most 2 decimals')
  expect(formatError('1.12345678', 'coin')).toBeUndefined()
  expect(formatError('1.123456789', 'coin')).toBe('Enter digits and a dot, such as 12.5, with at most 8 decimals')
})

it.each(['1,000.50', '1.000,50', '12 000', '0,5', '1’000'])('[CO-45] explains the format for %j, and never guesses', (text) => {
  expect(readTyped(text, 'usd')).toBeNull()
  expect(amountError(text, 'usd')).toBe('Enter a number like 1000.5, with a dot before the decimals')
})

it('[VA-26] [VA-29] reports an enormous amount as too much, not as malformed', () => {
  expect(amountError('99999999999999', 'usd', { max: 100_000n * ONE })).toBe('Maximum amount is 100000')
  expect(amountError('99999999999999', 'usd')).toBeUndefined()
  expect(readTyped('99999999999999', 'usd')).toBe(99_999_999_999_999n * ONE)
})

it('reports an empty wallet instead of a maximum of 0', () => {
  expect(amountError('5', 'usd', { max: 0n })).toBe('This wallet is empty')
})
