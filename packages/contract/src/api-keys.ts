import * as v from 'valibot'
import { answerId, extra, idParams, line, moment } from './fields.ts'
import { proofEntries } from './proof.ts'
import { memberAct, memberRead, nothing } from './route.ts'

/**
 * API keys, with which other software reads the API (`Authorization: Bearer tzk_…`). A key only reads, from the networks and until the day
 * that its owner chose (docs/decisions/0060-api-keys.md).
 */

/** Maximum live keys of an account. */
export const API_KEYS_MAX = 10
export const API_KEY_DAYS_MAX = 365
/** Calls of one key per minute. */
export const API_KEY_CALLS_PER_MINUTE = 600

const NETWORK = /^[0-9a-f:.]{2,45}(\/\d{1,3})?$/i

/** What a new key may do. The server checks the rights and networks. */
export const apiKeyInput = {
  name: line(60),
  rights: v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.minLength(1, 'Choose at least one right'), v.maxLength(200)),
  networks: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(NETWORK, 'Enter networks such as 192.0.2.0/24 or 2001:db8::/32'))),
      v.maxLength(20, 'Enter at most 20 networks'),
    ),
    [],
  ),
  days: v.pipe(
    v.number('Invalid days'),
    v.integer('Invalid days'),
    v.minValue(1, 'Invalid days'),
    v.maxValue(API_KEY_DAYS_MAX, 'Invalid days'),
  ),
}

/** A key without its secret. */
export const apiKeyRow = v.object({
  id: answerId,
  name: v.string(),
  /** Names of the calls. */
  rights: v.array(v.string()),
  /** Networks in CIDR notation; empty for all. */
  networks: v.array(v.string()),
  createdAt: moment,
  expiresAt: moment,
  /** Last use, to the minute. */
  lastUsedAt: v.nullable(moment),
  lastUsedIp: extra(v.nullable(v.string())),
})

/** A call that a key can have the right to. */
export const apiKeyRight = v.object({ name: v.string(), group: v.string(), summary: v.string() })

export const listApiKeys = memberRead({
  name: 'listApiKeys',
  path: '/auth/api-keys',
  summary: "Lists the account's live API keys, newest first, and the calls that a key can have the right to.",
  reply: v.object({ keys: v.array(apiKeyRow), rights: v.array(apiKeyRight) }),
})

export const createApiKey = memberAct({
  name: 'createApiKey',
  path: '/auth/api-keys',
  limited: true,
  summary: "Creates an API key that reads the member's own data. The reply contains the key, which is shown once.",
  body: v.object({ ...apiKeyInput, ...proofEntries }),
  reply: v.object({ id: answerId, key: v.string() }),
  errors: [
    'API_KEYS_FULL',
    'STAFF_HAVE_NO_WALLETS',
    'SECOND_FACTOR_REQUIRED',
    'SECOND_FACTOR_REFUSED',
    'PASSKEY_REFUSED',
    'CURRENT_PASSWORD_WRONG',
    'CONTACT_CHANGE_NEEDS_KNOWN_DEVICE',
  ],
})

export const endApiKey = memberAct({
  name: 'endApiKey',
  path: '/auth/api-keys/:id/end',
  summary: 'Ends an API key. The next call with it is rejected.',
  params: idParams,
  reply: nothing,
  errors: ['NOT_FOUND'],
})
