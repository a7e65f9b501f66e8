import { addOperatorKey } from '../src/modules/auth/index.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'

/** For tests: the staff calls about API keys of the operator. The admin owns the keys. */
export const operatorKeyCalls = (open: () => { at: TestApp; ownerId: bigint }, reason: string) => {
  const aboutKey = (what: string, body?: object) => async () => {
    const { at, ownerId } = open()
    const input = { name: 'Figures', rights: ['staffBusiness'], networks: [], days: 30 }
    const id = await inTransaction(at.db, (tx) => addOperatorKey(tx, at.deps, ownerId, input))
    return { path: `/staff/api-keys/${id}/${what}`, body }
  }
  return {
    staffApiKeys: { right: 'platform' as const, prepare: () => Promise.resolve({ path: '/staff/api-keys' }) },
    staffEvents: { right: 'record' as const, prepare: () => Promise.resolve({ path: '/events?limit=1' }) },
    fetchApiKey: { right: 'platform' as const, prepare: aboutKey('fetch') },
    endStaffApiKey: { right: 'platform' as const, prepare: aboutKey('end', { reason }) },
  }
}
