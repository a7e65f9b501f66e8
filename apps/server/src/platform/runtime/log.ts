import { openSync, statSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from './make-folder.ts'
import { type Logger, pino } from 'pino'

/** The application log: JSON lines with UTC times, without secrets (invariant I15). */
export type Log = Logger

/** Maximum bytes of log entries in memory while standard output is blocked. */
const WAITING = 1_000_000

/** A log file of this many bytes is replaced at the next start. */
const FILE_LIMIT = 10_000_000

/**
 * Creates the log of a process. Entries go to standard output, or are appended to `file`, and errors then go to both.
 * @param file if it can't be written, all entries go to standard output
 */
export function createLog(level: string, file?: string): Log {
  const opened = file === undefined ? undefined : openFile(file)
  const out = destination(opened ?? 1)
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.password', '*.token', '*.otp', '*.authorization', '*.cookie', 'req.headers.authorization', 'req.headers.cookie'],
        censor: '[hidden]',
      },
    },
    opened === undefined
      ? out
      : pino.multistream([
          { level: 'trace', stream: out },
          { level: 'error', stream: destination(1) },
        ]),
  )
  let lost = 0
  out.on('drop', () => (lost += 1))
  out.on('drain', () => {
    if (lost > 0) log.warn({ lost }, 'log lines were lost because the disk was full')
    lost = 0
  })
  return log
}

/** Writes each entry at once. If the disk is full, the entry is written with the next one, and the process continues. */
function destination(fd: number) {
  const out = pino.destination({ fd, sync: true, maxLength: WAITING })
  out.on('error', () => undefined)
  // Disables the synchronous flush, because a fatal entry would wait for disk space forever.
  out.flushSync = () => undefined
  return out
}

function openFile(file: string): number | undefined {
  try {
    makeFolder(path.dirname(file))
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return openSync(file, size > FILE_LIMIT ? 'w' : 'a', 0o600)
  } catch {
    return undefined
  }
}
