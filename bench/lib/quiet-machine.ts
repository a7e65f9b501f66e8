import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Share of the processors that other work may use, and duration of the measurement in ms. */
const QUIET_SHARE = 0.1
const WATCH_MS = 1_000

/** Prints the machine and its load, with a warning if other processes are busy, because rates and durations are then not reliable. */
export async function reportMachine(): Promise<void> {
  const before = times()
  await pause(WATCH_MS)
  const after = times()
  const busy = 1 - (after.idle - before.idle) / (after.all - before.all)
  console.log(`machine: ${machineName()}; load average ${loadavg()[0]?.toFixed(1)}; ${(100 * busy).toFixed(0)} % busy before the start`)
  if (busy > QUIET_SHARE)
    console.log(`WARNING: the machine is not quiet. Use only counts and processor times of this run, and ratios of rounds that take turns.`)
}

/** Names the processors. */
export const machineName = () => `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`

function times() {
  const all = cpus().map((cpu) => cpu.times)
  return {
    idle: all.reduce((sum, { idle }) => sum + idle, 0),
    all: all.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.idle + one.irq, 0),
  }
}
