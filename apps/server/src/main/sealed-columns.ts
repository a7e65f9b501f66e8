import { sealedTransfers } from '../gateways/chain/index.ts'
import { sealedMails } from '../gateways/mailer/index.ts'
import type { Job } from '../jobs/job.ts'
import { sealedFactors } from '../modules/auth/index.ts'
import { sealedDepositDecisions, sealedDepositFirsts } from '../modules/deposits/index.ts'
import { sealedProposals } from '../modules/staff/index.ts'
import { sealedApprovals, sealedFirsts, sealedRequests } from '../modules/withdrawals/index.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database, Db } from '../platform/db/database.ts'
import { countForeignSeals, isForeign, sealNextAnew } from '../platform/crypto/sealed-column.ts'
import { sealedCheckpoints } from '../modules/reconciliation/checkpoint.ts'

/** Required columns: an instance that cannot decrypt them must not start. */
const NEEDED = [sealedFactors, sealedMails]
/** Columns with first approvals, other than payouts. */
const FIRSTS = [sealedDepositFirsts, sealedDepositDecisions, sealedProposals]
export const SEALED_COLUMNS = [...NEEDED, sealedRequests, sealedFirsts, sealedApprovals, ...FIRSTS, sealedTransfers, sealedCheckpoints]

/** Encrypts values of the previous DATA_KEY under the new one. */
export const sealAnewJob: Job = {
  name: 'seal-anew',
  everySeconds: 30,
  run: async (lease, deps) => {
    let done = 0
    for (const column of SEALED_COLUMNS) {
      let last = -1n
      done += await lease.untilDone(async (tx) => {
        const batch = await sealNextAnew(tx, deps.config, column, last)
        last = batch.last
        return batch
      })
    }
    return done
  },
}

/** Explains in one sentence why a production process cannot decrypt stored values; undefined if it can. */
export async function foreignSeals(config: Config, db: Db): Promise<string | undefined> {
  if (config.mode !== 'production') return undefined
  const closed = new Map<string, number>()
  for (const column of NEEDED) closed.set(column.table, await countForeignSeals(db, config, column))
  return sayClosed(closed)
}

/** Tables that a backup's key check reads. */
export const TABLES_OF_SEALS: readonly string[] = NEEDED.map(({ table }) => table)

/** Performs the same check on a backup, row by row, with the result at the end. */
export function foreignSealsOfRows(config: Config): {
  see(table: string, row: Readonly<Record<string, string>>): void
  said(): string | undefined
} {
  const closed = new Map<string, number>()
  return {
    see: (table, row) => {
      const sealed = row[NEEDED.find((column) => column.table === table)?.column ?? '']
      if (sealed === undefined || !isForeign(config, Buffer.from(sealed.slice(2), 'hex'))) return
      closed.set(table, (closed.get(table) ?? 0) + 1)
    },
    said: () => (config.mode === 'production' ? sayClosed(closed) : undefined),
  }
}

function sayClosed(counts: ReadonlyMap<string, number>): string | undefined {
  const closed = [...counts].filter(([, count]) => count > 0).map(([table, count]) => `${count} of ${table}`)
  if (closed.length === 0) return undefined
  return `DATA_KEY: rows are sealed under another key (${closed.join(', ')}). Set that key as DATA_KEY_PREVIOUS.`
}

/** Stops a production process without a key for stored data: it would lock out every member with an authenticator app. */
export async function refuseForeignSeals(config: Config, database: Database, say: (why: string) => void = console.error): Promise<void> {
  const why = await foreignSeals(config, database.db)
  if (why === undefined) return
  say(why)
  await database.close()
  process.exit(2)
}
