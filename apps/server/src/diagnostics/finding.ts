import type { finding } from '@tizara/contract/staff-health'
import type * as v from 'valibot'
import { type Words, wordsOf } from './areas.ts'

/** Result from one doctor check. */
export type Finding = v.InferOutput<typeof finding>

const RANK = ['good', 'warning', 'bad'] as const

/** Returns the findings' worst state. */
export const worst = (findings: readonly Finding[]): Finding['state'] =>
  RANK[Math.max(0, ...findings.map(({ state }) => RANK.indexOf(state)))] ?? 'bad'

/** Builds the findings of an area. A problem has the area's texts, unless the check passes more precise texts. */
export const findingsFor = (area: string) => ({
  good: (what: string): Finding => ({ area, state: 'good', what }),
  warning: (what: string, fix: string, words: Words = {}): Finding => ({ area, state: 'warning', what, fix, ...wordsOf(area), ...words }),
  bad: (what: string, fix: string, words: Words = {}): Finding => ({ area, state: 'bad', what, fix, ...wordsOf(area), ...words }),
})

/** Formats a duration for reading. */
export function formatAge(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} seconds`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 86_400)} days`
}

/** Maximum seconds per check. */
const LIMIT_SECONDS = 5

/** Runs a check. A failure or a timeout becomes the finding. */
export async function check(area: string, fix: string, run: () => Promise<Finding[]>, seconds = LIMIT_SECONDS): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${seconds} seconds`)), seconds * 1000)
  })
  try {
    return await Promise.race([run(), late])
  } catch (error) {
    const why = error instanceof Error ? `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}` : String(error)
    return [findingsFor(area).bad(why.split('\n')[0] ?? 'failed', fix)]
  } finally {
    clearTimeout(timer)
  }
}
