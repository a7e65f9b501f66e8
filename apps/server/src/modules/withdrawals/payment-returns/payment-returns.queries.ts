import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { SENDING_COLUMNS, type SendingColumns, type SendingProgress, withProgress } from '../sending/sending-progress.ts'

/** Maximum returns in the list of a deposit, newest first. */
const MAX_RETURNS = 20

/** Return of a payment, in the views of staff and of the payer. Amounts are units. */
export interface PaymentReturnRow extends SendingProgress {
  id: string
  asset: 'usd' | 'coin'
  /** Sent amount, less the network fee. */
  received: Units
  networkFee: Units
  address: string
  createdAt: Date
}

/** Returns the newest returns of a deposit's payments. */
export async function paymentReturnsOf(db: Db, { config }: Pick<Deps, 'config'>, deposit: string): Promise<PaymentReturnRow[]> {
  const { rows } = await sql<Omit<PaymentReturnRow, keyof SendingProgress> & SendingColumns>`
    select r.public_id as id, lower(r.asset) as asset, r.received, r.network_fee as "networkFee", r.address, r.created_at as "createdAt",
      ${SENDING_COLUMNS}
    from payment_return r join payout_sending s on s.request_id = r.id
    where r.deposit = ${deposit} order by r.id limit ${MAX_RETURNS}`.execute(db)
  return rows.map((row) => withProgress(config, row))
}
