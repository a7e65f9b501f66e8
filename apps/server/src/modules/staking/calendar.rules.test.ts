import { translator } from '@tizara/languages'
import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { calendarText, type DueDay } from './calendar.rules.ts'

const instance = { now: new Date('2026-03-02T09:00:00Z'), name: 'Platform', token: 'COIN', t: translator() }
const due = (day: string, kind: DueDay['kind'], amount: bigint, asset: DueDay['asset'] = 'coin'): DueDay => ({
  day,
  kind,
  asset,
  amount: amount * ONE,
  sources: 1,
})
/** Returns date and title lines per event. */
const eventsOf = (text: string) =>
  text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => event.split('\r\n').filter((line) => /^(UID|DTSTART|RRULE|SUMMARY)/.test(line)))

it('writes the same reward on consecutive days as one repeating event, across months', () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-01'].map((day) => due(day, 'daily-reward', 5n))
  expect(eventsOf(calendarText(days, instance))).toEqual([
    ['UID:2026-03-01-daily-reward@platform', 'DTSTART;VALUE=DATE:20260227', 'RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:Daily reward: 5.00 COIN'],
  ])
})

it('starts a new event when the amount changes or a day is missing, and keeps single events separate', () => {
  const days = [
    due('2026-03-03', 'daily-reward', 5n),
    due('2026-03-03', 'maturity', 500n),
    due('2026-03-04', 'daily-reward', 5n),
    due('2026-03-05', 'daily-reward', 7n),
    due('2026-03-07', 'daily-reward', 7n),
    due('2026-03-07', 'release', 7n),
    due('2026-03-07', 'release', 7n, 'usd'),
  ]
  const events = eventsOf(calendarText(days, instance))
  expect(events.map((lines) => lines.filter((line) => !line.startsWith('SUMMARY')).join(' '))).toEqual([
    'UID:2026-03-04-daily-reward@platform DTSTART;VALUE=DATE:20260303 RRULE:FREQ=DAILY;COUNT=2',
    'UID:2026-03-03-maturity@platform DTSTART;VALUE=DATE:20260303',
    'UID:2026-03-05-daily-reward@platform DTSTART;VALUE=DATE:20260305',
    'UID:2026-03-07-daily-reward@platform DTSTART;VALUE=DATE:20260307',
    'UID:2026-03-07-release-coin@platform DTSTART;VALUE=DATE:20260307',
    'UID:2026-03-07-release-usd@platform DTSTART;VALUE=DATE:20260307',
  ])
})
