import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { payDueRewardsNow } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { assertNotStopped } from '../../../ledger/index.ts'

/** Maximum wait of the call in ms. Longer runs continue in the background. */
const MAX_WAIT_MS = 2_000

/**
 * Pays due rewards now instead of at the next hour [RW-12]. Rewards are never paid twice, and the worker resumes an interrupted
 * run.
 * @returns `started` while the run continues; the list of runs shows the outcome
 * @throws AppError STAFF_ONLY, STOPPED, RUN_IN_PROGRESS
 */
export async function startRewardRun(
  db: Db,
  deps: Deps,
  actor: StaffActor,
  { pay = payDueRewardsNow, patienceMs = MAX_WAIT_MS }: { pay?: typeof payDueRewardsNow; patienceMs?: number } = {},
): Promise<'paid' | 'started'> {
  const refused = await inTransaction(db, async (tx) => {
    await assertStaff(tx, deps, actor, 'startRewardRun')
    await assertNotStopped(tx)
  }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  const run = async () => {
    try {
      await pay(db, deps, 'staff')
      return 'paid' as const
    } catch (error) {
      if (!(error instanceof AppError)) deps.log.error({ error }, 'a reward run that staff started failed')
      return { error }
    }
  }
  const outcome = refused ?? (await Promise.race([run(), wait(patienceMs, 'started' as const, { ref: false })]))
  const failed = typeof outcome === 'object' ? outcome.error : undefined
  await inTransaction(db, (tx) =>
    auditStaff(tx, deps, actor, {
      action: 'rewards.start-run',
      subject: { type: 'reward_run', id: 'due' },
      outcome: typeof outcome !== 'object' ? 'ok' : failed instanceof AppError ? failed.code : 'INTERNAL',
    }),
  )
  if (typeof outcome === 'object') throw failed
  return outcome
}
