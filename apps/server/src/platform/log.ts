import { type Logger, pino } from 'pino'

/** The log of the house: JSON lines with UTC times; secrets never reach it (invariant I15). */
export type Log = Logger

/** Makes the log. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['*.password', '*.token', '*.otp', '*.authorization', '*.cookie', 'req.headers.authorization', 'req.headers.cookie'],
      censor: '[hidden]',
    },
  })
}
