import { apiKeyValue } from '@tizara/contract/staff-api-keys'
import { addOperatorKey, assertOperatorKey } from '../../../../auth/index.ts'
import { noCurrent, noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Creates an API key of the operator, which its proposer owns and fetches (docs/decisions/0060-api-keys.md). */
export const apiKey = proposalKind({
  subject: 'api-key',
  value: apiKeyValue,
  members: noMembers,
  current: noCurrent,
  baseline: 'all-fields',
  assertAllowed: assertOperatorKey,
  async apply(tx, deps, value, { proposer }) {
    const id = await addOperatorKey(tx, deps, proposer.memberId, value)
    return { audit: [{ action: 'api-key.create', subject: { type: 'api_key', id }, detail: { ...value } }] }
  },
  title: (value) => `API key “${textOf(value['name'])}”`,
})
