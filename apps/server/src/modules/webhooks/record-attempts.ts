import { sql } from 'kysely'
import type { WebhookAnswer } from '../../gateways/webhooks/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { stopByPlatform } from './endpoints.ts'
import { nextAttempt, readRetryAfter, cooldownUntil } from './retry-schedule.ts'

/** Time in ms after which an endpoint that accepts nothing is switched off. */
const FAILING_MAX_MS = 5 * DAY_MS
const GONE = 410
/** Statuses that are about the receiver as a whole, not about one webhook. */
const BUSY_STATUSES = new Set([429, 502, 503, 504])

/** An endpoint as a batch was taken from it. */
export interface Endpoint {
  id: bigint
  publicId: string
  name: string
  url: string
  failures: number
  failingSince: Date | null
}

export interface Delivery {
  id: bigint
  eventId: string
  subject: string
  body: string
  /** Attempts before this one. */
  attempts: number
}

export interface Attempt {
  delivery: Delivery
  answer: WebhookAnswer
}

const isAccepted = ({ status }: WebhookAnswer): boolean => status !== null && status >= 200 && status < 300

/** Returns true if an endpoint should get no further webhook now: it did not respond, is overloaded, or is gone. */
export const stopsDelivery = ({ status }: WebhookAnswer): boolean => status === null || status === GONE || BUSY_STATUSES.has(status)

/** Stores the results of a batch, makes the next events of the same objects due, and updates the state of the endpoint. */
export async function recordAttempts(tx: Tx, deps: Deps, endpoint: Endpoint, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  const now = deps.clock.now()
  const results = attempts.map(({ delivery, answer }) => {
    const retryAfter = readRetryAfter(answer.retryAfter, now)
    const next = isAccepted(answer) || answer.status === GONE ? undefined : nextAttempt(delivery.attempts + 1, now, retryAfter)
    return { delivery, answer, next, retryAfter }
  })
  const column = <T>(of: (result: (typeof results)[number]) => T): T[] => results.map(of)
  await sql`
    update webhook_delivery d set state = r.state, attempts = d.attempts + 1, next_attempt_at = r.next, attempted_at = ${now}, status = r.status,
      answer = r.answer, duration_ms = r.duration, error = r.error
    from unnest(${column(({ delivery }) => delivery.id)}::bigint[],
      ${column(({ answer, next }) => (isAccepted(answer) ? 'DELIVERED' : next === undefined ? 'FAILED' : 'PENDING'))}::text[],
      ${column(({ next }) => next ?? null)}::timestamptz[], ${column(({ answer }) => answer.status)}::int[],
      ${column(({ answer }) => answer.text)}::text[], ${column(({ answer }) => answer.durationMs)}::int[],
      ${column(({ answer }) => answer.error)}::text[]) r (id, state, next, status, answer, duration, error)
    where d.id = r.id and d.state = 'PENDING'`.execute(tx)
  await sql`
    update webhook_delivery set next_attempt_at = ${now} where state = 'PENDING' and next_attempt_at is null and id in (
      select (select min(p.id) from webhook_delivery p where p.endpoint_id = ${endpoint.id} and p.subject = s.subject and p.state = 'PENDING')
      from unnest(${column(({ delivery }) => delivery.subject)}::text[]) s (subject))`.execute(tx)
  await updateEndpoint(tx, deps, endpoint, results, now)
}

async function updateEndpoint(
  tx: Tx,
  deps: Deps,
  endpoint: Endpoint,
  results: readonly { answer: WebhookAnswer; retryAfter: number }[],
  now: Date,
): Promise<void> {
  const isAnyAccepted = results.some(({ answer }) => isAccepted(answer))
  const refused = results.filter(({ answer }) => stopsDelivery(answer))
  const isFailing = refused.length > 0 || !isAnyAccepted
  if (!isFailing && endpoint.failingSince === null && endpoint.failures === 0) return
  const failures = refused.length > 0 ? (isAnyAccepted ? 1 : endpoint.failures + 1) : 0
  const failingSince = isFailing ? (isAnyAccepted ? now : (endpoint.failingSince ?? now)) : null
  const last = results.map(({ answer }) => answer).findLast((answer) => !isAccepted(answer))
  await tx
    .updateTable('webhook_endpoint')
    .set({
      failures,
      failing_since: failingSince,
      fault: isFailing && last !== undefined ? (last.error ?? `status ${last.status}`) : null,
      rests_until: failures === 0 ? null : cooldownUntil(failures, now, Math.max(...refused.map(({ retryAfter }) => retryAfter))),
    })
    .where('id', '=', endpoint.id)
    .execute()
  if (results.some(({ answer }) => answer.status === GONE)) await stopByPlatform(tx, deps, endpoint, 'GONE')
  else if (failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_MAX_MS)
    await stopByPlatform(tx, deps, endpoint, 'FAILING')
}
