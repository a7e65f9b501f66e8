import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { PostgresServer } from '../../test/postgres.ts'

/** Fields of Linux's process table, from the state on; a name with blanks stands before it. */
function statOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

/** From ticks of 10 ms. */
const secondsOf = (fields: readonly string[], from: number, to: number) =>
  fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0) / 100

/** Processor seconds that a process has taken so far; undefined where the system does not tell. */
export function processorOf(pid: number | undefined): number | undefined {
  const fields = pid === undefined ? undefined : statOf(pid)
  return fields && secondsOf(fields, 11, 13)
}

/** Processor seconds of all programs that this process started and that have ended. */
export function processorOfEnded(): number {
  return secondsOf(statOf('self') ?? [], 13, 15)
}

/** Processor seconds of a server with all its sessions, also those that have ended. */
export function processorOfServer({ dataDir }: PostgresServer): number {
  const [pid = ''] = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  const own = statOf(pid)
  const sessions = readdirSync('/proc').flatMap((name) => {
    const fields = /^\d+$/.test(name) ? statOf(name) : undefined
    return fields?.[1] === pid ? [fields] : []
  })
  return secondsOf(own ?? [], 11, 15) + sessions.reduce((sum, fields) => sum + secondsOf(fields, 11, 13), 0)
}
