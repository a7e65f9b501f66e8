import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { DueWindow, Watermark } from './run-due.ts'
import { partitionSources } from './run-partitions.ts'

export interface Run extends DueWindow {
  id: bigint
  /** The watermark at the start; undefined if the run reads all sources. */
  watermark: Watermark | undefined
  /** True for a small run: it reads only sources near the watermark, in one partition. */
  isSmall: boolean
}

/**
 * Opens a run; `calculateRun` calculates it.
 * @param size source ids per partition
 */
export async function openRun(tx: Tx, deps: Deps, run: Omit<Run, 'id'>, by: string | null, size: number): Promise<Run> {
  const { watermark } = run
  const row = await tx
    .insertInto('reward_run')
    .values({
      day: run.day,
      through: run.through,
      status: 'RECORDING',
      by_hand: run.byHand,
      started_by: by,
      started_at: deps.clock.now(),
      is_small: run.isSmall,
      written_through: watermark?.writtenThrough ?? null,
      seen_source: watermark?.seen ?? null,
      newest_source: watermark?.newest ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await partitionSources(tx, row.id, run.isSmall ? null : size)
  return { ...run, id: row.id }
}

/** Returns the run in status RECORDING, if any. At most one exists. */
export async function unfinishedRun(db: Db): Promise<Run | undefined> {
  const row = await db.selectFrom('reward_run').selectAll().where('status', '=', 'RECORDING').executeTakeFirst()
  if (row === undefined) return undefined
  const { written_through: writtenThrough, seen_source: seen, newest_source: newest } = row
  const watermark = writtenThrough === null || seen === null || newest === null ? undefined : { writtenThrough, seen, newest }
  return { id: row.id, day: row.day, through: row.through, byHand: row.by_hand, isSmall: row.is_small, watermark }
}

/**
 * SQL condition: credit `c` belongs to a summed run. Workers write credits share by share, so readers of all credits wait for the last
 * share.
 */
export const ofSummedRun = sql<boolean>`c.run_id is distinct from (select id from reward_run where status = 'RECORDING')`
