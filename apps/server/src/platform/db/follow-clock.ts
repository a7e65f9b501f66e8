import { sql } from 'kysely'
import { utcDay } from '../runtime/clock.ts'
import { type DatabaseClock, databaseClock } from '../runtime/database-clock.ts'
import { type Database, type Db, sqlState } from './database.ts'

/** Time in ms after which the database's clock is read again. Outside production, other processes can move the clock. */
const FOLLOW_MS = { production: 5000, development: 500, test: 500 } as const

/**
 * Reads the platform's time, which is the database's clock plus `clock_offset`. Reads it twice, because the first reading may include the
 * time to connect.
 * @param isMovable false: ignores the offset, for a production process that runs while somebody writes one
 * @throws Error if the database does not answer; the clock then continues by the monotonic clock of the process
 */
export async function readClock(db: Db, clock: DatabaseClock = databaseClock, isMovable = true): Promise<void> {
  const offset = isMovable ? sql`(select seconds from clock_offset)` : sql`0`
  for (let reading = 0; reading < 2; reading += 1)
    await clock.follow(async () => {
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() + make_interval(secs => ${offset}) as at`.execute(db)
      const [row] = rows
      if (row === undefined) throw new Error('the database returned no time')
      return row.at
    })
}

/**
 * Moves the platform's clock, that of this process at once and that of others within a second. Records the move, so that reward runs pay the
 * days in between.
 * @returns false if the clock would differ from the database's by more than ten years, and then nothing changes
 */
export async function moveClock(db: Db, seconds: number): Promise<boolean> {
  try {
    await sql`
      update clock_offset set seconds = seconds + ${seconds}, moved_to = clock_timestamp() + make_interval(secs => seconds + ${seconds}::int)`.execute(
      db,
    )
  } catch (error) {
    if (sqlState(error) === '23514') return false
    throw error
  }
  await readClock(db)
  return true
}

/** Returns the UTC day to which {@link moveClock} last moved the clock; null if the clock is not moved. */
export async function readRecordedMove(db: Db): Promise<string | null> {
  const { seconds, moved_to: to } = await db.selectFrom('clock_offset').select(['seconds', 'moved_to']).executeTakeFirstOrThrow()
  return seconds === 0 || to === null ? null : utcDay(to)
}

/** Returns the offset of the platform's clock from the database's, in seconds. */
export async function readClockOffset(db: Db): Promise<number> {
  return (await db.selectFrom('clock_offset').select('seconds').executeTakeFirstOrThrow()).seconds
}

/**
 * Adjusts the process's clock to the database until the database is closed. A production process does not start with an offset
 * (`sandbox/demo/reject-sandbox.ts`), and ignores one that is written later. The timer does not keep the process alive. While the database
 * does not respond, the process uses its monotonic clock.
 */
export function followClock(database: Database, mode: keyof typeof FOLLOW_MS): Database {
  const timer = setInterval(() => void readClock(database.db, databaseClock, mode !== 'production').catch(() => undefined), FOLLOW_MS[mode])
  timer.unref()
  return {
    ...database,
    close: async () => {
      clearInterval(timer)
      await database.close()
    },
  }
}
