import { setLanguage } from '@tizara/languages'
import { expect, it } from 'vitest'
import { formatClock, formatCountdown, formatDate, formatTime, formatUtc, utcDay } from './format.ts'

it('[GN-34] formats days as DD MMM YYYY and times with hh:mm AM or PM, in the zone of the browser', () => {
  expect(formatDate(new Date(2026, 10, 5, 23, 59))).toBe('05 Nov 2026')
  expect(formatTime(new Date(2026, 10, 5, 14, 7))).toBe('05 Nov 2026, 02:07 PM')
  expect(formatTime(new Date(2026, 0, 31, 0, 0))).toBe('31 Jan 2026, 12:00 AM')
  expect(formatTime(new Date(2026, 0, 31, 12, 30))).toBe('31 Jan 2026, 12:30 PM')
})

it('formats a time in UTC and its day', () => {
  const moment = new Date('2026-11-05T23:07:00Z')
  expect(formatUtc(moment)).toBe('05 Nov 2026, 23:07 UTC')
  expect(utcDay(moment)).toBe('2026-11-05')
})

it('formats a countdown as mm:ss, never below zero', () => {
  expect(formatCountdown(90)).toBe('01:30')
  expect(formatCountdown(0.2)).toBe('00:01')
  expect(formatCountdown(-4)).toBe('00:00')
})

// The last test: a page keeps its language.
it.each([
  ['es', '14:07'],
  ['fr', '14:07'],
  ['ar', '02:07 PM'],
])('formats a time with the clock of the language: %s', (language, expected) => {
  setLanguage({ language, direction: 'ltr', keys: '', texts: [] })
  expect(formatClock(new Date(2026, 10, 5, 14, 7))).toBe(expected)
})
