import type { Clock } from './clock.ts'

/** Time sources of this process, in ms. Tests give them different times. */
interface Sources {
  /** Time of the machine, used until the first reading of the database. */
  wall: () => number
  /** Time since some moment, which no change of the machine's clock moves. */
  monotonic: () => number
}

/**
 * Clock of the database, so that all processes agree on prices, plans and limits (docs/decisions/0050-one-time.md). Between two readings
 * the clock adds the time of the process's monotonic clock, so that a change of the machine's clock has no effect.
 */
export class DatabaseClock implements Clock {
  readonly #sources: Sources
  /** Database time minus monotonic time, in ms. */
  #offset: number

  constructor(sources: Sources = { wall: () => Date.now(), monotonic: () => performance.now() }) {
    this.#sources = sources
    this.#offset = sources.wall() - sources.monotonic()
  }

  now(): Date {
    return new Date(this.#offset + this.#sources.monotonic())
  }

  /**
   * Reads the clock of the database. The true offset lies in the interval between request and response. If the present offset is outside of
   * this interval, it is set to the nearer end; otherwise it stays. A clock that is already correct therefore does not change.
   * @param read returns the time of the database, truncated to ms
   */
  async follow(read: () => Promise<Date>): Promise<void> {
    const sent = this.#sources.monotonic()
    const database = (await read()).getTime()
    const [earliest, latest] = [database - this.#sources.monotonic(), database + 1 - sent]
    this.#offset = Math.min(Math.max(this.#offset, earliest), latest)
  }
}

/** The clock of this process. `openConfigured` lets it follow the database and the offset in `clock_offset`. */
export const databaseClock = new DatabaseClock()
