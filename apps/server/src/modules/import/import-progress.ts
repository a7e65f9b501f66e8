import type { importStages } from '@tizara/contract/staff-imports'
import { sql } from 'kysely'
import { faultPoint } from '../../platform/runtime/fault-point.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { isHeld, lastErrorOf } from '../../jobs/job.ts'
import { parseTotals } from './import-totals.ts'

/** Name of the job that applies imports. */
export const IMPORT_JOB = 'import'

/** Rows per tick of `import_progress`. */
const TICK_ROWS = 1_000

/** Counts the work of a running import. */
export interface ProgressCounter {
  /** Marks the end of the verification, and the start of the comparison. */
  step(): Promise<void>
  /** Counts added rows. */
  add(rows: number): Promise<void>
}

/** Counts in a sequence. Unlike rows, its value is visible to other transactions while the import's transaction is open. */
export function importProgress(tx: Tx): ProgressCounter {
  let rows = 0
  const tick = (count: number) => sql`select count(nextval('import_progress')) from generate_series(1, ${count}::int)`.execute(tx)
  return {
    step: async () => {
      faultPoint('import_step')
      await tick(1)
    },
    add: async (added) => {
      faultPoint('import_step')
      const ticks = Math.floor((rows + added) / TICK_ROWS) - Math.floor(rows / TICK_ROWS)
      rows += added
      if (ticks > 0) await tick(ticks)
    },
  }
}

/** Progress of an approved import. */
export interface ImportProgress {
  stage: (typeof importStages)[number]
  /** Added rows, in steps of 1,000, and all rows. */
  done: number
  total: number
  /** False while no worker applies the import, such as after a failure or during an emergency pause. */
  isRunning: boolean
  /** Error of the job's last run, or null. */
  error: string | null
}

/** Reads the progress of an approved import. */
export async function readProgress(db: Db, hash: string): Promise<ImportProgress> {
  const { rows } = await sql<{ ticks: number; members: number; balances: number; totals: string }>`
    select coalesce(case when s.is_called then s.last_value end - progress_from, 0)::int as ticks, members, balances, totals
    from import_batch cross join import_progress s where hash = ${hash} and status = 'APPROVED'`.execute(db)
  const [isRunning, error] = [await isHeld(db, IMPORT_JOB), await lastErrorOf(db, IMPORT_JOB)]
  const [batch] = rows
  if (batch === undefined) return { stage: 'verify', done: 0, total: 0, isRunning, error }
  const { stakes, nfts } = parseTotals(batch.totals)
  const parts = { members: batch.members, balances: batch.balances, stakes, nfts }
  const total = Object.values(parts).reduce((sum, count) => sum + count, 0)
  if (!isRunning || batch.ticks < 1) return { stage: 'verify', done: 0, total, isRunning, error }
  const done = Math.min(total, (batch.ticks - 1) * TICK_ROWS)
  let end = 0
  for (const stage of ['members', 'balances', 'stakes', 'nfts'] as const) {
    end += parts[stage]
    if (done < end - (end % TICK_ROWS)) return { stage, done, total, isRunning, error }
  }
  return { stage: 'compare', done, total, isRunning, error }
}
