import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { DatabaseClock } from '../runtime/database-clock.ts'
import { readClock } from './follow-clock.ts'

/** Machine whose clock and monotonic time are set by hand, in ms. */
function machine(wall: number) {
  const time = { wall, monotonic: 1000 }
  return { time, clock: new DatabaseClock({ wall: () => time.wall, monotonic: () => time.monotonic }) }
}
/** Reading of the database that takes some ms, and its time at the middle. */
const reading =
  ({ time }: ReturnType<typeof machine>, database: number, took: number) =>
  async () => {
    time.monotonic += took
    return new Date(database)
  }
const at = ({ clock }: ReturnType<typeof machine>) => clock.now().getTime()

describe('the clock of a process', () => {
  it('shows the time of the machine until the first reading, and the time of the database from then on', async () => {
    const ahead = machine(80_000)
    expect(at(ahead)).toBe(80_000)
    await ahead.clock.follow(reading(ahead, 60_000, 10))
    expect(at(ahead)).toBeGreaterThanOrEqual(60_000)
    expect(at(ahead)).toBeLessThanOrEqual(60_011)
  })

  it('continues between readings when the machine’s clock is changed', async () => {
    const moved = machine(60_000)
    await moved.clock.follow(reading(moved, 60_000, 0))
    moved.time.wall += 365 * 86_400_000
    moved.time.monotonic += 250
    expect(at(moved)).toBe(60_250)
  })

  it('is not changed by a reading that agrees with it, however long the answer takes', async () => {
    const exact = machine(60_000)
    for (const took of [0, 5000, 1]) {
      const before = at(exact)
      await exact.clock.follow(reading(exact, before + took / 2, took))
      expect(at(exact)).toBe(before + took)
    }
  })

  it('follows a database whose clock is set forward or back', async () => {
    const process = machine(60_000)
    for (const database of [90_000, 30_000]) {
      await process.clock.follow(reading(process, database, 4))
      expect(Math.abs(at(process) - database)).toBeLessThanOrEqual(5)
    }
  })

  it('agrees with that of another process whose machine is 20 seconds ahead', async () => {
    const { db } = await testDatabase()
    const clockOf = (skew: number) => new DatabaseClock({ wall: () => Date.now() + skew, monotonic: () => performance.now() })
    const [early, late] = [clockOf(0), clockOf(20_000)]
    expect(late.now().getTime() - early.now().getTime()).toBeGreaterThan(19_000)
    await Promise.all([readClock(db, early), readClock(db, late)])
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    const database = rows[0]?.at.getTime() ?? 0
    // Each clock differs from the database by at most one round trip, which is far below 20 seconds.
    for (const clock of [early, late]) expect(Math.abs(clock.now().getTime() - database)).toBeLessThan(10_000)
  })

  it('keeps its time when the database does not answer', async () => {
    const cut = machine(60_000)
    await expect(cut.clock.follow(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    expect(at(cut)).toBe(60_000)
  })

  it('of a production process is not moved by an offset', async () => {
    const { db } = await testDatabase()
    const clock = new DatabaseClock()
    await db.updateTable('clock_offset').set({ seconds: 86_400 }).execute()
    await readClock(db, clock, false)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(60_000)
  })

  it('is moved by the offset in the database', async () => {
    const { db } = await testDatabase()
    const clock = new DatabaseClock()
    for (const seconds of [-7200, 86_400, 0]) {
      await db.updateTable('clock_offset').set({ seconds }).execute()
      await readClock(db, clock)
      expect(Math.abs(clock.now().getTime() - Date.now() - seconds * 1000)).toBeLessThan(60_000)
    }
  })
})
