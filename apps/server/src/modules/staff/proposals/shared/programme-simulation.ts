import type { ReplyOf } from '@tizara/contract'
import type { staffChange } from '@tizara/contract/staff-changes'
import { SIMULATION_HOURS } from '@tizara/contract/staff-programme'
import { programmeValue } from '@tizara/contract/staff-values'
import * as v from 'valibot'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { HOUR_MS } from '../../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { digest } from '../../../../platform/runtime/ids.ts'
import { membersById } from '../../../members/index.ts'
import {
  currentProgramme,
  dayHashes,
  type ProgrammeRules,
  rulesText,
  type Simulation,
  type SimulatedDays,
  wholeDraft,
} from '../../../rewards/index.ts'
import { currentMaxGain } from './max-gain.ts'
import { omitUndefined } from '../../access/omit-undefined.ts'
import { personOf } from '../../access/person.ts'

export type ProgrammeValue = v.InferOutput<typeof programmeValue>
const wholeValue = v.required(programmeValue)

/**
 * Reads the rules from a job's input.
 * @throws AppError INVALID_INPUT
 */
export function readRules(json: unknown): ProgrammeRules {
  const read = v.safeParse(wholeValue, json)
  if (!read.success) throw new AppError('INVALID_INPUT')
  return wholeDraft(read.output, {})
}

/**
 * Returns all rules under a draft at its start.
 * @throws AppError INVALID_INPUT
 */
export async function draftAt(db: Db, value: ProgrammeValue, at: Date): Promise<ProgrammeRules> {
  const { version: _, startsAt: __, ...current } = await currentProgramme(db, at)
  return wholeDraft(current, omitUndefined(value))
}

const rulesHash = (rules: ProgrammeRules) => digest(rulesText(rules)).slice(0, 16)

/**
 * Hashes the inputs of a result: the draft, the days and their payments, and the current maximum gain of a member group. Sales of past days do not
 * change; a later reversal only reduces the effect of a draft.
 */
export async function effectInputHash(db: Db, now: Date, { rules, days }: Pick<Simulation, 'rules' | 'days'>): Promise<string> {
  const { once, perMonth } = await currentMaxGain(db, now, rules)
  return digest([rulesText(rules), days.first, days.last, ...(await dayHashes(db, days)), once, perMonth].join('|'))
}

export async function saveSimulation(
  tx: Tx,
  deps: Deps,
  { id, askedBy, simulation, hash }: { id: string; askedBy: bigint; simulation: Simulation; hash: string },
): Promise<void> {
  const now = deps.clock.now()
  await tx
    .insertInto('programme_simulation')
    .values({
      id,
      asked_by: askedBy,
      rules: rulesHash(simulation.rules),
      first_day: simulation.days.first,
      last_day: simulation.days.last,
      input_hash: await effectInputHash(tx, now, simulation),
      hash,
      made_at: now,
    })
    .execute()
}

const freshOf = (db: Db, rules: ProgrammeRules, now: Date) =>
  db
    .selectFrom('programme_simulation')
    .selectAll()
    .where('rules', '=', rulesHash(rules))
    .where('made_at', '>', new Date(now.getTime() - SIMULATION_HOURS * HOUR_MS))
    .where('made_at', '<=', now)
    .orderBy('number', 'desc')
    .limit(1)

const daysOf = (row: { first_day: string; last_day: string }): SimulatedDays => ({ first: row.first_day, last: row.last_day })

/**
 * Rejects a programme proposal unless its proposer simulated exactly these rules within a day.
 * @throws AppError SIMULATION_NEEDED
 */
export async function assertSimulated(
  tx: Tx,
  now: Date,
  rules: ProgrammeRules,
  seen: { hash: string | undefined; by: bigint },
): Promise<void> {
  const row =
    seen.hash === undefined
      ? undefined
      : await freshOf(tx, rules, now).where('hash', '=', seen.hash).where('asked_by', '=', seen.by).executeTakeFirst()
  if (row === undefined || row.input_hash !== (await effectInputHash(tx, now, { rules, days: daysOf(row) })))
    throw new AppError('SIMULATION_NEEDED')
}

/**
 * Rejects the approval of a programme if the newest simulation of its rules is older than a day, or if the input has changed. Any staff
 * member may have run the simulation.
 * @returns the simulation's hash
 * @throws AppError SIMULATION_NEEDED, CHANGE_OUTDATED
 */
export async function assertStillSimulated(tx: Tx, now: Date, rules: ProgrammeRules): Promise<string> {
  const row = await freshOf(tx, rules, now).executeTakeFirst()
  if (row === undefined) throw new AppError('SIMULATION_NEEDED')
  if (row.input_hash !== (await effectInputHash(tx, now, { rules, days: daysOf(row) }))) throw new AppError('CHANGE_OUTDATED')
  return row.hash
}

/** Returns the newest simulation valid for an approval. */
export async function newestSimulation(db: Db, now: Date, rules: ProgrammeRules): Promise<ReplyOf<typeof staffChange>['simulation']> {
  const row = await freshOf(db, rules, now).executeTakeFirst()
  if (row === undefined) return undefined
  const people = await membersById(db, [row.asked_by])
  return { jobId: row.id, hash: row.hash, at: row.made_at, by: personOf(people.get(row.asked_by)) }
}
