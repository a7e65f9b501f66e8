import { type Units, usdForCoin } from '@tizara/money'
import type { TokenAsset } from '../../../gateways/chain/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** An invoice with its own address on the chain. */
export interface NewInvoice {
  invoiceId: string
  memberId: bigint
  asset: TokenAsset
  /** Units of the asset. */
  amount: Units
  /** Price of one coin in USD units. */
  coinPrice: Units
  address: string
  createdAt: Date
  expiresAt: Date
  /** End of the time in which the watcher still accepts payments. */
  watchedUntil: Date
}

/** Stores an invoice that awaits its payments. The watcher looks at it at once. */
export async function insertInvoice(tx: Tx, { config }: Pick<Deps, 'config'>, invoice: NewInvoice): Promise<void> {
  const { asset, amount } = invoice
  await tx
    .insertInto('deposit')
    .values({
      public_id: invoice.invoiceId,
      member_id: invoice.memberId,
      method: 'chain',
      asset,
      description: asset === 'USD' ? 'USDT' : config.tokenSymbol,
      amount,
      usd_amount: asset === 'USD' ? amount : usdForCoin(amount, invoice.coinPrice),
      created_at: invoice.createdAt,
      next_check_at: invoice.createdAt,
      address: invoice.address,
      expires_at: invoice.expiresAt,
      watched_until: invoice.watchedUntil,
      state: 'awaiting',
      state_reason: 'none',
    })
    .execute()
}
