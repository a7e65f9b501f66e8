import * as v from 'valibot'
import { answerId, id, idParams, line, moment } from './fields.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { eventKinds } from './staff-events.ts'
import { reason } from './staff.ts'

/**
 * Webhooks: events that are sent to the operator's other software. An endpoint is proposed with `proposeChange`, because its address gets data
 * of the platform.
 */

/** Maximum endpoints that have not ended. */
export const WEBHOOKS_MAX = 10
/** Hours for which the previous secret also signs. */
export const WEBHOOK_ROTATION_HOURS = 24

const kinds = v.pipe(v.array(v.picklist(eventKinds, 'Invalid event')), v.maxLength(eventKinds.length))

/** An endpoint. With `id` it replaces the values of an existing one and switches it on. `kinds` is empty for all events. */
export const webhookValue = v.strictObject({
  id: v.optional(id),
  name: line(60),
  url: v.pipe(line(500), v.url('Enter a URL')),
  kinds: v.optional(kinds, []),
})

export const webhookStates = ['ON', 'OFF', 'ENDED'] as const
/** `FAILING`: five days without an accepted webhook. `GONE`: answered 410. `FORGED`: changed outside the application. */
export const webhookOffReasons = ['STAFF', 'FAILING', 'GONE', 'RESTORED', 'FORGED'] as const
export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED'] as const

export const staffWebhooks = staffRead({
  name: 'staffWebhooks',
  role: 'admin',
  path: '/staff/webhooks',
  summary: 'Lists the endpoints of webhooks, newest first. Ended ones are listed for 30 days.',
  reply: v.object({
    endpoints: v.array(
      v.object({
        id: answerId,
        name: v.string(),
        url: v.string(),
        kinds: v.array(v.picklist(eventKinds)),
        state: v.picklist(webhookStates),
        offReason: v.nullable(v.picklist(webhookOffReasons)),
        /** False until an admin has created a secret; nothing is sent before. */
        canSign: v.boolean(),
        /** End of the time in which the previous secret also signs. */
        previousUntil: v.nullable(moment),
        failingSince: v.nullable(moment),
        /** Status or error of the last attempt, while the endpoint fails or after it has failed, such as `status 500` or `TIMEOUT`. */
        fault: v.nullable(v.string()),
        /** Time at which it was switched off or ended. */
        offSince: v.nullable(moment),
        /** Pending deliveries, counted up to 1,000. */
        waiting: v.number(),
        createdAt: moment,
      }),
    ),
  }),
})

export const staffWebhookDeliveries = staffRead({
  name: 'staffWebhookDeliveries',
  role: 'admin',
  path: '/staff/webhooks/:id/deliveries',
  summary:
    'Lists the deliveries of an endpoint in the last 30 days, newest first, with the last response. `before` is `next` of the previous page.',
  params: idParams,
  query: v.object({ before: v.optional(v.pipe(v.string(), v.uuid('Not found'))) }),
  reply: v.object({
    rows: v.array(
      v.object({
        eventId: answerId,
        kind: v.picklist(eventKinds),
        subject: v.string(),
        state: v.picklist(deliveryStates),
        attempts: v.number(),
        createdAt: moment,
        /** Absent for a pending delivery that waits for an earlier event of the same object. */
        nextAttemptAt: v.nullable(moment),
        attemptedAt: v.nullable(moment),
        status: v.nullable(v.number()),
        /** First 1,024 bytes of the response. */
        answer: v.nullable(v.string()),
        durationMs: v.nullable(v.number()),
        /** Why the receiver did not respond, such as `ECONNREFUSED`, `TIMEOUT`, `CERT_HAS_EXPIRED` or `ADDRESS_NOT_PUBLIC`. */
        error: v.nullable(v.string()),
      }),
    ),
    /** `before` of the next page; absent at the end. */
    next: v.optional(answerId),
  }),
  errors: ['NOT_FOUND'],
})

export const rotateWebhookSecret = staffAct({
  name: 'rotateWebhookSecret',
  role: 'admin',
  path: '/staff/webhooks/:id/secret',
  summary: 'Creates a new secret of an endpoint and returns it once. The previous secret also signs for 24 hours.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: v.object({ secret: v.string() }),
  errors: ['NOT_FOUND'],
})

export const stopWebhook = staffAct({
  name: 'stopWebhook',
  role: 'admin',
  path: '/staff/webhooks/:id/stop',
  summary: 'Switches an endpoint off, or ends it for ever. Two people switch it on again.',
  params: idParams,
  body: v.strictObject({ reason, ends: v.boolean() }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const sendWebhookAgain = staffAct({
  name: 'sendWebhookAgain',
  role: 'admin',
  path: '/staff/webhooks/:id/send-again',
  summary: 'Sends a delivered or failed webhook again, under the same id.',
  params: idParams,
  body: v.strictObject({ eventId: v.pipe(v.string('This field is required'), v.uuid('Not found')) }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
