import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import {
  currentProgramme,
  lockNewestProgramme,
  type NewProgramme,
  type Programme,
  startsAfter,
  storeProgramme,
} from '../programme/programme.ts'
import { areValid, isDearer, type ProgrammeRules, rulesText, shareOf } from '../programme/rewards.rules.ts'
import { coverageOf } from './coverage.ts'

/**
 * Adds a version of the programme. Earlier sales keep their version. A more expensive version must be covered, like a sale.
 * @returns the new version
 * @throws AppError INVALID_INPUT when a share is no percentage with at most 4 decimals, a list has not five levels, ranks do not rise, or
 * the start is past; PROGRAMME_NOT_COVERED
 */
export async function addProgramme(tx: Tx, change: NewProgramme): Promise<Programme> {
  const newest = await lockNewestProgramme(tx)
  return storeProgramme(tx, newest.version + 1, await assertProgramme(tx, change), change)
}

/**
 * Rejects an invalid version.
 * @returns its complete rules
 * @throws AppError INVALID_INPUT, PROGRAMME_NOT_COVERED, as `addProgramme`
 */
export async function assertProgramme(tx: Tx, change: Pick<NewProgramme, 'rules' | 'startsAt' | 'at'>): Promise<ProgrammeRules> {
  const before = await currentProgramme(tx, change.startsAt)
  const rules: ProgrammeRules = { ...before, ...change.rules }
  if (change.startsAt < change.at || !areValid(rules)) throw new AppError('INVALID_INPUT')
  await assertVersionCovered(tx, { before, after: rules, at: change.at })
  return rules
}

/**
 * Rebuilds the future versions from the current rules and the approved steps. A withdrawn step is superseded by the rules before it:
 * versions are append-only.
 * @param steps future steps in start order, each checked by `assertProgramme` at its approval
 */
export async function scheduleProgramme(tx: Tx, at: Date, steps: readonly NewProgramme[]): Promise<void> {
  let newest = await lockNewestProgramme(tx)
  const starts = new Set([...(await startsAfter(tx, at)), ...steps.map((step) => step.startsAt.getTime())])
  let current: ProgrammeRules = await currentProgramme(tx, at)
  for (const start of [...starts].toSorted((a, b) => a - b)) {
    const startsAt = new Date(start)
    const due = steps.filter((step) => step.startsAt.getTime() === start)
    const rules: ProgrammeRules = due.reduce((all, step) => ({ ...all, ...step.rules }), current)
    const planned = await currentProgramme(tx, startsAt)
    const last = due.at(-1) ?? { rules: {}, startsAt, at, reason: 'A planned proposal was cancelled', by: null }
    if (planned.startsAt.getTime() !== start || rulesText(planned) !== rulesText(rules))
      newest = await storeProgramme(tx, newest.version + 1, rules, { ...last, at })
    current = rules
  }
}

/**
 * Rejects a version more expensive than the one before if pool and commitment do not cover the forecast under it.
 * A version affects:
 * - Daily and monthly rewards: no. They come from the plan and the NFT.
 * - Profit bounties and stake log bounties on running sources: no. A stake or NFT keeps the version under which it was sold.
 * - Level rewards on past sales: no. They were computed at the sale and are pending.
 * - Level rewards and bounties on future sales: for all uplines. An uncovered sale is rejected, so they add nothing here, but a pool
 * already short rejects a more expensive version.
 * - Referral rewards on future coin purchases: for the sponsor. The pool never blocks a coin purchase, so the forecast assumes as much
 * coin in the next hold period as in the last, at the higher share.
 * - Ranks: for stakes sold under the version, which carry their rank budget. Earlier stakes hand out by their own ladder.
 * A version that is nowhere more expensive is always accepted.
 * @throws AppError PROGRAMME_NOT_COVERED
 */
async function assertVersionCovered(tx: Tx, version: { before: ProgrammeRules; after: ProgrammeRules; at: Date }): Promise<void> {
  const { before, after, at } = version
  for (const asset of ['COIN', 'USD'] as const) {
    if (!isDearer(before, after, asset)) continue
    const coverage = await coverageOf(tx, asset)
    const added = asset === 'COIN' ? await referralsToCome(tx, before, after, at) : 0n
    const [wanted, there] = [coverage.promised + coverage.owed + added, coverage.pool + coverage.committed]
    if (wanted <= there) continue
    throw new AppError('PROGRAMME_NOT_COVERED', {
      wanted: formatUnits(wanted),
      added: formatUnits(added),
      there: formatUnits(there),
      unit: asset === 'COIN' ? 'coin' : 'USD',
    })
  }
}

/** Returns the additional cost of a higher referral share, in coin units, until the rewards of one hold period are paid. */
export async function referralsToCome(tx: Db, before: ProgrammeRules, after: ProgrammeRules, at: Date): Promise<Units> {
  if (after.referralPercent <= before.referralPercent) return 0n
  const found = await sql<{ bought: bigint }>`
    select coalesce(sum(base), 0)::bigint as bought from reward_instant
    where status in ('held', 'owed') and release_at > ${at} and kind = 'referral'`.execute(tx)
  return shareOf(found.rows[0]?.bought ?? 0n, after.referralPercent - before.referralPercent)
}
