import { sql } from 'kysely'
import { readTransactions, type StoredTransaction, type TransactionsRow, transactionsSql } from '../../../gateways/chain/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { SendingKind } from './sending-kind.ts'
import type { ApprovedPayment } from './approval-mac.ts'

/** Queued payout, cold move or payment return, with its approved payment. */
export interface QueuedSending extends ApprovedPayment {
  /** Id of the payout, or of the cold move or payment return (negative). */
  requestId: bigint
  kind: SendingKind
  mac: Buffer
}

/** Signed payout with its transactions, oldest first. */
export interface SignedSending extends QueuedSending {
  state: 'SIGNED' | 'MINED'
  wallet: string
  nonce: number
  cancelAsked: boolean
  /** Decision of two people about an unclear result. */
  answer: 'GIVE_BACK' | 'ARRIVED' | null
  /** Hash of our other transaction that used the nonce, adopted after a restore. */
  takenBy: string | null
  label: string
  transactions: StoredTransaction[]
}

/**
 * Returns the next queued payouts, oldest first, then the payment returns, and then the cold moves. What screening holds is left out, so that
 * later payouts are sent.
 */
export async function queuedSendings(db: Db, limit: number): Promise<QueuedSending[]> {
  const rows = await sql<Omit<QueuedSending, 'amount'> & { amount: string }>`
    select s.request_id as "requestId", s.kind, p.public_id as "payoutId", s.chain_id::int as "chainId", s.token, s.to_address as "to",
      s.exact_amount::text as amount, s.approval_mac as mac
    from payout_sending s join sent_order p on p.id = s.request_id where s.state = 'QUEUED'
      and screening_hold((select member_id from payout_request where id = s.request_id)) is null
      and screening_hold((select member_id from payment_return where id = s.request_id)) is null
    order by s.kind = 'COLD', s.kind = 'PROCEEDS', s.kind = 'RETURN', abs(s.request_id) limit ${limit}`.execute(db)
  return rows.rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** Returns signed payouts that are not final, oldest first. The in-flight limit bounds the list. */
export async function signedSendings(db: Db): Promise<SignedSending[]> {
  const rows = await sql<Omit<SignedSending, 'amount' | 'label' | 'transactions'> & TransactionsRow & { amount: string }>`
    select s.request_id as "requestId", s.kind, p.public_id as "payoutId", s.chain_id::int as "chainId", s.state, s.token, s.to_address as "to",
      s.exact_amount::text as amount, s.approval_mac as mac, s.wallet, s.nonce::int as nonce, s.cancel_asked_at is not null as "cancelAsked", s.answer, s.nonce_taken_by as "takenBy",
      ${transactionsSql(sql`t.request_id = s.request_id`)}
    from payout_sending s join sent_order p on p.id = s.request_id where s.state in ('SIGNED', 'MINED') order by s.nonce`.execute(db)
  return rows.rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    label: `payout ${row.payoutId}`,
    transactions: readTransactions(row),
  }))
}

/**
 * Sums the payouts signed since a time, by token, in the token's smallest unit. Cancelled payouts are included, because they may have been
 * paid. Cold moves are excluded, because a large one would stop the payouts of an hour.
 */
export async function signedSince(db: Db, since: Date): Promise<Map<string, bigint>> {
  const rows = await sql<{ token: string; amount: string }>`
    select token, sum(exact_amount)::text as amount from payout_sending where signed_at > ${since} and kind not in ('COLD', 'PROCEEDS') group by token`.execute(
    db,
  )
  return new Map(rows.rows.map(({ token, amount }) => [token, BigInt(amount)]))
}

/** Returns true if a signed payout is not final. */
export async function hasSignedPayouts(db: Db): Promise<boolean> {
  const found = await sql`select from payout_sending where state in ('SIGNED', 'MINED') limit 1`.execute(db)
  return found.rows.length > 0
}
