/** The clock of the instance. Business code reads no other, so tests and drills can set the time. */
export interface Clock {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

/**
 * Returns the dependencies with a clock that is read once, on first use. All rows of an action then have the same time. An action that
 * waits for a lock must read the time after the lock.
 */
export function withFrozenClock<Around extends { clock: Clock }>(deps: Around): Around {
  let moment: Date | undefined
  return { ...deps, clock: { now: () => new Date((moment ??= deps.clock.now())) } }
}

export interface TestClock extends Clock {
  set(to: Date | string): void
  advance(milliseconds: number): void
}

/** Creates a test clock that is fixed until moved, for limits to the millisecond. */
export function testClock(start: Date | string): TestClock {
  let current = new Date(start)
  return {
    now: () => new Date(current),
    set: (to) => {
      current = new Date(to)
    },
    advance: (milliseconds) => {
      current = new Date(current.getTime() + milliseconds)
    },
  }
}

/** Creates a test clock that advances by 1 ms with each reading. */
export function movingClock(start: Date | string): TestClock {
  const clock = testClock(start)
  return {
    ...clock,
    now: () => {
      const now = clock.now()
      clock.advance(1)
      return now
    },
  }
}

/** Returns true if a time is less than the given ms ago. A future time predates a clock reset and is not recent. */
export function isRecent(moment: Date, now: Date, milliseconds: number): boolean {
  const age = now.getTime() - moment.getTime()
  return age >= 0 && age < milliseconds
}

export const HOUR_MS = 3_600_000
/** One UTC day in milliseconds. */
export const DAY_MS = 86_400_000

/** The UTC business day of a moment, as `YYYY-MM-DD` (invariant I18). */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/**
 * The start of a UTC business day.
 * @param day `YYYY-MM-DD`
 */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`)

/**
 * The last moment of a UTC business day.
 * @param day `YYYY-MM-DD`
 */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59.999Z`)

/**
 * A UTC day some days later.
 * @param day `YYYY-MM-DD`
 * @param days how many, below 0 for earlier
 */
export const addDays = (day: string, days: number): string =>
  new Date(startOfDay(day).getTime() + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Days from one UTC day to another.
 * @param from `YYYY-MM-DD`
 * @param to `YYYY-MM-DD`
 */
export const daysBetween = (from: string, to: string): number =>
  Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / 86_400_000)
