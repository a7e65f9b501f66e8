import type { QueueRow } from './queue.ts'

export type Sign = NonNullable<QueueRow['signs']>[number]

/** How strongly a sign points to fraud, from 0 (usual) to 3. Signs with an unknown code weigh 2, so that a new one is never hidden. */
const weights: Readonly<Record<string, number>> = {
  STOPPED: 3,
  SCREENING: 3,
  BLOCKED: 3,
  LOOKALIKE: 3,
  RESET: 3,
  RESTS: 3,
  TRACE: 2,
  REVIEW: 2,
  MANY: 1,
  FRESH: 1,
  DAY_LIMIT: 1,
  NEW_ADDRESS: 0,
}

const weightOf = ({ code }: Sign): number => weights[code] ?? 2

/** Smallest list in which common signs count as usual. */
const MIN_ROWS_FOR_USUAL = 5

/** Light signs (weight 0 or 1) that all rows of a list have. They say nothing about a single row. */
export function usualCodes(rows: readonly QueueRow[]): ReadonlySet<string> {
  const [first] = rows
  if (first === undefined || rows.length < MIN_ROWS_FOR_USUAL) return new Set()
  const light = (first.signs ?? []).filter((sign) => weightOf(sign) <= 1).map(({ code }) => code)
  return new Set(light.filter((code) => rows.every((row) => row.signs?.some((sign) => sign.code === code))))
}

/**
 * Sorts signs by weight and separates those that count as flags from the quiet ones: weight 0, or usual in the list.
 * @param usual codes that all rows of the list have
 */
export function weighSigns(signs: readonly Sign[] | undefined, usual: ReadonlySet<string> = new Set()): { flags: Sign[]; quiet: Sign[] } {
  const sorted = (signs ?? []).toSorted((one, other) => weightOf(other) - weightOf(one))
  const isFlag = (sign: Sign): boolean => weightOf(sign) > 0 && !usual.has(sign.code)
  return { flags: sorted.filter(isFlag), quiet: sorted.filter((sign) => !isFlag(sign)) }
}
