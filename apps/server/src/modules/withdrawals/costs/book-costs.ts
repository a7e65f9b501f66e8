import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Job } from '../../../jobs/job.ts'
import { post } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type FinalTransaction, unbookedTransactions } from './network-costs.queries.ts'

/** Wei per native coin. */
const WEI_PER_COIN = 10n ** 18n
/** Maximum costs per database transaction. */
const BATCH = 100

/** Returns the value in USD units, rounded up, so that a booked cost is never too low. */
const toUsd = (wei: bigint, price: Units): Units => (wei * price + WEI_PER_COIN - 1n) / WEI_PER_COIN

/**
 * Builds the job that books the network cost of each final platform transaction once. The operator pays gas in native coin, outside
 * the ledger, so the job books USD at the configured price.
 * @param price USD units per native coin
 */
export const costJob = (price: Units): Job => ({
  name: 'book-network-costs',
  everySeconds: 30,
  async run(lease, deps) {
    let booked = 0
    for (;;) {
      const due = await lease.read((db) => unbookedTransactions(db, BATCH))
      if (due.length > 0) booked += await lease.inTransaction((tx) => bookCosts(tx, deps, due, price))
      if (due.length < BATCH || lease.stopping()) return booked
    }
  },
})

/**
 * Books costs and skips those booked before.
 * @returns the number booked
 */
export async function bookCosts(tx: Tx, deps: Deps, due: readonly FinalTransaction[], price: Units): Promise<number> {
  const at = deps.clock.now()
  let booked = 0
  for (const { hash, source, wei, endedAt } of due) {
    const usd = toUsd(wei, price)
    const inserted = await sql`
      insert into network_cost (hash, source, wei, price, usd, ended_at, booked_at)
      values (${hash}, ${source}, ${String(wei)}::numeric, ${price}, ${usd}, ${endedAt}, ${at}) on conflict do nothing`.execute(tx)
    if (inserted.numAffectedRows !== 1n) continue
    booked += 1
    if (usd === 0n) continue
    const sides = { from: { system: 'SYS-OPERATOR', asset: 'USD' }, to: { system: 'SYS-GAS', asset: 'USD' } } as const
    await post(tx, { kind: 'networkCost', cause: { type: 'network_cost', id: hash }, at, transfers: [{ ...sides, amount: usd }] })
  }
  return booked
}
