import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/runtime/log.ts'
import { readSchema } from '../platform/db/schema-files.ts'
import { SchemaRefused, missingFromSchema } from '../platform/db/schema-state.ts'

/** Pause between two schema checks, in ms. */
const PAUSE = 500

/** Explains in one sentence why this version cannot work on the database; undefined if it can. */
export const schemaLack = async (database: Database): Promise<string | undefined> => (await look(database))?.why

/** Explains a connection failure: the driver's message and the address, the first one of several. Contains no password. */
export function noAnswer(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const said = first instanceof Error ? first.message : String(first)
  // The driver's message for a URL without the required password.
  const why = said.includes('client password must be a string') ? 'it asks for a password, and DATABASE_URL has none' : said
  return `${NO_ANSWER}: ${why}. Look at PostgreSQL and at DATABASE_URL.`
}

const NO_ANSWER = 'The database does not answer'

interface Lack {
  why: string
  /** The same reason for public display, without addresses and database names. */
  told: string
  /** True if waiting can help. Otherwise this version can never use the database. */
  mends: boolean
}

export async function look({ pool }: Database): Promise<Lack | undefined> {
  try {
    const why = await missingFromSchema(pool, readSchema())
    return why === undefined ? undefined : { why, told: why, mends: true }
  } catch (error) {
    if (error instanceof SchemaRefused) return { why: error.message, told: error.message, mends: false }
    return { why: noAnswer(error), told: NO_ANSWER, mends: true }
  }
}

/**
 * Waits for the schema of this version and reports once what is missing. Ends the process with code 2 when it can never
 * come.
 * @param tell receives the reason, in plain words
 */
export async function waitForSchema(database: Database, log: Log, tell?: (why: string) => Promise<void>): Promise<void> {
  let said: string | undefined
  for (;;) {
    const lack = await look(database)
    if (lack === undefined) return
    if (!lack.mends) {
      log.fatal(lack.why)
      process.exit(2)
    }
    if (lack.why !== said) {
      log.warn(lack.why)
      await tell?.(lack.told)
    }
    said = lack.why
    await pause(PAUSE)
  }
}
