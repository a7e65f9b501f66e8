import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import type { Batch } from '../../jobs/lease.ts'
import type { Retention } from '../../jobs/retention.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readClockOffset } from '../../platform/db/follow-clock.ts'
import { EVENT_DAYS } from '@tizara/contract/staff-events'

/** Rows of the outbox moved in one transaction. A row has the events of a statement, at most those of a batch of calls. */
const BATCH = 500

/**
 * Moves committed events to the list, oldest first. The changes of an object wait for each other, so their times give their order. Under the
 * job's lease, because a second writer could commit a smaller id after a reader has passed it. Triggers know only the database's clock, so the
 * offset of the platform's clock is added here. The id of an event follows from its row, so it is the same when a restore moves it again.
 */
async function moveEvents(tx: Tx): Promise<Batch> {
  const offset = await readClockOffset(tx)
  const { rows } = await sql<{ done: number; rows: number }>`
    with moved as (delete from event_outbox where ctid = any (array(select ctid from event_outbox order by at limit ${sql.lit(BATCH)}))
      returning seed, kind, objects, at),
    listed as (insert into event (event_id, kind, subject, member_id, at)
      select encode(substr(sha256(convert_to(seed || split_part(object, ' ', 1), 'UTF8')), 1, 16), 'hex')::uuid, kind,
        split_part(object, ' ', 1), nullif(split_part(object, ' ', 2), '')::bigint, at + make_interval(secs => ${offset})
      from moved, unnest(string_to_array(objects, ',')) with ordinality o (object, position) order by at, seed, position
      returning 1)
    select (select count(*)::int from listed) as done, (select count(*)::int from moved) as rows`.execute(tx)
  return { done: rows[0]?.done ?? 0, more: rows[0]?.rows === BATCH }
}

/** A group of its own, so that events do not wait for long jobs, such as the rewards of a day. */
export const eventJobs: Job[] = [
  { name: 'move-events', everySeconds: 1, group: 'events', makesDue: 'send-webhooks', run: (lease) => lease.untilDone(moveEvents) },
]

export const eventRetention: readonly Retention[] = [{ table: 'event', moment: 'at', days: EVENT_DAYS }]
