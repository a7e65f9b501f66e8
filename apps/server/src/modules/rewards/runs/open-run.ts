import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { DueWindow, Watch } from './run-due.ts'
import { cutSources } from './run-slices.ts'

export interface Run extends DueWindow {
  id: bigint
  /** The watermark at the start; undefined if the run reads all sources. */
  watch: Watch | undefined
  /** True for a run with little to do: it reads only sources near the watermark, in one partition. */
  few: boolean
}

/**
 * Opens a run; `workOut` calculates it.
 * @param size source ids per partition
 */
export async function openRun(tx: Tx, deps: Deps, run: Omit<Run, 'id'>, by: string | null, size: number): Promise<Run> {
  const { watch } = run
  const row = await tx
    .insertInto('reward_run')
    .values({
      day: run.day,
      through: run.through,
      status: 'FACTS',
      by_hand: run.byHand,
      started_by: by,
      started_at: deps.clock.now(),
      few: run.few,
      clear_through: watch?.clearThrough ?? null,
      seen_source: watch?.seen ?? null,
      newest_source: watch?.newest ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await cutSources(tx, row.id, run.few ? null : size)
  return { ...run, id: row.id }
}

/** Returns the run in status FACTS, if any: there is at most one. */
export async function unfinishedRun(db: Db): Promise<Run | undefined> {
  const row = await db.selectFrom('reward_run').selectAll().where('status', '=', 'FACTS').executeTakeFirst()
  if (row === undefined) return undefined
  const { clear_through: clearThrough, seen_source: seen, newest_source: newest } = row
  const watch = clearThrough === null || seen === null || newest === null ? undefined : { clearThrough, seen, newest }
  return { id: row.id, day: row.day, through: row.through, byHand: row.by_hand, few: row.few, watch }
}

/**
 * SQL condition: credit `c` belongs to a summed run. Workers write credits share by share, so readers of all credits wait for the last
 * share.
 */
export const ofSummedRun = sql<boolean>`c.run_id is distinct from (select id from reward_run where status = 'FACTS')`
