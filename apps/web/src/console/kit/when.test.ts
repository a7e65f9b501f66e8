import { expect, it } from 'vitest'
import { age, brief } from './when.ts'

const now = new Date('2026-11-21T14:32:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

it('formats the waiting time', () => {
  expect([0, 8, 59, 60, 341, 48 * 60, 80 * 60].map((minutes) => age(ago(minutes), now.getTime()))).toEqual([
    '0 min',
    '8 min',
    '59 min',
    '1 h 00',
    '5 h 41',
    '2 days',
    '3 days',
  ])
  expect(age(ago(-5), now.getTime())).toBe('0 min')
})

it('shows the time of today and yesterday in UTC', () => {
  expect(
    [new Date('2026-11-21T00:05:00Z'), new Date('2026-11-20T23:59:00Z'), new Date('2025-07-02T10:00:00Z')].map((at) => brief(at, now)),
  ).toEqual(['00:05', '20 Nov', '2 Jul 2025'])
})
