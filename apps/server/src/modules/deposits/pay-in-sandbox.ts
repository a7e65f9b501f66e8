import { AppError } from '../../platform/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { SandboxChain } from '../../gateways/chain/index.ts'
import { lookAtInvoices } from './watch-invoices.ts'

/** How an invoice is paid with play money. */
export type PlayOutcome = 'exact' | 'half' | 'double' | 'late'

/**
 * Pays an in-app invoice with play money: all, half or double of it, or all of it in a block after its expiry.
 * @throws AppError NOT_FOUND; ALREADY_DECIDED once enough has been paid
 */
export async function payInSandbox(
  db: Db,
  deps: Deps,
  chain: SandboxChain,
  play: { invoiceId: string; outcome: PlayOutcome },
): Promise<void> {
  const invoice = await db
    .selectFrom('deposit')
    .select(['id', 'amount', 'address', 'expires_at', 'state'])
    .where('public_id', '=', play.invoiceId)
    .where('way', '=', 'chain')
    .executeTakeFirst()
  if (invoice === undefined || invoice.address === null || invoice.expires_at === null) throw new AppError('NOT_FOUND')
  if (invoice.state === 'settled' || invoice.state === 'confirming' || invoice.state === 'closed') throw new AppError('ALREADY_DECIDED')
  const now = deps.clock.now()
  const late = new Date(Math.max(now.getTime(), invoice.expires_at.getTime() + 1_000))
  const amounts = { exact: invoice.amount, half: invoice.amount / 2n, double: invoice.amount * 2n, late: invoice.amount }
  await chain.pay(db, {
    address: invoice.address,
    amount: amounts[play.outcome],
    minedAt: now,
    blockTime: play.outcome === 'late' ? late : now,
  })
  const ways = {
    read: <T>(look: (db: Db) => Promise<T>) => look(db),
    inTransaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work),
  }
  await lookAtInvoices(ways, deps, chain, [invoice])
}
