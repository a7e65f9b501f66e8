import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { PlayMoney } from './ports.ts'

/** How an invoice is paid with play money. */
export type PlayOutcome = 'exact' | 'half' | 'double' | 'two' | 'late' | 'wrong'

/**
 * Pays an in-app invoice with play money, by transfers on the play chain: all, half or double of it, all in two halves, all after it
 * has run out, or in the other token. Late means that the invoice runs out now: a chain can't be told a wrong time.
 * @throws AppError NOT_FOUND; ALREADY_DECIDED once enough has been paid
 */
export async function payInSandbox(
  db: Db,
  deps: Deps,
  money: PlayMoney,
  { invoiceId, outcome }: { invoiceId: string; outcome: PlayOutcome },
): Promise<void> {
  const invoice = await db
    .selectFrom('deposit')
    .select(['id', 'asset', 'amount', 'address', 'state'])
    .where('public_id', '=', invoiceId)
    .where('way', '=', 'chain')
    .executeTakeFirst()
  if (invoice === undefined || invoice.address === null) throw new AppError('NOT_FOUND')
  if (invoice.state === 'settled' || invoice.state === 'confirming' || invoice.state === 'closed') throw new AppError('ALREADY_DECIDED')
  if (outcome === 'late') await runOut(db, deps, invoice.id)
  const isCoin = (invoice.asset === 'COIN') !== (outcome === 'wrong')
  await money.pay({ to: invoice.address, token: isCoin ? 'coin' : 'usd', amounts: amountsOf(outcome, invoice.amount) })
}

function amountsOf(outcome: PlayOutcome, amount: bigint): bigint[] {
  const half = amount / 2n
  if (outcome === 'half') return [half]
  if (outcome === 'two') return [half, amount - half]
  return [outcome === 'double' ? amount * 2n : amount]
}

/** A second before now, so that the next block is younger. */
async function runOut(db: Db, deps: Deps, id: bigint): Promise<void> {
  const ended = new Date(deps.clock.now().getTime() - 1_000)
  await inTransaction(db, (tx) =>
    tx.updateTable('deposit').set({ expires_at: ended }).where('id', '=', id).where('expires_at', '>', ended).execute(),
  )
}
