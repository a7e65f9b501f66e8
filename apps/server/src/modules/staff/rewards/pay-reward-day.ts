import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { payDay, simulateDay } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import type { StaffActionName } from '../access/describe-staff-action.ts'

/** Maximum wait of the call in ms. Longer payments continue in the background. */
const MAX_WAIT_MS = 20_000

export interface DayToPay {
  /** UTC, `YYYY-MM-DD`. */
  day: string
  /** Hash of the dry run shown to the actor. */
  hash: string
  reason: string
}

type DayResult = Awaited<ReturnType<typeof simulateDay>>

const shown = ({ hash, accruals, totals }: DayResult) => ({
  hash,
  rewards: accruals,
  totals: totals.map(({ kind, asset, rows, amount }) => ({
    kind,
    asset: asset === 'USD' ? ('usd' as const) : ('coin' as const),
    rewards: Number(rows),
    amount,
  })),
})

/**
 * Simulates payment of the oldest open day [RW-12].
 * @throws AppError STAFF_ONLY, INVALID_INPUT for any other day, RUN_IN_PROGRESS
 */
export async function tryOneDay(db: Db, deps: Deps, actor: StaffActor, day: string) {
  await inTransaction(db, (tx) => assertStaff(tx, deps, actor, 'previewRewardDay'))
  const result = shown(await simulateDay(db, deps, day))
  await auditRewardDay(db, deps, actor, { action: 'rewards.simulate-day', day, detail: { hash: result.hash } })
  return result
}

/**
 * Pays the oldest open day, if the result still equals the dry run [RW-12].
 * @returns the payments; null while they continue
 * @throws AppError STAFF_ONLY, INVALID_INPUT for any other day, RUN_IN_PROGRESS, CHANGE_OUTDATED
 */
export async function payOneDay(db: Db, deps: Deps, actor: StaffActor, { day, hash, reason }: DayToPay) {
  const person = await inTransaction(db, async (tx) => {
    await assertStaff(tx, deps, actor, 'payRewardDay')
    return memberById(tx, actor.memberId)
  })
  const pay = async () => {
    try {
      return shown(await payDay(db, deps, { day, hash, by: person?.email ?? 'staff' }))
    } catch (error) {
      if (!(error instanceof AppError)) deps.log.error({ error }, 'a reward day that staff paid failed')
      return { error }
    }
  }
  const outcome = await Promise.race([pay(), wait(MAX_WAIT_MS, null, { ref: false })])
  const failed = outcome !== null && 'error' in outcome ? outcome.error : undefined
  const code = failed instanceof AppError ? failed.code : 'INTERNAL'
  await auditRewardDay(db, deps, actor, {
    action: 'rewards.pay-day',
    day,
    reason,
    ...(failed === undefined ? {} : { outcome: code }),
    detail: { hash },
  })
  if (outcome !== null && 'error' in outcome) throw outcome.error
  return outcome
}

const auditRewardDay = (
  db: Db,
  deps: Deps,
  actor: StaffActor,
  { action, day, ...entry }: { action: StaffActionName; day: string; reason?: string; outcome?: string; detail: Record<string, unknown> },
) => inTransaction(db, (tx) => auditStaff(tx, deps, actor, { action, subject: { type: 'reward_day', id: day }, ...entry }))
