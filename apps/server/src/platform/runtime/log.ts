import { type Logger, pino } from 'pino'

/** The application log: JSON lines with UTC times, without secrets (invariant I15). */
export type Log = Logger

/** Maximum bytes of log entries in memory while standard output is blocked. */
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

/** Writes each entry at once. On a full disk the entry waits for the next one, and the process continues. */
function standardOutput() {
  const out = pino.destination({ fd: 1, sync: true, maxLength: WAITING })
  out.on('error', () => undefined)
  // Without this, a fatal entry would wait for disk space forever.
  out.flushSync = () => undefined
  return out
}
