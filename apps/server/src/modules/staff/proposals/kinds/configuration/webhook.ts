import { webhookValue } from '@tizara/contract/staff-webhooks'
import { assertEndpoint, readEndpoint, saveEndpoint } from '../../../../webhooks/index.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Sets name, address and events of an endpoint for webhooks, and switches the endpoint on (docs/decisions/0070-webhooks.md). */
export const webhook = proposalKind({
  subject: 'webhook',
  value: webhookValue,
  members: noMembers,
  current: async (db, _, { id }) => (id === undefined ? null : { id, ...(await readEndpoint(db, id)) }),
  baseline: 'all-fields',
  assertAllowed: assertEndpoint,
  async apply(tx, deps, value) {
    const id = await saveEndpoint(tx, deps, value)
    const { name, url, kinds } = value
    return { audit: [{ action: 'webhook.save', subject: { type: 'webhook', id }, detail: { name, url, kinds } }] }
  },
  title: (value) => `Webhooks to “${textOf(value['name'])}”`,
})
