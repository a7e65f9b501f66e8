import { setTimeout } from 'node:timers/promises'
import { staffJob } from '@tizara/contract/staff-jobs'
import { simulateProgramme, simulationResult } from '@tizara/contract/staff-programme'
import { formatUnits } from '@tizara/money'
import * as v from 'valibot'
import { CommandError } from './errors.ts'
import { type Platform, send } from './session.ts'

type Result = v.InferOutput<typeof simulationResult>
const ASK_MS = 1_000

/**
 * Starts a simulation of a draft and waits for its result.
 * @param rules the draft in wire format
 * @throws CommandError
 */
export async function simulate(platform: Platform, rules: unknown): Promise<{ jobId: string; result: Result }> {
  const started = await send(platform, { ...simulateProgramme, body: { rules } })
  const { jobId } = started.data as { jobId: string }
  for (;;) {
    const job = (await send(platform, { method: 'GET', path: staffJob.path.replace(':id', jobId) }, JSON.parse)).data as {
      state: string
      error?: string
      result: unknown
    }
    if (job.state === 'FAILED') throw new CommandError(job.error ?? 'The simulation failed')
    if (job.state === 'DONE') return { jobId, result: v.parse(simulationResult, job.result) }
    await setTimeout(ASK_MS)
  }
}

const column = (text: string) => text.padStart(22)
const percent = (units: bigint | null) => (units === null ? 'no limit' : `${formatUnits(units)} %`)

/** Formats a draft's result for the terminal. */
export function simulationLines({ jobId, result }: { jobId: string; result: Result }): string[] {
  const { from, to, totals, coverage, maxGain, more, less, same, hash } = result
  return [
    `${from} to ${to}:`.padEnd(20) + column('current programme') + column('draft'),
    ...totals.map(
      ({ kind, asset, before, after }) => `${kind}, ${asset}`.padEnd(20) + column(formatUnits(before)) + column(formatUnits(after)),
    ),
    ...coverage.map(
      ({ asset, before, after }) =>
        `Coverage, ${asset}: ${before.coverage === null ? 'no liabilities' : percent(before.coverage)} → ${after.coverage === null ? 'no liabilities' : percent(after.coverage)} (promised ${formatUnits(after.promised)}, owed ${formatUnits(after.owed)}, pool ${formatUnits(after.pool)})`,
    ),
    `Maximum withdrawal of a group per month: ${percent(maxGain.before.perMonth)} → ${percent(maxGain.after.perMonth)}`,
    `Members: ${more} earn more, ${less} less, ${same} the same; the file of job ${jobId} lists them`,
    `Result: ${hash} (propose-change subject=programme simulation=${hash} …)`,
  ]
}
