import { INVOICE_VALID_MINUTES } from '@tizara/contract'
import { ONE, type Units } from '@tizara/money'
import type { TokenAsset } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { lockMember } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { insertInvoice } from './insert-invoice.ts'
import type { DepositPorts } from '../ports.ts'

/** Time after expiry during which the watcher still accepts payments. */
const WATCH_MS = 7 * DAY_MS
/** Smallest fraction of a dollar that members enter (CO-45). */
const CENT = ONE / 100n

/**
 * Opens an in-app invoice in coin or USDT (API-35, MF-01, MF-02) with a unique address, payable for 20 minutes.
 * @param input member, asset and amount in units
 * @returns the invoice's id: 128 random bits
 * @throws AppError TOO_MANY_OPEN_INVOICES; INVALID_AMOUNT for fractions of a cent; PAYMENT_PROVIDER_DOWN if no chain with the token
 * is connected, the chain is not alive, the token is rejected, or no address is available in this hour
 */
export async function createInvoice(
  tx: Tx,
  deps: Deps,
  { chain }: Pick<DepositPorts, 'chain'>,
  input: { memberId: bigint; amount: Units; asset: TokenAsset },
): Promise<{ invoiceId: string }> {
  const { asset, amount } = input
  if (asset === 'USD' && amount % CENT !== 0n) throw new AppError('INVALID_AMOUNT')
  if (chain?.tokens[asset] === undefined) throw new AppError('PAYMENT_PROVIDER_DOWN')
  await lockMember(tx, input.memberId)
  const now = deps.clock.now()
  if (!(await chain.isAlive(tx, now, asset))) throw new AppError('PAYMENT_PROVIDER_DOWN')
  const open = await tx
    .selectFrom('deposit')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('member_id', '=', input.memberId)
    .where('status', '=', 'PENDING')
    .where('method', '=', 'chain')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  const { coinPrice, openInvoices } = await currentSettings(tx, now)
  if (open.count >= BigInt(openInvoices)) throw new AppError('TOO_MANY_OPEN_INVOICES')
  const invoiceId = deps.ids.publicId()
  const address = await chain.newAddress(tx, invoiceId, now)
  if (address === undefined) throw new AppError('PAYMENT_PROVIDER_DOWN')
  const expiresAt = new Date(now.getTime() + INVOICE_VALID_MINUTES * 60_000)
  const watchedUntil = new Date(expiresAt.getTime() + WATCH_MS)
  await insertInvoice(tx, deps, { ...input, invoiceId, coinPrice, address, createdAt: now, expiresAt, watchedUntil })
  return { invoiceId }
}
