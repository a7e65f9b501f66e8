import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database.ts'
import { readClock } from './follow-clock.ts'
import type { Log } from '../runtime/log.ts'
import { readSchema } from './schema-files.ts'
import { SchemaError, missingFromSchema } from './schema-state.ts'

/** Pause between two schema checks, in ms. */
const PAUSE = 500

/** Returns one sentence about why this version cannot work on the database; undefined if it can. */
export const schemaLack = async (database: Database): Promise<string | undefined> => (await checkSchema(database))?.why

/** Describes a failed connection: the driver's message and the first address. Contains no password. */
export function noAnswer(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const message = first instanceof Error ? first.message : String(first)
  // The driver's message for a URL without the required password.
  const why = message.includes('client password must be a string') ? 'it requires a password, and DATABASE_URL has none' : message
  return `${NO_ANSWER}: ${why}. Check PostgreSQL and DATABASE_URL.`
}

const NO_ANSWER = 'The database does not answer'

/** Why this version cannot work on a database. */
export interface SchemaLack {
  why: string
  /** The same reason for public display, without addresses and database names. */
  publicWhy: string
  /** `refused` is final, because this version can never use the database. The other states can change. */
  state: 'unreachable' | 'behind' | 'refused'
}

export async function checkSchema({ pool }: Database): Promise<SchemaLack | undefined> {
  try {
    const why = await missingFromSchema(pool, readSchema())
    return why === undefined ? undefined : { why, publicWhy: why, state: 'behind' }
  } catch (error) {
    if (error instanceof SchemaError) return { why: error.message, publicWhy: error.message, state: 'refused' }
    return { why: noAnswer(error), publicWhy: NO_ANSWER, state: 'unreachable' }
  }
}

/**
 * Waits for the schema of this version and then reads the database's clock. Reports once what is missing. Ends the process with code 2 if
 * the database refuses this version.
 * @param report receives the reason, in plain words
 */
export async function waitForSchema(database: Database, log: Log, report?: (why: string) => Promise<void>): Promise<void> {
  let reported: string | undefined
  for (;;) {
    const lack = await checkSchema(database)
    if (lack === undefined) return readClock(database.db)
    if (lack.state === 'refused') {
      log.fatal(lack.why)
      process.exit(2)
    }
    if (lack.why !== reported) {
      log.warn(lack.why)
      await report?.(lack.publicWhy)
    }
    reported = lack.why
    await pause(PAUSE)
  }
}
