import { saveEndpoint } from '../src/modules/webhooks/index.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'

/** For tests: the event of the delivery that each prepared endpoint has. */
export const SENT_EVENT = '7f0f3d0e-3a51-4f0a-9d3f-0d6f6f1b2c3d'

/** For tests: the staff calls about webhooks. */
export const webhookCalls = (open: () => TestApp, reason: string) => {
  const aboutEndpoint = (what: string, body?: object) => async () => {
    const { db, deps, clock } = open()
    const id = await inTransaction(db, async (tx) => {
      const publicId = await saveEndpoint(tx, deps, { name: 'Books', url: 'https://example.com/hooks', kinds: [] })
      await tx
        .insertInto('webhook_delivery')
        .values((from) => ({
          endpoint_id: from.selectFrom('webhook_endpoint').select('id').where('public_id', '=', publicId),
          event_id: SENT_EVENT,
          kind: 'purchase.created',
          subject: 'p1',
          body: '{}',
          state: 'DELIVERED',
          created_at: clock.now(),
        }))
        .execute()
      return publicId
    })
    return { path: `/staff/webhooks/${id}${what}`, body }
  }
  return {
    staffWebhooks: { right: 'platform' as const, prepare: () => Promise.resolve({ path: '/staff/webhooks' }) },
    staffWebhookDeliveries: { right: 'platform' as const, prepare: aboutEndpoint('/deliveries') },
    rotateWebhookSecret: { right: 'platform' as const, prepare: aboutEndpoint('/secret', { reason }) },
    stopWebhook: { right: 'platform' as const, prepare: aboutEndpoint('/stop', { ends: false, reason }) },
    sendWebhookAgain: { right: 'platform' as const, prepare: aboutEndpoint('/send-again', { eventId: SENT_EVENT }) },
  }
}
