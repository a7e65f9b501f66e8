import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { PostgresServer } from '../../test/postgres.ts'

/** Returns the fields of Linux's process table from the state on, because the preceding name may contain blanks. */
function statOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

/** Converts ticks of 10 ms. */
const secondsOf = (fields: readonly string[], from: number, to: number) =>
  fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0) / 100

/** Returns the processor seconds of a process, or undefined if the system does not report them. */
export function processorOf(pid: number | undefined): number | undefined {
  const fields = pid === undefined ? undefined : statOf(pid)
  return fields && secondsOf(fields, 11, 13)
}

/** Returns the processor seconds of all ended child processes. */
export function processorOfEnded(): number {
  return secondsOf(statOf('self') ?? [], 13, 15)
}

/** Returns the processor seconds of a server, including ended sessions. */
export function processorOfServer({ dataDir }: PostgresServer): number {
  const [pid = ''] = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  const own = statOf(pid)
  const sessions = readdirSync('/proc').flatMap((name) => {
    const fields = /^\d+$/.test(name) ? statOf(name) : undefined
    return fields?.[1] === pid ? [fields] : []
  })
  return secondsOf(own ?? [], 11, 15) + sessions.reduce((sum, fields) => sum + secondsOf(fields, 11, 13), 0)
}
