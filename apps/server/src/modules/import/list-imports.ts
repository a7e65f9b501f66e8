import type { Db } from '../../platform/db/database.ts'
import type { Units } from '@tizara/money'
import { type ImportProgress, readProgress } from './import-progress.ts'
import { compareTotals, parseTotals } from './import-totals.ts'

/** Imports that staff see. */
const MAX_LISTED = 10

/** An import, as staff see it. Amounts are units. */
export interface ListedImport {
  hash: string
  status: 'STAGED' | 'APPROVED' | 'DONE' | 'REFUSED'
  stagedAt: Date
  approvedAt: Date | null
  endedAt: Date | null
  members: number
  usd: Units
  coin: Units
  refusal: string | null
  withoutAddress: number
  progress?: ImportProgress & { attempts: number }
  totals: { key: string; expected: string; imported: string | null }[]
  raised: { coin: Units; usd: Units } | null
  hasReport: boolean
  mails: { waiting: number; sent: number; perHour: number | null } | null
}

/** Lists the last imports, newest first. Reads no stored rows. */
export async function listImports(db: Db): Promise<ListedImport[]> {
  const rows = await db.selectFrom('import_batch').selectAll().orderBy('id', 'desc').limit(MAX_LISTED).execute()
  return Promise.all(
    rows.map(async (row): Promise<ListedImport> => {
      const status = (['STAGED', 'APPROVED', 'DONE'] as const).find((one) => one === row.status) ?? 'REFUSED'
      const expected = parseTotals(row.totals)
      const written = row.written === null ? undefined : parseTotals(row.written)
      return {
        hash: row.hash,
        status,
        stagedAt: row.staged_at,
        approvedAt: row.approved_at,
        endedAt: row.ended_at,
        members: row.members,
        usd: row.usd,
        coin: row.coin,
        refusal: row.refusal,
        withoutAddress: row.without_address.length,
        ...(status === 'APPROVED' ? { progress: { ...(await readProgress(db, row.hash)), attempts: row.attempts } } : {}),
        totals: compareTotals(expected, written ?? expected).map(({ key, expected: before, found }) => ({
          key,
          expected: before,
          imported: written === undefined ? null : found,
        })),
        raised: row.raised_coin === null || row.raised_usd === null ? null : { coin: row.raised_coin, usd: row.raised_usd },
        hasReport: row.report !== null,
        mails: status === 'DONE' ? { waiting: row.mails_waiting, sent: row.mails_sent, perHour: row.mails_per_hour } : null,
      }
    }),
  )
}
