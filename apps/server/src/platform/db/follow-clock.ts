import { sql } from 'kysely'
import { type DatabaseClock, databaseClock } from '../runtime/database-clock.ts'
import type { Database, Db } from './database.ts'

/** Time in ms between two readings of the database's clock. */
const FOLLOW_MS = 5000

/**
 * Reads the database's clock twice, because the first reading may include the time to connect.
 * @throws Error if the database does not answer; the clock then continues by the monotonic clock of the process
 */
export async function readClock(db: Db, clock: DatabaseClock = databaseClock): Promise<void> {
  for (let reading = 0; reading < 2; reading += 1)
    await clock.follow(async () => {
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
      const [row] = rows
      if (row === undefined) throw new Error('the database returned no time')
      return row.at
    })
}

/**
 * Adjusts the process's clock to the database until the database is closed. The timer does not keep the process alive. While the database
 * does not respond, the process uses its monotonic clock.
 */
export function followClock(database: Database): Database {
  const timer = setInterval(() => void readClock(database.db).catch(() => undefined), FOLLOW_MS)
  timer.unref()
  return {
    ...database,
    close: async () => {
      clearInterval(timer)
      await database.close()
    },
  }
}
