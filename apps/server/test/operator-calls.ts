import { ONE } from '@tizara/money'
import { inTransaction } from '../src/platform/db/database.ts'
import { setPayoutRules } from '../src/modules/withdrawals/index.ts'
import type { TestApp } from './app.ts'
import { webhookCalls } from './webhook-calls.ts'

/** For tests: the staff calls about payout rules, the brand, the terms of use, the accounting export and webhooks. */
export const operatorCalls = (open: () => TestApp, reason: string) => ({
  ...webhookCalls(open, reason),
  staffPayoutRules: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/payout-rules' }) },
  staffTermsOfUse: { right: 'all' as const, prepare: () => Promise.resolve({ path: '/staff/terms' }) },
  staffAccounting: { right: 'record' as const, prepare: () => Promise.resolve({ path: '/staff/accounting' }) },
  startAccountingExport: {
    right: 'record' as const,
    prepare: () => Promise.resolve({ path: '/staff/accounting/exports', body: { format: 'csv' } }),
  },
  staffLogo: {
    right: 'all' as const,
    prepare: async () => {
      const [hash, image] = ['ab'.repeat(32), Buffer.from('image')]
      const row = { hash, mark: image, icon: image, uploaded_at: open().clock.now() }
      const uploader = open().db.selectFrom('member').select('id').limit(1)
      await open()
        .db.insertInto('brand_logo')
        .values({ ...row, uploaded_by: uploader })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return { path: `/staff/brand/logo/${hash}` }
    },
  },
  uploadLogo: { right: 'platform' as const, prepare: () => Promise.resolve({ path: '/staff/brand/logo', body: {} }) },
  stopPayoutRules: {
    right: 'money' as const,
    prepare: async () => {
      const rules = [{ action: 'queue' as const, name: 'Large', kind: 'withdrawal' as const, above: ONE }]
      await inTransaction(open().db, (tx) => setPayoutRules(tx, open().deps, { rules, actorId: null, reason }))
      return { path: '/staff/payout-rules/stop', body: { reason } }
    },
  },
})
