import { appendFileSync } from 'node:fs'
import type { DatabaseMachines } from './database-machines.ts'
import type { Load } from './load.ts'

/** Maximum outage in seconds. */
const LIMIT = 30

/** Fault of one kind that the drill repeats. */
export interface Fault {
  what: string
  times: number
  /**
   * Causes the fault, and returns as soon as the fault has an effect.
   * @returns the repair, which runs after members can pay again, and a remark for the report
   */
  cause(round: number): Promise<{ restore?: () => Promise<void>; result?: string }>
}

/** Effect of a round on members, in seconds. */
interface Round {
  /** Longest gap without a completed move. */
  gap: number
  /** Duration of the slowest call, from the first attempt to the response. */
  slowest: number
  /** From the fault until the cluster is complete, with the old primary as a replica. */
  recovered: number
}

/** Writes each line to the terminal and a file at once, so that an interrupted drill keeps its results. */
export function openReport(file: string): (line: string) => void {
  return (line) => {
    console.log(line)
    appendFileSync(file, `${line}\n`)
  }
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10

/** Formats minimum, median and maximum. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((value) => (value ?? 0).toFixed(1)).join(' / ')
}

/**
 * Causes one fault in several rounds and reports the effect on members.
 * @returns one sentence per round with an outage that is too long
 */
export async function repeatFault(fault: Fault, load: Load, database: DatabaseMachines, say: (line: string) => void): Promise<string[]> {
  const rounds: Round[] = []
  for (let round = 0; round < fault.times; round += 1) {
    const moment = performance.now()
    const { restore, result } = await fault.cause(round)
    await load.waitForMove()
    await restore?.()
    await database.waitUntilComplete()
    const recovered = seconds(performance.now() - moment)
    await load.waitForMove()
    const { gap, slowest, name } = load.seenSince(moment)
    rounds.push({ gap: seconds(gap), slowest: seconds(slowest), recovered })
    const { timeline } = (await (await database.primary()).state()) ?? {}
    say(
      `${fault.what}, ${round + 1} of ${fault.times}: ${result ?? 'done'}; no move for ${seconds(gap)} s, slowest call ${seconds(slowest)} s (${name}), complete after ${recovered} s, timeline ${timeline}`,
    )
  }
  if (rounds.length === 0) return []
  const row = (['gap', 'slowest', 'recovered'] as const).map((figure) => spread(rounds.map((one) => one[figure])))
  say(`| ${fault.what} | ${rounds.length} | ${row.join(' | ')} |`)
  return rounds.flatMap(({ gap }, index) => (gap > LIMIT ? [`${fault.what}, ${index + 1}: no move for ${gap} s`] : []))
}
