import type { Units } from '@tizara/money'
import { assignAddress, finalTransfersTo, MIN_AMOUNT, type TokenAsset } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { currentSettings } from '../../settings/index.ts'
import { insertInvoice } from './insert-invoice.ts'

/**
 * Returns the final payments to an address, by asset, in units. Omits transfers without a valid MAC and those below the minimum for
 * credits.
 * @returns the assets with a payment, USD first
 */
export async function receivedAt(
  db: Db,
  { config }: Pick<Deps, 'config'>,
  address: string,
): Promise<{ asset: TokenAsset; amount: Units }[]> {
  const found = [...(await finalTransfersTo(db, config, address)).values()].filter(({ amount }) => amount >= MIN_AMOUNT)
  return (['USD', 'COIN'] as const).flatMap((asset) => {
    const amount = found.reduce((sum, one) => (one.asset === asset ? sum + one.amount : sum), 0n)
    return amount > 0n ? [{ asset, amount }] : []
  })
}

/**
 * Opens an invoice for the payments to an address without an invoice, after a decision of two people (invariant I8). After a restore, the
 * invoice that showed the address to the member may be lost. The watcher credits these payments as usual. Payments in another token and
 * later payments are held for a separate decision.
 * @returns the invoice's public id
 * @throws AppError CHANGE_OUTDATED if nothing final arrived, or if the address has an invoice now
 */
export async function claimAddress(tx: Tx, deps: Deps, { memberId, address }: { memberId: bigint; address: string }): Promise<string> {
  const [received] = await receivedAt(tx, deps, address)
  if (received === undefined) throw new AppError('CHANGE_OUTDATED')
  const [at, invoiceId] = [deps.clock.now(), deps.ids.publicId()]
  if (!(await assignAddress(tx, address, invoiceId))) throw new AppError('CHANGE_OUTDATED')
  const { coinPrice } = await currentSettings(tx, at)
  const times = { createdAt: at, expiresAt: at, watchedUntil: at }
  await insertInvoice(tx, deps, { ...received, ...times, invoiceId, memberId, coinPrice, address })
  return invoiceId
}
