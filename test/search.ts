/**
 * Says how long the random searches of the tests run: `SEARCH=short`, as in `npm test`, or `SEARCH=long`, as with `--all`.
 * No other file reads these variables, so that one setting covers every search.
 */

/** Whether searches run for their full time. */
export const longSearch = process.env['SEARCH'] === 'long'

/** First seed of the searches with a time limit. A fresh one for each long run, unless `SEARCH_SEED` names the one to play again. */
export const searchSeed = Number(process.env['SEARCH_SEED'] ?? (longSearch ? Math.floor(Math.random() * 1_000_000_000) : 1))

/** Minutes that each search with a time limit runs for in a long run. */
const SEARCH_MINUTES = Number(process.env['SEARCH_MINUTES'] ?? 4)

/** Picks the number of runs of a search that is bounded by runs. */
export const searchRuns = (runs: { short: number; long: number }): number => (longSearch ? runs.long : runs.short)

/**
 * Picks what one case of an exhaustive search plays: everything in a long run, else every nth item.
 * Each case begins with another item than the one before it, so that a short run plays every item in some case.
 */
export const searchSample = <T>(items: readonly T[], caseIndex: number, every: number): T[] =>
  items.filter((_, index) => longSearch || index % every === caseIndex % every)

/**
 * Makes the parameters of a fast-check property, and prints them in a long run.
 * @param runs `seed` is the one of short runs; without it each has a fresh one, which fast-check prints when it finds a fault
 */
export function searchParameters(name: string, runs: { short: number; long: number; seed?: number }): { numRuns: number; seed?: number } {
  const numRuns = searchRuns(runs)
  const seed = longSearch || process.env['SEARCH_SEED'] !== undefined ? searchSeed : runs.seed
  if (longSearch) console.log(`search ${name}: ${numRuns} runs from seed ${seed}`)
  return seed === undefined ? { numRuns } : { numRuns, seed }
}

/** Time limit in milliseconds of a test with a search: the one of a short run, or in a long run what no search exceeds. */
export const searchTimeout = (shortMs: number): number => (longSearch ? 15 * 60_000 : shortMs)

/** How far a search goes. */
export interface SearchExtent {
  /** Sequences of a short run, whose seeds begin at 1. */
  short: number
  /** Minutes of a long run, whose seeds begin at {@link searchSeed}. */
  minutes?: number
}

/**
 * Plays one sequence after the other, each from a seed of its own, and prints how many a long run has played.
 * @param play one sequence; throws where it finds a fault
 * @throws Error that names the seed whose sequence failed, with its failure as the cause
 */
export async function searchFor(name: string, extent: SearchExtent, play: (seed: number) => Promise<void> | void): Promise<number> {
  const end = performance.now() + (extent.minutes ?? SEARCH_MINUTES) * 60_000
  const goesOn = (played: number) => (longSearch ? played === 0 || performance.now() < end : played < extent.short)
  let played = 0
  for (let seed = searchSeed; goesOn(played); seed += 1, played += 1) {
    try {
      await play(seed)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`${name}: seed ${seed} failed; play it again with SEARCH_SEED=${seed}\n${reason}`, { cause: error })
    }
  }
  if (longSearch) console.log(`search ${name}: ${played} sequences from seed ${searchSeed}`)
  return played
}
