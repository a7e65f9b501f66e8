import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { readSchema } from '../platform/schema-files.ts'
import { SchemaRefused, whatSchemaLacks } from '../platform/schema-state.ts'

/** Milliseconds between two looks at the schema. */
const PAUSE = 500

/** What keeps this version from working on the database, as one sentence; undefined: nothing. */
export const schemaLack = async (database: Database): Promise<string | undefined> => (await look(database))?.why

/** What a driver says of a database that it cannot reach; of several addresses the first one. Passwords are in none of it. */
function wordsOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  return first instanceof Error ? first.message : String(first)
}

/** @returns `mends: false` where waiting is of no use: the database is not one that this version can work on */
export async function look({ pool }: Database): Promise<{ why: string; mends: boolean } | undefined> {
  try {
    const why = await whatSchemaLacks(pool, readSchema())
    return why === undefined ? undefined : { why, mends: true }
  } catch (error) {
    if (error instanceof SchemaRefused) return { why: error.message, mends: false }
    return { why: `The database does not answer: ${wordsOf(error)}`, mends: true }
  }
}

/**
 * Waits until the database has what this version needs, and says once what it lacks; ends the process with code 2 when it
 * never will. Nothing listens meanwhile: a proxy then sends every call to a process that can answer it.
 */
export async function waitForSchema(database: Database, log: Log): Promise<void> {
  let said: string | undefined
  for (;;) {
    const lack = await look(database)
    if (lack === undefined) return
    if (!lack.mends) {
      log.fatal(lack.why)
      process.exit(2)
    }
    if (lack.why !== said) log.warn(lack.why)
    said = lack.why
    await pause(PAUSE)
  }
}
