import { expect, it } from 'vitest'
import { depositsOf, monthOf } from './special-rcm.rules.ts'

it('[UI-RCM-08] counts calendar months in UTC', () => {
  const now = new Date('2026-03-01T00:30:00Z')
  expect(monthOf(new Date('2026-03-01T00:00:00Z'), now)).toBe('current')
  expect(monthOf(new Date('2026-02-28T23:59:59Z'), now)).toBe('last')
  expect(monthOf(new Date('2026-01-31T23:59:59Z'), now)).toBe('older')
  expect(monthOf(new Date('2025-12-31T23:00:00Z'), new Date('2026-01-15T00:00:00Z'))).toBe('last')
})

it('[UI-RCM-09] lists payments and deposits together, newest first', () => {
  const at = (day: string) => new Date(`2026-03-${day}T00:00:00Z`)
  const listed = depositsOf({
    name: 'Bo',
    email: 'bo@gmail.com',
    createdAt: at('01'),
    payment: [
      { id: '1', payAmountNum: 10n, createdAt: at('02') },
      { id: '2', payAmountNum: 30n, createdAt: at('09') },
    ],
    deposit: [{ id: '1', amount: 20n, createdAt: at('05') }],
  })
  expect(listed.map(({ amount }) => amount)).toEqual([30n, 20n, 10n])
})
