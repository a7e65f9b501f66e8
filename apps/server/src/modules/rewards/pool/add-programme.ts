import { AppError } from '../../../platform/app-error.ts'
import type { Tx } from '../../../platform/database.ts'
import { holdNewestProgramme, type NewProgramme, type Programme, storeProgramme } from '../programme/programme.ts'
import { areValid, type ProgrammeRules } from '../programme/rewards.rules.ts'
import { assertVersionCovered } from './cover-version.ts'

/**
 * Adds a version of the programme. What was sold before its start keeps its own version. A version that is dearer than the
 * one before has to be covered, as a sale has (see cover-version.ts for what changes for whom).
 * @returns the new version
 * @throws AppError INVALID_INPUT when a share is no percentage with at most 4 decimals, a list has not five levels, ranks
 * do not rise, or the start lies in the past or before another version's; NOT_COVERED
 */
export async function addProgramme(tx: Tx, change: NewProgramme): Promise<Programme> {
  const newest = await holdNewestProgramme(tx)
  const rules: ProgrammeRules = { ...newest, ...change.rules }
  if (change.startsAt < change.at || change.startsAt <= newest.startsAt || !areValid(rules)) throw new AppError('INVALID_INPUT')
  await assertVersionCovered(tx, { before: newest, after: rules, at: change.at })
  return storeProgramme(tx, newest.version + 1, rules, change)
}
