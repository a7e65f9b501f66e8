import type { BusinessPeriod } from '@tizara/contract/staff-business'
import { addDays, daysBetween, startOfDay } from '../../../platform/runtime/clock.ts'

/** UTC days, both included. */
export interface DayRange {
  from: string
  through: string
}

/**
 * Returns a period that ends with a day, and the period of equal length before. A week is the last complete week from Monday to Sunday. A
 * month begins on its first day. A month in progress is compared with the same days of the month before, a complete month with the whole
 * month before.
 * @param through the last complete UTC day, `2026-11-25`
 */
export function periodsOf(period: BusinessPeriod, through: string): { period: DayRange; before: DayRange } {
  if (period === 'week') {
    const sunday = addDays(through, -startOfDay(through).getUTCDay())
    return periodsOf('7', sunday)
  }
  if (period !== 'month') {
    const from = addDays(through, 1 - Number(period))
    return { period: { from, through }, before: { from: addDays(from, -Number(period)), through: addDays(from, -1) } }
  }
  const from = `${through.slice(0, 7)}-01`
  const endBefore = addDays(from, -1)
  const fromBefore = `${endBefore.slice(0, 7)}-01`
  const sameDay = addDays(fromBefore, daysBetween(from, through))
  const isComplete = addDays(through, 1).endsWith('-01')
  return { period: { from, through }, before: { from: fromBefore, through: isComplete || sameDay > endBefore ? endBefore : sameDay } }
}
