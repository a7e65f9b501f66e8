import type { OptionalNotice } from '@tizara/contract/notices'
import { sql } from 'kysely'
import type { Batch } from '../../jobs/lease.ts'
import { executeDeferred, type Tx } from '../../platform/db/database.ts'

/** An event for an optional mail. */
export interface NoticeEvent {
  memberId: bigint
  event: OptionalNotice
  /** Id of the cause, unique per kind of event. */
  cause: string
  /** A sentence without names: `12.5 USD came from another member.` */
  said: string
}

const NOTE = `insert into notification_event (member_id, event, cause, said, created_at)
  select n.*, $5 from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) n`

/** Records events for mails, with their cause. The statement is sent with the next one (`executeDeferred`). */
export async function recordEvents(tx: Tx, at: Date, events: readonly NoticeEvent[]): Promise<void> {
  if (events.length === 0) return
  const column = <Key extends keyof NoticeEvent>(key: Key) => events.map((event) => event[key])
  await executeDeferred(tx, NOTE, [column('memberId'), column('event'), column('cause'), column('said'), at])
}

/** Rows in one transaction. */
const BATCH = 5_000

/** Turns recorded events into notifications, once per cause. Skips events that the member switched off. */
export async function ingest(tx: Tx): Promise<Batch> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (delete from notification_event where ctid = any (array(select ctid from notification_event limit ${BATCH}))
      returning ctid as place, member_id, event, cause, said, created_at),
    kept as (insert into notice (member_id, event, cause, said, created_at)
      select member_id, event, cause, said, created_at from taken t
      where not exists (select from notification_opt_out o where o.member_id = t.member_id and o.event = t.event)
      order by place on conflict (event, cause) do nothing)
    select count(*)::int as taken from taken`.execute(tx)
  const taken = rows[0]?.taken ?? 0
  return { done: taken, more: taken === BATCH }
}
