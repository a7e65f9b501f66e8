import * as v from 'valibot'
import { apiKeyInput, apiKeyRight, apiKeyRow } from './api-keys.ts'
import { answerId, idParams } from './fields.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { reason } from './staff.ts'

/**
 * API keys of the operator. A key is proposed with `proposeChange`, and its proposer, the owner, fetches it once after another admin has
 * approved it. It reads calls of staff without personal data, with the role of its owner.
 */

/** Maximum live keys of the operator. */
export const OPERATOR_KEYS_MAX = 20

export const apiKeyValue = v.strictObject(apiKeyInput)

export const staffApiKeys = staffRead({
  name: 'staffApiKeys',
  role: 'admin',
  path: '/staff/api-keys',
  summary: 'Lists the live API keys of the operator, newest first, and the calls that a key can have the right to.',
  reply: v.object({
    keys: v.array(
      v.object({
        ...apiKeyRow.entries,
        owner: v.object({ id: answerId, name: v.string() }),
        /** True if the reader can fetch the key, which nobody has fetched yet. */
        canFetch: v.boolean(),
      }),
    ),
    rights: v.array(apiKeyRight),
  }),
})

export const fetchApiKey = staffAct({
  name: 'fetchApiKey',
  role: 'admin',
  path: '/staff/api-keys/:id/fetch',
  summary: 'Returns an approved API key to its owner, once.',
  params: idParams,
  reply: v.object({ key: v.string() }),
  errors: ['NOT_FOUND'],
})

export const endStaffApiKey = staffAct({
  name: 'endStaffApiKey',
  role: 'admin',
  path: '/staff/api-keys/:id/end',
  summary: 'Ends an API key of the operator. The next call with it is rejected.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
