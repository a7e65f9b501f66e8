import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The clock of the instance. Business code reads no other, so tests and drills can set the time. */
export interface Clock {
  now(): Date
}

const OFFSET = /^([+-])(\d+)([smhd])$/
const MILLISECONDS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Reads the text of a clock file.
 * @param text an ISO 8601 time, or an offset such as `+1d`, `-2h`, `+90m`, `+30s`; blank means the real time
 * @throws Error for other texts
 */
function readClockText(text: string, real: Date): Date {
  const trimmed = text.trim()
  if (trimmed === '') return real
  const offset = OFFSET.exec(trimmed)
  if (offset !== null) {
    const size = Number(offset[2]) * MILLISECONDS[offset[3] as keyof typeof MILLISECONDS]
    return new Date(real.getTime() + (offset[1] === '-' ? -size : size))
  }
  const moment = new Date(trimmed)
  if (Number.isNaN(moment.getTime())) throw new Error(`clock file contains neither a time nor an offset: ${trimmed}`)
  return moment
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

/**
 * Creates a clock set by a file, read at each use. A missing file means real time.
 * @param real the clock of the real time
 */
export function fileClock(file: string, real: Clock): Clock {
  return { now: () => readClockText(readClockFile(file), real.now()) }
}

/** Returns the text of a clock file, blank if the file is missing or cannot be read. */
function readClockFile(file: string): string {
  // Most clocks have no file, and an exception per reading would be expensive.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return ''
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Longest distance in days between the real time and a clock that was moved by {@link advanceClockFile}. */
const MAX_DAYS_AHEAD = 3660

/**
 * Moves the clock of a clock file ahead. An offset stays an offset, so that the clock keeps running.
 * @returns the new time; undefined if the clock would be more than ten years ahead, and then nothing changes
 */
export function advanceClockFile(file: string, milliseconds: number, real: Date = new Date()): Date | undefined {
  const text = readClockFile(file)
  const moment = new Date(readClockText(text, real).getTime() + milliseconds)
  if (moment.getTime() - real.getTime() > MAX_DAYS_AHEAD * DAY_MS) return undefined
  const isFixed = text.trim() !== '' && !OFFSET.test(text.trim())
  const seconds = Math.round((moment.getTime() - real.getTime()) / 1000)
  mkdirSync(path.dirname(file), { recursive: true })
  const fresh = `${file}.new`
  writeFileSync(fresh, isFixed ? moment.toISOString() : `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s`)
  renameSync(fresh, file)
  return moment
}

/** Returns the error in a clock file as text for the operator; undefined if the file is usable or missing. */
export function clockFileFault(file: string): string | undefined {
  try {
    readClockText(readFileSync(file, 'utf8'), new Date())
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return undefined
    if (code !== undefined) return `${file} cannot be read as a file`
    return `${file} must contain a time such as 2026-03-02T09:00Z, or an offset such as +1d`
  }
}

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
