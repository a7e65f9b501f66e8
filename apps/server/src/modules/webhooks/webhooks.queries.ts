import type { ReplyOf } from '@tizara/contract'
import {
  type staffWebhookDeliveries,
  type staffWebhooks,
  type webhookOffReasons,
  type webhookStates,
  type deliveryStates,
  WEBHOOKS_MAX,
} from '@tizara/contract/staff-webhooks'
import type { EventKind } from '@tizara/contract/staff-events'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'

/** Deliveries of a page. */
const PAGE = 50
/** Highest number of pending deliveries that is counted. */
const COUNTED_MAX = 1_000
/** Days for which the list shows an ended endpoint, as long as its deliveries are stored. */
const ENDED_DAYS = 30

/** Time in ms for which an endpoint may accept nothing before staff are alerted. The first attempts often fail while a receiver is updated. */
const FAILING_ALERT_MS = DAY_MS

/** An endpoint that gets nothing although staff have not stopped it. */
export interface BrokenEndpoint {
  publicId: string
  name: string
  /** Why the platform has switched it off; null while it is on and fails. */
  offReason: string | null
  /** Status or error of the last attempt. */
  fault: string | null
}

/** Lists the endpoints that have accepted nothing for a day, or that the platform has switched off. Ended ones had a mail. */
export async function brokenEndpoints(db: Db, now: Date): Promise<BrokenEndpoint[]> {
  return db
    .selectFrom('webhook_endpoint')
    .select(['public_id as publicId', 'name', 'off_reason as offReason', 'fault'])
    .where((or) =>
      or.or([
        or.and([or('state', '=', 'ON'), or('failing_since', '<=', new Date(now.getTime() - FAILING_ALERT_MS))]),
        or.and([or('state', '=', 'OFF'), or('off_reason', '<>', 'STAFF')]),
      ]),
    )
    .orderBy('id')
    .limit(WEBHOOKS_MAX)
    .execute()
}

/** Lists the endpoints, newest first, with ended ones of the last days. */
export async function listEndpoints(db: Db, now: Date): Promise<ReplyOf<typeof staffWebhooks>> {
  const rows = await db
    .selectFrom('webhook_endpoint as e')
    .selectAll('e')
    .select(
      sql<number>`(select count(*)::int from (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'PENDING' limit ${sql.lit(COUNTED_MAX)}) p)`.as(
        'waiting',
      ),
    )
    .where((or) => or.or([or('e.state', '<>', 'ENDED'), or('e.changed_at', '>', new Date(now.getTime() - ENDED_DAYS * DAY_MS))]))
    .orderBy('e.id', 'desc')
    .limit(100)
    .execute()
  return {
    endpoints: rows.map((row) => ({
      id: row.public_id,
      name: row.name,
      url: row.url,
      kinds: row.kinds as EventKind[],
      state: row.state as (typeof webhookStates)[number],
      offReason: row.off_reason as (typeof webhookOffReasons)[number] | null,
      canSign: row.secret !== null,
      previousUntil: row.previous_until !== null && row.previous_until > now ? row.previous_until : null,
      failingSince: row.failing_since,
      fault: row.fault,
      offSince: row.state === 'ON' ? null : row.changed_at,
      waiting: row.waiting,
      createdAt: row.created_at,
    })),
  }
}

async function endpointId(db: Db, publicId: string): Promise<bigint> {
  const row = await db.selectFrom('webhook_endpoint').select('id').where('public_id', '=', publicId).executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  return row.id
}

/**
 * Lists the deliveries of an endpoint, newest first.
 * @param before event of the last row of the previous page
 * @throws AppError NOT_FOUND for an unknown endpoint
 */
export async function listDeliveries(
  db: Db,
  { id, before }: { id: string; before?: string | undefined },
): Promise<ReplyOf<typeof staffWebhookDeliveries>> {
  const endpoint = await endpointId(db, id)
  let query = db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', endpoint)
  if (before !== undefined)
    query = query.where('id', '<', (from) =>
      from.selectFrom('webhook_delivery').select('id').where('endpoint_id', '=', endpoint).where('event_id', '=', before),
    )
  const rows = await query
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute()
  const shown = rows.slice(0, PAGE)
  return {
    rows: shown.map((row) => ({
      eventId: row.event_id,
      kind: row.kind as EventKind,
      subject: row.subject,
      state: row.state as (typeof deliveryStates)[number],
      attempts: row.attempts,
      createdAt: row.created_at,
      nextAttemptAt: row.next_attempt_at,
      attemptedAt: row.attempted_at,
      status: row.status,
      answer: row.answer,
      durationMs: row.duration_ms,
      error: row.error,
    })),
    next: rows.length > PAGE ? shown.at(-1)?.event_id : undefined,
  }
}

/**
 * Makes a delivery pending that was delivered or has failed. It keeps its id and gets ten more attempts.
 * @throws AppError NOT_FOUND for an unknown or pending delivery, and for an ended endpoint
 */
export async function sendAgain(tx: Tx, now: Date, { id, eventId }: { id: string; eventId: string }): Promise<void> {
  const again = await tx
    .updateTable('webhook_delivery')
    .set({ state: 'PENDING', attempts: 0, next_attempt_at: now })
    .where('endpoint_id', '=', (from) =>
      from.selectFrom('webhook_endpoint').select('id').where('public_id', '=', id).where('state', '<>', 'ENDED'),
    )
    .where('event_id', '=', eventId)
    .where('state', '<>', 'PENDING')
    .executeTakeFirst()
  if (again.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
}
