import type { ReplyOf } from '@tizara/contract'
import type { staffChange } from '@tizara/contract/staff-changes'
import { addDays, startOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { baselineOf, currentValueAt, kindOf, orNull, type Proposal, withoutId } from './proposal.ts'
import { asJson } from './shared/as-json.ts'

/** The effect of a proposal on the figures of a moment. */
export type Effect = NonNullable<ReplyOf<typeof staffChange>['effect']>

/** Whole past days used to compute an effect. */
const EFFECT_DAYS = 30

/**
 * Computes the effect of a proposal from the current values and the last 30 complete days; null if the kind has none. The input does not
 * change within a day, so that all readers see the same effect on that day.
 * @param startsAt null if the proposal takes effect on approval
 */
export async function effectOf(
  db: Db,
  deps: Pick<Deps, 'clock' | 'config'>,
  proposal: Proposal,
  startsAt: Date | null,
): Promise<Effect | null> {
  const kind = kindOf(proposal.subject)
  if (kind.effect === undefined) return null
  const at = deps.clock.now()
  const today = utcDay(at)
  const from = addDays(today, -EFFECT_DAYS)
  const before = await orNull(currentValueAt(db, deps, proposal, startsAt ?? at))
  const after = { ...(typeof before === 'object' ? before : {}), ...withoutId(proposal, asJson(proposal.value)) }
  const range = { from: startOfDay(from), to: startOfDay(today), now: at }
  const rows = await kind.effect(db, proposal.value, { before, after, ...range, keys: deps.config })
  const basedOn = `the days from ${from} to ${addDays(today, -1)}`
  return { rows, basedOn, hash: digest(JSON.stringify([rows, basedOn])).slice(0, 16), at }
}

/** Formats an effect for storage. */
export const storedEffect = ({ at, ...rest }: Effect) => ({ ...rest, at: at.toISOString() })

/** Reads a stored effect. */
export function readEffect(stored: unknown): Effect | null {
  if (stored === null) return null
  const { at, ...rest } = stored as Omit<Effect, 'at'> & { at: string }
  return { ...rest, at: new Date(at) }
}

/** Returns the newest simulation valid for an approval; undefined if the proposal kind needs none. */
export const newestSimulationOf = async (db: Db, deps: Pick<Deps, 'clock'>, { subject, value }: Proposal) =>
  kindOf(subject).simulation?.newest(db, deps.clock.now(), value)

type Row = { public_id: string; status: string; value: unknown; starts_at: Date | null }

/** Hashes the data that an approver sees. The hash changes with the proposal, the baseline and the effect. */
export async function expectedVersionOf(db: Db, deps: Pick<Deps, 'clock' | 'config'>, row: Row, proposal: Proposal): Promise<string> {
  const baseline = await orNull(baselineOf(db, deps, proposal, row.starts_at ?? deps.clock.now()))
  const effect = await effectOf(db, deps, proposal, row.starts_at)
  return versionOf(row, baseline, effect, (await newestSimulationOf(db, deps, proposal))?.hash)
}

/** Hashes data that the caller has read already. */
export function versionOf(row: Row, baseline: unknown, effect: Effect | null, simulation: string | undefined): string {
  const start = row.starts_at?.toISOString() ?? null
  const parts = [row.public_id, row.status, row.value, start, baseline, effect?.hash ?? null, simulation ?? null]
  return digest(JSON.stringify(parts)).slice(0, 16)
}
