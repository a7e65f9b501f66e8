import { sql } from 'kysely'
import { explorerLink } from '../../../gateways/chain/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { openAnswers, type SendingAnswer } from './answer-sending.ts'

/** A payout's way over the chain, as staff see it. */
export interface SendingFacts {
  state: 'QUEUED' | 'SIGNED' | 'MINED' | 'DONE' | 'FAILED' | 'CANCELLED'
  queuedAt: Date
  signedAt?: Date
  endedAt?: Date
  nonce?: number
  wallet?: string
  problem?: string
  cancelAskedAt?: Date
  /** What two people may decide where the chain leaves it open, and what they have decided. */
  answers?: SendingAnswer[]
  answer?: SendingAnswer
  transactions: { hash: string; url?: string; purpose: 'PAYMENT' | 'CANCEL'; block?: number }[]
}

/** Undefined for a payout that is paid by hand. */
export async function sendingOf(db: Db, deps: Deps, payoutId: string): Promise<SendingFacts | undefined> {
  const row = await db
    .selectFrom('payout_sending')
    .innerJoin('payout_request', 'payout_request.id', 'payout_sending.request_id')
    .selectAll('payout_sending')
    .where('payout_request.public_id', '=', payoutId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const answers = openAnswers(row)
  const made = await db
    .selectFrom('payout_transaction')
    .select(['hash', 'purpose', 'block'])
    .where('request_id', '=', row.request_id)
    .orderBy('made_at')
    .execute()
  return {
    state: row.state as SendingFacts['state'],
    queuedAt: row.queued_at,
    ...(row.signed_at === null ? {} : { signedAt: row.signed_at }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.nonce === null ? {} : { nonce: Number(row.nonce) }),
    ...(row.wallet === null ? {} : { wallet: row.wallet }),
    ...(row.problem === null ? {} : { problem: row.problem }),
    ...(answers.length === 0 ? {} : { answers }),
    ...(row.answer === null ? {} : { answer: row.answer as SendingAnswer }),
    ...(row.cancel_asked_at === null ? {} : { cancelAskedAt: row.cancel_asked_at }),
    transactions: made.map(({ hash, purpose, block }) => {
      const { txUrl: url } = explorerLink(deps.config, hash)
      return {
        hash,
        purpose: purpose as 'PAYMENT' | 'CANCEL',
        ...(url === undefined ? {} : { url }),
        ...(block === null ? {} : { block: Number(block) }),
      }
    }),
  }
}

/** In the words of members: nobody has to know what a nonce is. */
const WORDS = { QUEUED: 'waiting', SIGNED: 'sent', MINED: 'confirming', DONE: 'arrived' } as const

/** How far approved payouts are that the product sends, by the id of their rows. */
export async function sendingWords(db: Db, requestIds: readonly bigint[]): Promise<Map<bigint, (typeof WORDS)[keyof typeof WORDS]>> {
  if (requestIds.length === 0) return new Map()
  const rows = await sql<{ id: bigint; state: keyof typeof WORDS }>`
    select request_id as id, state from payout_sending
    where request_id = any(${requestIds}::bigint[]) and state in ('QUEUED', 'SIGNED', 'MINED', 'DONE')`.execute(db)
  return new Map(rows.rows.map(({ id, state }) => [id, WORDS[state]]))
}
