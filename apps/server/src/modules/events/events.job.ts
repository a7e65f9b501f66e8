import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import type { Batch } from '../../jobs/lease.ts'
import type { Retention } from '../../jobs/retention.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readClockOffset } from '../../platform/db/follow-clock.ts'
import { EVENT_DAYS } from '@tizara/contract/staff-events'

/** Events moved in one transaction. */
const BATCH = 1_000

/**
 * Moves committed events to the list, oldest first. The changes of an object wait for each other, so their times give their order. Under the
 * job's lease, because a second writer could commit a smaller id after a reader has passed it. Triggers know only the database's clock, so the
 * offset of the platform's clock is added here.
 */
async function moveEvents(tx: Tx): Promise<Batch> {
  const offset = await readClockOffset(tx)
  const { numAffectedRows } = await sql`
    with moved as (delete from event_outbox where ctid = any (array(select ctid from event_outbox order by at limit ${sql.lit(BATCH)}))
      returning event_id, kind, subject, member_id, at)
    insert into event (event_id, kind, subject, member_id, at)
      select event_id, kind, subject, member_id, at + make_interval(secs => ${offset}) from moved order by at`.execute(tx)
  const done = Number(numAffectedRows ?? 0n)
  return { done, more: done === BATCH }
}

export const eventJobs: Job[] = [{ name: 'move-events', everySeconds: 1, run: (lease) => lease.untilDone(moveEvents) }]

export const eventRetention: readonly Retention[] = [{ table: 'event', moment: 'at', days: EVENT_DAYS }]
