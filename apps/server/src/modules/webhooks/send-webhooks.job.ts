import { EVENT_DAYS } from '@tizara/contract/staff-events'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openReceiver, signedHeaders } from '../../gateways/webhooks/index.ts'
import type { Job } from '../../jobs/job.ts'
import type { Lease } from '../../jobs/lease.ts'
import type { Retention } from '../../jobs/retention.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { secretsOf, stopByPlatform } from './endpoints.ts'
import { type Attempt, type Delivery, type Endpoint, recordAttempts, stopsDelivery } from './record-attempts.ts'
import { LONGEST_WAIT_MS } from './retry-schedule.ts'

/** Pending deliveries of an endpoint. Further events stay in the list of events until some of them are delivered. */
const PENDING_MAX = 1_000
/** Deliveries of an endpoint that are sent before their results are stored. */
const BATCH = 100
/** Deliveries that are sent to an endpoint at the same time. */
const CONCURRENCY = 20
/** Time in ms after which a batch starts no further attempt, so that the results of a slow receiver are stored. */
const BATCH_MS = 1_000
/** Time in ms after which a batch counts as slow. */
const SLOW_MS = 2_000
/** Time in ms after which a run ends, so that the worker can report it. */
const RUN_MS = 60_000
/** Time in ms after which a run looks for other endpoints while some have not responded. */
const POLL_MS = 250

interface Batch {
  endpoint: Endpoint
  secrets: readonly string[]
  deliveries: readonly Delivery[]
}

/**
 * Sends due webhooks. Endpoints do not wait for each other. Nothing is stored before a response: a worker that dies sends the same webhooks
 * again, under the same ids (docs/decisions/0070-webhooks.md).
 */
async function sendWebhooks(lease: Lease, deps: Deps, runMs: number): Promise<number> {
  const busy = new Map<bigint, { began: number; sending: Promise<void> }>()
  /** Endpoints whose last batch was slow and ended after the time of the run. */
  const slow = new Set<bigint>()
  const isSlow = ({ began }: { began: number }) => performance.now() - began > SLOW_MS
  const ends = performance.now() + runMs
  const faults: unknown[] = []
  let sent = 0
  for (;;) {
    // While a slow batch delays the end of the run, the other endpoints are served. Each endpoint delays it only once.
    const isLate = performance.now() > ends
    const isOver = lease.stopping() || faults.length > 0 || (isLate && ![...busy.values()].some(isSlow))
    const batches = isOver ? [] : await lease.inTransaction((tx) => takeBatches(tx, deps, [...busy.keys(), ...slow]))
    for (const batch of batches) {
      const { id } = batch.endpoint
      const began = performance.now()
      const sending = sendBatch(lease, deps, batch)
        .then((count) => void (sent += count))
        .catch((error: unknown) => void faults.push(error))
        .finally(() => {
          busy.delete(id)
          if (performance.now() > ends && isSlow({ began })) slow.add(id)
        })
      busy.set(id, { began, sending })
    }
    if (busy.size === 0) break
    await Promise.race([...[...busy.values()].map(({ sending }) => sending), pause(POLL_MS)])
  }
  if (faults.length > 0) throw faults[0]
  return sent
}

/** Adds the deliveries of new events, and returns what is due of each endpoint that is not busy. */
async function takeBatches(tx: Tx, deps: Deps, busy: readonly bigint[]): Promise<Batch[]> {
  const now = deps.clock.now()
  const longest = new Date(now.getTime() + LONGEST_WAIT_MS)
  const rows = await tx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('state', '=', 'ON')
    .where('secret', 'is not', null)
    .where(sql<boolean>`coalesce(rests_until <= ${now} or rests_until > ${longest}, true)`)
    .where(sql<boolean>`id <> all(${[...busy]}::bigint[])`)
    .execute()
  if (rows.length === 0) return []
  const { newest } = await tx
    .selectFrom('event')
    .select((of) => of.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  const batches: Batch[] = []
  for (const row of rows) {
    const endpoint = {
      id: row.id,
      publicId: row.public_id,
      name: row.name,
      url: row.url,
      failures: row.failures,
      failingSince: row.failing_since,
    }
    const secrets = secretsOf(deps, row, now)
    if (secrets.length === 0) {
      await stopByPlatform(tx, deps, endpoint, 'FORGED')
      continue
    }
    if (newest !== null && newest > row.last_event_id) await addDeliveries(tx, { ...row, now })
    const { rows: deliveries } = await sql<Delivery>`
      select id, event_id as "eventId", subject, body, attempts from webhook_delivery
      where endpoint_id = ${row.id} and state = 'PENDING' and (next_attempt_at <= ${now} or next_attempt_at > ${longest})
      order by next_attempt_at, id limit ${row.failures > 0 ? 1 : BATCH}`.execute(tx)
    if (deliveries.length > 0) batches.push({ endpoint, secrets, deliveries })
  }
  return batches
}

/** Adds the deliveries of the next events. Of the events of one object, only the first is due. */
async function addDeliveries(
  tx: Tx,
  { id, last_event_id: last, kinds, now }: { id: bigint; last_event_id: bigint; kinds: string[]; now: Date },
) {
  await sql`
    with pending as (select count(*) as rows from (select from webhook_delivery where endpoint_id = ${id} and state = 'PENDING' limit ${PENDING_MAX}) p),
    fresh as (
      select e.*, m.public_id as member from event e left join member m on m.id = e.member_id
      where e.id > ${last} order by e.id limit ${PENDING_MAX} - (select rows from pending)),
    moved as (update webhook_endpoint set last_event_id = (select max(id) from fresh) where id = ${id} and exists (select from fresh))
    insert into webhook_delivery (endpoint_id, event_id, kind, subject, body, state, next_attempt_at, created_at)
      select ${id}, event_id, kind, subject, json_build_object('type', kind,
          'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'data', json_strip_nulls(json_build_object('id', subject, 'memberId', member)))::text, 'PENDING',
        case when row_number() over (partition by subject order by id) = 1
          and not exists (select from webhook_delivery p where p.endpoint_id = ${id} and p.subject = fresh.subject and p.state = 'PENDING')
          then ${now}::timestamptz end, ${now}
      from fresh where cardinality(${kinds}::text[]) = 0 or kind = any(${kinds}::text[]) order by id`.execute(tx)
}

/**
 * Sends a batch and stores the results. Stops after {@link BATCH_MS}, and after the first attempt without a response: each further one would
 * hold its time.
 */
async function sendBatch(lease: Lease, deps: Deps, { endpoint, secrets, deliveries }: Batch): Promise<number> {
  const receiver = openReceiver(deps.config, endpoint.url)
  const attempts: Attempt[] = []
  const queue = [...deliveries]
  const ends = performance.now() + BATCH_MS
  let isHalted = false
  const goesOn = () => !isHalted && !lease.stopping() && performance.now() < ends
  const sendNext = async (): Promise<void> => {
    for (let delivery = queue.shift(); delivery !== undefined && goesOn(); delivery = queue.shift()) {
      const { eventId: id, body } = delivery
      const answer = await receiver.post(signedHeaders({ id, body, secrets, at: deps.clock.now() }), body)
      attempts.push({ delivery, answer })
      isHalted ||= stopsDelivery(answer)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext))
  receiver.close()
  await lease.inTransaction((tx) => recordAttempts(tx, deps, endpoint, attempts))
  return attempts.length
}

/** @param runMs for tests, time after which a run ends */
export const webhookJobs = (runMs = RUN_MS): Job[] => [
  { name: 'send-webhooks', everySeconds: 1, group: 'webhooks', run: (lease, deps) => sendWebhooks(lease, deps, runMs) },
]

export const webhookRetention: readonly Retention[] = [
  { table: 'webhook_delivery', moment: 'created_at', days: EVENT_DAYS },
  // Deleted after its deliveries.
  { table: 'webhook_endpoint', moment: "case when state = 'ENDED' then changed_at end", days: 90 },
]
