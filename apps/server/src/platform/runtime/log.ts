import { type Logger, pino } from 'pino'

/** The log of the house: JSON lines with UTC times; secrets never reach it (invariant I15). */
export type Log = Logger

/** Bytes of lines that wait in memory while standard output takes none. */
const WAITING = 1_000_000

export function createLog(level: string): Log {
  const out = standardOutput()
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
    out,
  )
  let lost = 0
  out.on('drop', () => (lost += 1))
  out.on('drain', () => {
    if (lost > 0) log.warn({ lost }, 'lines of the log found no room')
    lost = 0
  })
  return log
}

/** Takes each line at once. One that finds no room, as on a disk that is full, waits for the next one: the house goes on without it. */
function standardOutput() {
  const out = pino.destination({ fd: 1, sync: true, maxLength: WAITING })
  out.on('error', () => undefined)
  // What a fatal line asks for would wait for room without end.
  out.flushSync = () => undefined
  return out
}
