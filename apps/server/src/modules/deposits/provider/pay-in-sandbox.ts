import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { SandboxWallet } from '../ports.ts'

/** Sandbox payment kinds. */
export type SandboxPaymentKind = 'exact' | 'half' | 'double' | 'two' | 'late' | 'wrong'

/**
 * Pays an in-app invoice on the development chain: in full, half, double, in two halves, late, or in the other token. `late` expires the
 * invoice first, because the chain accepts no past time.
 * @throws AppError NOT_FOUND; ALREADY_DECIDED once enough has been paid
 */
export async function payInSandbox(
  db: Db,
  deps: Deps,
  money: SandboxWallet,
  { invoiceId, outcome }: { invoiceId: string; outcome: SandboxPaymentKind },
): Promise<void> {
  const invoice = await db
    .selectFrom('deposit')
    .select(['id', 'asset', 'amount', 'address', 'state'])
    .where('public_id', '=', invoiceId)
    .where('method', '=', 'chain')
    .executeTakeFirst()
  if (invoice === undefined || invoice.address === null) throw new AppError('NOT_FOUND')
  if (invoice.state === 'settled' || invoice.state === 'confirming' || invoice.state === 'closed') throw new AppError('ALREADY_DECIDED')
  if (outcome === 'late') await expireInvoice(db, deps, invoice.id)
  const isCoin = (invoice.asset === 'COIN') !== (outcome === 'wrong')
  await money.pay({ to: invoice.address, token: isCoin ? 'coin' : 'usd', amounts: amountsOf(outcome, invoice.amount) })
}

function amountsOf(outcome: SandboxPaymentKind, amount: bigint): bigint[] {
  const half = amount / 2n
  if (outcome === 'half') return [half]
  if (outcome === 'two') return [half, amount - half]
  return [outcome === 'double' ? amount * 2n : amount]
}

/** Sets the expiry of the invoice to one second ago, so that the next block is later. */
async function expireInvoice(db: Db, deps: Deps, id: bigint): Promise<void> {
  const expiry = new Date(deps.clock.now().getTime() - 1_000)
  await inTransaction(db, (tx) =>
    tx.updateTable('deposit').set({ expires_at: expiry }).where('id', '=', id).where('expires_at', '>', expiry).execute(),
  )
}
