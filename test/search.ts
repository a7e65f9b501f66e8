/**
 * Sets how long random searches run: `SEARCH=short` for `npm test`, or `SEARCH=long` for `--all`. Only this file reads these variables,
 * so one setting covers every search.
 */

/** True if searches run for their full time. */
export const longSearch = process.env['SEARCH'] === 'long'

/** First seed for timed searches. Random for each long run, unless `SEARCH_SEED` replays one. */
export const searchSeed = Number(process.env['SEARCH_SEED'] ?? (longSearch ? Math.floor(Math.random() * 1_000_000_000) : 1))

/** Minutes per timed search in a long run. */
const SEARCH_MINUTES = Number(process.env['SEARCH_MINUTES'] ?? 4)

/** Sequences of a long run that counts instead of watching the time; undefined for a timed run. */
const SEARCH_SEQUENCES = process.env['SEARCH_SEQUENCES'] === undefined ? undefined : Number(process.env['SEARCH_SEQUENCES'])

/** Returns the run count for a search bounded by runs. */
export const searchRuns = (runs: { short: number; long: number }): number => (longSearch ? runs.long : runs.short)

/**
 * Returns the items for one case in an exhaustive search: all in a long run, else every nth. Each case starts at the next item, so that a
 * short run's cases together cover every item.
 */
export const searchSample = <T>(items: readonly T[], caseIndex: number, every: number): T[] =>
  items.filter((_, index) => longSearch || index % every === caseIndex % every)

/**
 * Builds fast-check parameters and prints them in a long run.
 * @param runs `seed` fixes the short run; without it, fast-check picks one and prints it on failure
 */
export function searchParameters(name: string, runs: { short: number; long: number; seed?: number }): { numRuns: number; seed?: number } {
  const numRuns = searchRuns(runs)
  const seed = longSearch || process.env['SEARCH_SEED'] !== undefined ? searchSeed : runs.seed
  if (longSearch) console.log(`search ${name}: ${numRuns} runs from seed ${seed}`)
  return seed === undefined ? { numRuns } : { numRuns, seed }
}

/** Returns a search test's timeout in milliseconds; long runs use a common upper bound: 15 minutes, or a day for counted sequences. */
export const searchTimeout = (shortMs: number): number => {
  if (!longSearch) return shortMs
  return SEARCH_SEQUENCES === undefined ? 15 * 60_000 : 24 * 3_600_000
}

/** How long a search runs. */
export interface SearchExtent {
  /** Sequences in a short run; seeds start at 1. */
  short: number
  /** Minutes in a long run without `SEARCH_SEQUENCES`; seeds start at {@link searchSeed}. */
  minutes?: number
  /** Sequences that a long run plays at the same time. */
  parallel?: number
}

/**
 * Plays sequences with successive seeds and prints a long run's count.
 * @param play one sequence; throws on a fault
 * @throws Error with the failing seed, and the failure as its cause
 */
export async function searchFor(name: string, extent: SearchExtent, play: (seed: number) => Promise<void> | void): Promise<number> {
  if (longSearch) console.log(`search ${name}: begins with seed ${searchSeed}`)
  const begin = performance.now()
  const end = begin + (extent.minutes ?? SEARCH_MINUTES) * 60_000
  const goesOn = (played: number) => {
    if (!longSearch) return played < extent.short
    return SEARCH_SEQUENCES === undefined ? played === 0 || performance.now() < end : played < SEARCH_SEQUENCES
  }
  let [next, played] = [searchSeed, 0]
  let failure: Error | undefined
  const playOn = async () => {
    while (failure === undefined && goesOn(next - searchSeed)) {
      const seed = next
      next += 1
      try {
        await play(seed)
        played += 1
        if (longSearch && played % 100 === 0) console.log(`search ${name}: ${played} sequences from seed ${searchSeed}`)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        failure ??= new Error(`${name}: seed ${seed} failed; play it again with SEARCH_SEED=${seed}\n${reason}`, { cause: error })
      }
    }
  }
  await Promise.all(Array.from({ length: longSearch ? (extent.parallel ?? 1) : 1 }, playOn))
  if (failure !== undefined) throw failure
  if (longSearch)
    console.log(`search ${name}: ${played} sequences from seed ${searchSeed} in ${Math.round((performance.now() - begin) / 1000)} s`)
  return played
}
