import { defaultVia, lockedNotices, type NoticeContent, optionalNotices } from '@tizara/contract/notices'
import { type RawBuilder, sql } from 'kysely'
import type { Batch } from '../../jobs/lease.ts'
import { executeDeferred, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** An event to be mailed, shown in the inbox, or both. */
export type NoticeEvent = NoticeContent & {
  memberId: bigint
  /** Id of the cause, unique per kind of event. */
  cause: string
}

const INSERT = `insert into notification_event (member_id, event, cause, amount, asset, facts, created_at)
  select n.member_id, n.event, n.cause, n.amount, n.asset, n.facts::jsonb, $7
  from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
    n (member_id, event, cause, amount, asset, facts)`

/** Records events in one statement, which is sent with the next statement of the transaction (`executeDeferred`). */
export async function recordEvents(tx: Tx, at: Date, events: readonly NoticeEvent[]): Promise<void> {
  if (events.length === 0) return
  const column = <Value>(read: (event: NoticeEvent) => Value) => events.map(read)
  await executeDeferred(tx, INSERT, [
    column((one) => one.memberId),
    column((one) => one.event),
    column((one) => one.cause),
    column((one) => ('amount' in one ? one.amount : null)),
    column((one) => ('asset' in one ? one.asset : null)),
    column((one) => JSON.stringify(one.facts)),
    at,
  ])
}

/** Records an event without a row in another table, such as a changed password. */
export const recordEvent = (tx: Tx, { clock, ids }: Pick<Deps, 'clock' | 'ids'>, memberId: bigint, content: NoticeContent): Promise<void> =>
  recordEvents(tx, clock.now(), [{ ...content, memberId, cause: ids.publicId() }])

/**
 * Records the events that a query returns, for more rows than a statement can have parameters.
 * @param rows query of `member_id`, `event`, `cause`, `amount` in units, `asset` (`usd` or `coin`) and `facts` as jsonb
 */
export async function recordEventRows(tx: Tx, at: Date, rows: RawBuilder<unknown>): Promise<void> {
  await sql`insert into notification_event (member_id, event, cause, amount, asset, facts, created_at)
    select n.member_id, n.event, n.cause, n.amount, n.asset, n.facts, ${at} from (${rows}) n`.execute(tx)
}

/** Rows in one transaction. */
const BATCH = 5_000

const VIA_BY_DEFAULT = JSON.stringify(Object.fromEntries([...optionalNotices, ...lockedNotices].map((event) => [event, defaultVia(event)])))

/**
 * Turns recorded events into notifications, once per cause, by the members' choices. Members cannot switch off the mails of locked events.
 * The modules that cause them send these mails, because only they may contain the links.
 */
export async function ingest(tx: Tx): Promise<Batch> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (delete from notification_event where ctid = any (array(select ctid from notification_event limit ${BATCH}))
      returning ctid as row_ctid, member_id, event, cause, amount, asset, facts, message_mac, created_at),
    routed as (select t.*, coalesce(c.via, ${VIA_BY_DEFAULT}::jsonb ->> t.event, 'both') as via
      from taken t left join notification_choice c on c.member_id = t.member_id and c.event = t.event),
    kept as (insert into notice (member_id, event, cause, amount, asset, facts, message_mac, created_at, in_inbox, read_at, awaits_mail)
      select member_id, event, cause, amount, asset, facts, message_mac, created_at,
        via <> 'mail', case when via = 'mail' then created_at end, via <> 'inbox' and event = any (${[...optionalNotices]}::text[])
      from routed where via <> 'mail' or event = any (${[...optionalNotices]}::text[])
      order by row_ctid on conflict (event, cause) do nothing)
    select count(*)::int as taken from taken`.execute(tx)
  const taken = rows[0]?.taken ?? 0
  return { done: taken, more: taken === BATCH }
}
