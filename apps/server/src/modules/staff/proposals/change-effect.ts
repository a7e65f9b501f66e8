import type { staffChange } from '@tizara/contract/staff-changes'
import type { ReplyOf } from '@tizara/contract'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { addDays, startOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { asJson, baseOf, type Change, holdsAt, withoutIds } from './kinds/change-subjects.ts'
import { rowsOf } from './kinds/effect-rows.ts'
import { draftAt, newestSimulation } from './kinds/programme-simulation.ts'

/** What a change does by the figures of a moment. */
export type Effect = NonNullable<ReplyOf<typeof staffChange>['effect']>

/** Whole days of the past that an effect is worked out from. */
const DAYS = 30

/**
 * What a change does by the figures that hold now and the last 30 whole days; null for an act that says it all itself. It
 * rests on nothing that moves within a day, so that two people who look on one day see the same.
 * @param startsAt when it is to begin; null: on approval
 */
export async function effectOf(
  db: Db,
  deps: Pick<Deps, 'clock' | 'config'>,
  change: Change,
  startsAt: Date | null,
): Promise<Effect | null> {
  const at = deps.clock.now()
  const today = utcDay(at)
  const from = addDays(today, -DAYS)
  const before = await holdsAt(db, deps, change, startsAt ?? at).catch(onlyMissing)
  const after = { ...(typeof before === 'object' ? before : {}), ...withoutIds(asJson(change.value)) }
  const rows = await rowsOf(db, change, { before, after, from: startOfDay(from), to: startOfDay(today), at })
  if (rows === null) return null
  const restsOn = `the days from ${from} to ${addDays(today, -1)}`
  return { rows, restsOn, hash: digest(JSON.stringify([rows, restsOn])).slice(0, 16), at }
}

const onlyMissing = (error: unknown): null => {
  if (error instanceof AppError) return null
  throw error
}

/** An effect as it is kept with the proposal, and read again. */
export const storedEffect = ({ at, ...rest }: Effect) => ({ ...rest, at: at.toISOString() })
export function readEffect(stored: unknown): Effect | null {
  if (stored === null) return null
  const { at, ...rest } = stored as Omit<Effect, 'at'> & { at: string }
  return { ...rest, at: new Date(at) }
}

/** Stands for what an approval rests on: another one as soon as the change, what holds, or its effect is another. */
export async function seenOf(
  db: Db,
  deps: Pick<Deps, 'clock' | 'config'>,
  row: { public_id: string; status: string; value: unknown; starts_at: Date | null },
  change: Change,
): Promise<string> {
  const holds = await baseOf(db, deps, change, row.starts_at ?? deps.clock.now()).catch(onlyMissing)
  const effect = await effectOf(db, deps, change, row.starts_at)
  return markOf(row, holds, effect, (await simulationFor(db, deps, change))?.hash)
}

export const simulationFor = async (db: Db, deps: Pick<Deps, 'clock'>, change: Change) =>
  change.subject === 'programme' ? newestSimulation(db, deps.clock.now(), await draftAt(db, change.value, deps.clock.now())) : undefined

/** The same out of what was read already. */
export function markOf(
  row: { public_id: string; status: string; value: unknown; starts_at: Date | null },
  base: unknown,
  effect: Effect | null,
  simulation: string | undefined,
): string {
  const start = row.starts_at?.toISOString() ?? null
  const parts = [row.public_id, row.status, row.value, start, base, effect?.hash ?? null, simulation ?? null]
  return digest(JSON.stringify(parts)).slice(0, 16)
}
