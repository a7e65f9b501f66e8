import { expect, it } from 'vitest'
import { timeTicks } from './time-ticks.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const texts = (ticks: number[]): string[] => ticks.map((tick) => new Date(tick).toISOString().slice(0, 16))

it('returns hours for a day', () => {
  expect(texts(timeTicks(at('2026-03-01T02:10'), at('2026-03-01T23:50'), 4))).toEqual([
    '2026-03-01T06:00',
    '2026-03-01T12:00',
    '2026-03-01T18:00',
  ])
})

it('returns Mondays for some weeks', () => {
  const ticks = timeTicks(at('2026-03-03T00:00'), at('2026-04-10T00:00'), 6)
  expect(texts(ticks)[0]).toBe('2026-03-09T00:00')
  expect(ticks.every((tick) => new Date(tick).getUTCDay() === 1)).toBe(true)
})

it('returns at least two ticks for six weeks, on a phone too', () => {
  expect(timeTicks(at('2026-10-07T00:00'), at('2026-11-21T00:00'), 3).length).toBeGreaterThanOrEqual(3)
  expect(texts(timeTicks(at('2026-10-07T00:00'), at('2026-11-21T00:00'), 2))).toEqual([
    '2026-10-12T00:00',
    '2026-10-26T00:00',
    '2026-11-09T00:00',
  ])
})

it('returns first days of months for longer ranges, across the end of a year', () => {
  expect(texts(timeTicks(at('2025-10-15T00:00'), at('2026-02-20T00:00'), 4))).toEqual([
    '2025-11-01T00:00',
    '2025-12-01T00:00',
    '2026-01-01T00:00',
    '2026-02-01T00:00',
  ])
  expect(texts(timeTicks(at('2024-01-01T00:00'), at('2034-01-01T00:00'), 3))).toEqual(['2025-01-01T00:00', '2030-01-01T00:00'])
})

it('returns one tick for a single time', () => {
  expect(timeTicks(at('2026-03-01T00:00'), at('2026-03-01T00:00'), 4)).toEqual([at('2026-03-01T00:00')])
})
