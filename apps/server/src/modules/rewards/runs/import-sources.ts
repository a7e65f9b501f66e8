import type { Units } from '@tizara/money'
import { addDays, DAY_MS, startOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRows } from '../../../platform/db/insert-rows.ts'
import { recordTeamVolume } from '../../team/index.ts'
import { largestBounty, liabilitiesOf, volumeOf } from '../instant/source-sales.ts'
import { type NewLiability, recordLiabilities } from '../pool/liabilities.ts'
import { commitUncovered } from '../pool/staff-money.ts'
import { currentProgramme } from '../programme/programme.ts'
import { sharesOf, STREAM_PROPERTIES, type Stream } from '../programme/rewards.rules.ts'
import { type SoldSource, type Source, sourceColumns } from '../sources/source.ts'
import { CATCH_UP_DAYS, resetWatermark } from './run-due.ts'

/** A source that another platform sold, with the number of steps that it has paid. */
export interface ImportedSource extends SoldSource {
  startsAt: Date
  processed: number
}

/** Liabilities that one statement inserts. */
const ROWS = 5_000

/** Days of rewards that an import may leave to this platform: one fewer than a run catches up on, because a run may start a day later. */
export const MAX_UNPAID_DAYS = CATCH_UP_DAYS - 1

/** Returns the first time at which the next reward of an imported source may be due, so that a run still pays it. */
export const firstImportedDue = (now: Date): Date => startOfDay(addDays(utcDay(now), -MAX_UNPAID_DAYS))

/** Returns a function for the bounties of all levels on one reward by the programme in force, in units. */
export async function bountyAt(db: Db, at: Date): Promise<(stream: Stream, reward: Units) => Units> {
  const programme = await currentProgramme(db, at)
  return (stream, reward) => largestBounty(reward, sharesOf(programme, stream).bounties)
}

/**
 * Starts an import of sources, which owe only their own rewards and bounties: no level rewards and no rank budget
 * (docs/decisions/0068-imported-stakes.md). The caller adds all sources and then calls `finish` as the last step of its transaction.
 */
export async function startSourceImport(tx: Tx, at: Date) {
  const { version } = await currentProgramme(tx, at)
  const bountyOf = await bountyAt(tx, at)
  const liabilities = new Map<string, NewLiability>()
  const add = async (imported: readonly ImportedSource[]): Promise<void> => {
    const sources = imported.map((one) => ({ ...one, version, bounty: bountyOf(one.stream, one.amount), rankBudget: 0n }))
    await insertRows(
      tx,
      'reward_source',
      sources.map((source) => ({ ...sourceColumns(source), processed: source.processed, is_imported: true })),
    )
    await recordTeamVolume(
      tx,
      sources.map((source) => volumeOf(source, source.principal)),
    )
    for (const source of sources) for (const liability of openLiabilitiesOf(source)) addTo(liabilities, liability)
  }
  /** Records the liabilities. What they exceed the free coverage by raises the operator's commitment, with the reason. */
  const finish = async (reason: string): Promise<void> => {
    const all = [...liabilities.values()]
    for (let index = 0; index < all.length; index += ROWS) await recordLiabilities(tx, all.slice(index, index + ROWS))
    await resetWatermark(tx)
    await commitUncovered(tx, { at, reason })
  }
  return { version, add, finish }
}

/** Returns the liabilities of an imported source. Months of NFTs have different lengths, so each month is one liability. */
function openLiabilitiesOf(source: Omit<Source, 'id' | 'reversedAt'>): NewLiability[] {
  if (source.stream !== 2) return liabilitiesOf(source)
  return Array.from({ length: source.steps - source.processed }, (_, index) => {
    const due = stepAt(source.stream, source.startsAt, source.processed + index + 1)
    const payment = { step: 'day', startsAt: new Date(due.getTime() - DAY_MS), steps: 1 } as const
    return [
      { ...payment, kind: STREAM_PROPERTIES[2].own, amount: source.amount },
      { ...payment, kind: STREAM_PROPERTIES[2].bounty, amount: source.bounty },
    ]
  }).flat()
}

/** Returns the due time of the n-th step, like `reward_step` in the database. In a shorter month the step is due on the last day. */
export function stepAt(stream: Stream, startsAt: Date, n: number): Date {
  if (stream !== 2) return new Date(startsAt.getTime() + n * DAY_MS)
  const due = new Date(startsAt)
  due.setUTCMonth(startsAt.getUTCMonth() + n)
  // A day that the month does not have moves the date into the next month. Day 0 is the last day of the month before.
  if (due.getUTCDate() !== startsAt.getUTCDate()) due.setUTCDate(0)
  return due
}

/** Adds a liability to those of the same kind, UTC days and steps, so that a million stakes need some ten thousand rows. */
function addTo(sums: Map<string, NewLiability>, { kind, step, startsAt, steps, amount }: NewLiability): void {
  if (amount === 0n || steps === 0) return
  const day = startsAt.getTime() - (startsAt.getTime() % DAY_MS)
  const key = `${kind} ${day} ${steps}`
  sums.set(key, { kind, step, startsAt: new Date(day), steps, amount: amount + (sums.get(key)?.amount ?? 0n) })
}
