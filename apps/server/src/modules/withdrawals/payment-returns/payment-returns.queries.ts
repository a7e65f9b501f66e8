import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { explorerLink } from '../../../gateways/chain/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** Maximum returns in the list of a deposit, newest first. */
const NEWEST = 20

/** Return of a payment, in the views of staff and of the payer. Amounts are units. */
export interface PaymentReturnRow {
  id: string
  asset: 'usd' | 'coin'
  /** Sent amount, less the network fee. */
  received: Units
  networkFee: Units
  address: string
  state: 'QUEUED' | 'SIGNED' | 'MINED' | 'DONE' | 'FAILED' | 'CANCELLED'
  createdAt: Date
  endedAt?: Date
  problem?: string
  /** True if a cancellation was requested and the chain has not decided yet. */
  cancelling: boolean
  txHash?: string
  txUrl?: string
}

/** Returns the newest returns of a deposit's payments. */
export async function paymentReturnsOf(db: Db, { config }: Pick<Deps, 'config'>, deposit: string): Promise<PaymentReturnRow[]> {
  const { rows } = await sql<
    Omit<PaymentReturnRow, 'endedAt' | 'problem' | 'txHash' | 'txUrl'> & {
      endedAt: Date | null
      problem: string | null
      hash: string | null
    }
  >`
    select r.public_id as id, lower(r.asset) as asset, r.received, r.network_fee as "networkFee", r.address, s.state,
      r.created_at as "createdAt", s.ended_at as "endedAt", s.problem, s.cancel_asked_at is not null and s.ended_at is null as cancelling,
      (select t.hash from payout_transaction t where t.request_id = s.request_id order by t.block is null, t.made_at desc limit 1) as hash
    from payment_return r join payout_sending s on s.request_id = r.id
    where r.deposit = ${deposit} order by r.id limit ${NEWEST}`.execute(db)
  return rows.map(({ endedAt, problem, hash, ...row }) => ({
    ...row,
    ...(endedAt === null ? {} : { endedAt }),
    ...(problem === null ? {} : { problem }),
    ...(hash === null ? {} : { txHash: hash, ...explorerLink(config, hash) }),
  }))
}
