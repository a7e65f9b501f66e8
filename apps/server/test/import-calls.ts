import type { TestApp } from './app.ts'

/** For tests: the staff calls about imports of members, with an applied import and its report. */
export const importCalls = (open: () => TestApp, reason: string) => {
  const applied = (what: string, body?: object) => async (): Promise<{ path: string; body?: object }> => {
    const { db, deps } = open()
    const [at, hash] = [deps.clock.now(), 'c'.repeat(64)]
    const row = { hash, status: 'DONE', members: 0, referrals: 0, usd: 0n, coin: 0n, report: 'Report of an import\n' }
    await db
      .insertInto('import_batch')
      .values({ ...row, staged_at: at, approved_at: at, ended_at: at })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute()
    return { path: `/staff/imports/${hash}/${what}`, ...(body === undefined ? {} : { body }) }
  }
  return {
    staffImports: { right: 'platform' as const, prepare: () => Promise.resolve({ path: '/staff/imports' }) },
    staffImportReport: { right: 'platform' as const, prepare: applied('report') },
    sendImportMails: { right: 'platform' as const, prepare: applied('mails', { perHour: 600, reason }) },
  }
}
