import { writeCsv } from '@tizara/contract/csv'
import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Config } from '../../platform/config/config.ts'
import { faultPoint } from '../../platform/runtime/fault-point.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** Imported balances of one member, in units. */
export interface ImportedBalances {
  publicId: string
  usd: Units
  coin: Units
}

/** Functions of higher tiers that a report needs, injected by main. */
export interface ReportPorts {
  /**
   * Returns the root of the tree of all liabilities to these members, as in the daily proof, and their number. `seed` determines the salts.
   */
  root(
    pages: AsyncIterable<readonly ImportedBalances[]>,
    seed: string,
    at: Date,
  ): Promise<{ hash: string; usd: Units; coin: Units; members: number }>
  /** Returns the last line: a signature of all lines before it, as in exports of the audit log. */
  sign(text: string, config: Config): string
}

/** Rows per fetch. */
const FETCH_ROWS = 10_000

/** Reads the balances in pages, in order of the members. */
async function* readBalances(db: Db, batchId: bigint): AsyncGenerator<ImportedBalances[]> {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`declare imported no scroll cursor for
    select m.public_id as "publicId", coalesce(sum(b.amount) filter (where b.wallet in ('depositWallet', 'nftWallet')), 0)::bigint as usd,
      coalesce(sum(b.amount) filter (where b.wallet not in ('depositWallet', 'nftWallet')), 0)::bigint as coin
    from import_balance b join member m on m.id = b.member_id where b.batch_id = ${batchId} group by m.id order by m.id`.execute(db)
  for (let read = FETCH_ROWS; read === FETCH_ROWS;) {
    const { rows } = await sql<ImportedBalances>`fetch forward ${sql.lit(FETCH_ROWS)} from imported`.execute(db)
    yield rows
    read = rows.length
  }
  await sql`close imported`.execute(db)
}

/**
 * Writes the signed report of each applied import: the hash of its files, its sums, and the root of a proof of liabilities over the
 * imported balances. The salts of the tree follow from the hash, so that the root can be computed again from the balances.
 */
export const importReportJob = (ports: ReportPorts): Job => ({
  name: 'import-report',
  everySeconds: 30,
  group: 'import',
  run: async (lease, { config }) => {
    const batch = await lease.read((db) =>
      db.selectFrom('import_batch').selectAll().where('status', '=', 'DONE').where('report', 'is', null).limit(1).executeTakeFirst(),
    )
    if (batch === undefined || batch.ended_at === null) return 0
    const { hash, ended_at: at } = batch
    const root = await lease.read((db) => ports.root(readBalances(db, batch.id), hash, at))
    if (root.usd !== batch.usd || root.coin !== batch.coin) throw new Error(`the balances of the import ${batch.hash} differ from its sums`)
    const text = writeCsv([
      ['Report of an import'],
      ['Hash of the files (SHA-256)', batch.hash],
      ['Imported', batch.ended_at.toISOString()],
      ['Members', String(batch.members)],
      ['Members with a sponsor', String(batch.referrals)],
      ['Members without their address', String(batch.without_address.length)],
      ['Members with a balance', String(root.members)],
      ['Owed USD', formatUnits(batch.usd)],
      ['Owed coin', formatUnits(batch.coin)],
      ['Promised USD with bounties', formatUnits(batch.promised_usd)],
      ['Promised coin with bounties', formatUnits(batch.promised_coin)],
      ['Root of the balances (SHA-256)', root.hash],
      ...batch.without_address.map((publicId) => ['Member without their address', publicId]),
    ])
    const report = text + ports.sign(text, config)
    faultPoint('import_step')
    await lease.inTransaction((tx) => tx.updateTable('import_batch').set({ report }).where('id', '=', batch.id).execute())
    return 1
  },
})

/**
 * Reads the signed report of an import.
 * @throws AppError NOT_FOUND if no import with this hash was applied, or its report is not written yet
 */
export async function readReport(db: Db, hash: string): Promise<string> {
  const batch = await db.selectFrom('import_batch').select('report').where('hash', '=', hash).executeTakeFirst()
  if (batch === undefined || batch.report === null) throw new AppError('NOT_FOUND')
  return batch.report
}
