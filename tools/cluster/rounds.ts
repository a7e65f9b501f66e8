import { appendFileSync } from 'node:fs'
import type { DatabaseMachines } from './database-machines.ts'
import type { Load } from './load.ts'

/** Within which service has to be back, in seconds. */
const LIMIT = 30

/** Faults of one kind, one after the other. */
export interface Fault {
  what: string
  times: number
  /**
   * Does harm, and ends when it has shown.
   * @returns how to mend it once members can pay again; what the round has to say of itself
   */
  harm(round: number): Promise<{ mend?: () => Promise<void>; said?: string }>
}

/** What members saw of each round, in seconds. */
interface Round {
  /** Longest time in which nobody's move was done. */
  gap: number
  /** Slowest call, from its first try to its answer. */
  slowest: number
  /** From the harm until every machine was there again, the old primary as a replica. */
  whole: number
}

/** Says a line on the terminal and in a file, at once: a drill that is broken off has said what it saw. */
export function teller(file: string): (line: string) => void {
  return (line) => {
    console.log(line)
    appendFileSync(file, `${line}\n`)
  }
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10

/** Least, middle and most. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((value) => (value ?? 0).toFixed(1)).join(' / ')
}

/**
 * Does harm of one kind, round after round, and says what members saw.
 * @returns a sentence for each round in which service was away for too long
 */
export async function under(fault: Fault, load: Load, database: DatabaseMachines, say: (line: string) => void): Promise<string[]> {
  const rounds: Round[] = []
  for (let round = 0; round < fault.times; round += 1) {
    const moment = performance.now()
    const { mend, said } = await fault.harm(round)
    await load.works()
    await mend?.()
    await database.whole()
    const whole = seconds(performance.now() - moment)
    await load.works()
    const { gap, slowest, name } = load.seenSince(moment)
    rounds.push({ gap: seconds(gap), slowest: seconds(slowest), whole })
    const { timeline } = (await (await database.primary()).state()) ?? {}
    say(
      `${fault.what}, ${round + 1} of ${fault.times}: ${said ?? 'done'}; no move for ${seconds(gap)} s, slowest call ${seconds(slowest)} s (${name}), whole after ${whole} s, timeline ${timeline}`,
    )
  }
  if (rounds.length === 0) return []
  const row = (['gap', 'slowest', 'whole'] as const).map((figure) => spread(rounds.map((one) => one[figure])))
  say(`| ${fault.what} | ${rounds.length} | ${row.join(' | ')} |`)
  return rounds.flatMap(({ gap }, index) => (gap > LIMIT ? [`${fault.what}, ${index + 1}: no move for ${gap} s`] : []))
}
