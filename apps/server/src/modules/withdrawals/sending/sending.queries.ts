import { sql } from 'kysely'
import { explorerLink } from '../../../gateways/chain/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { openAnswers, type SendingAnswer } from './answer-sending.ts'

/** On-chain progress of a payout in the staff view. */
export interface SendingFacts {
  state: 'QUEUED' | 'SIGNED' | 'MINED' | 'DONE' | 'FAILED' | 'CANCELLED'
  queuedAt: Date
  signedAt?: Date
  endedAt?: Date
  nonce?: number
  wallet?: string
  problem?: string
  cancelAskedAt?: Date
  /** Possible decisions of two people if the chain leaves the result unclear, and the decision made. */
  answers?: SendingAnswer[]
  answer?: SendingAnswer
  transactions: { hash: string; url?: string; purpose: 'PAYMENT' | 'CANCEL'; block?: number }[]
}

/** Returns undefined for a manual payout. */
export async function sendingOf(db: Db, deps: Deps, payoutId: string): Promise<SendingFacts | undefined> {
  const row = await db
    .selectFrom('payout_sending')
    .innerJoin('payout_request', 'payout_request.id', 'payout_sending.request_id')
    .selectAll('payout_sending')
    .where('payout_request.public_id', '=', payoutId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const answers = openAnswers(row)
  const inserted = await db
    .selectFrom('signed_transaction')
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
    transactions: inserted.map(({ hash, purpose, block }) => {
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

/** Labels for members, without chain jargon. */
const WORDS = { QUEUED: 'waiting', SIGNED: 'sent', MINED: 'confirming', DONE: 'arrived' } as const

/** Returns the progress labels of automatic payouts, by request row id. */
export async function sendingLabels(db: Db, requestIds: readonly bigint[]): Promise<Map<bigint, (typeof WORDS)[keyof typeof WORDS]>> {
  if (requestIds.length === 0) return new Map()
  const rows = await sql<{ id: bigint; state: keyof typeof WORDS }>`
    select request_id as id, state from payout_sending
    where request_id = any(${requestIds}::bigint[]) and state in ('QUEUED', 'SIGNED', 'MINED', 'DONE')`.execute(db)
  return new Map(rows.rows.map(({ id, state }) => [id, WORDS[state]]))
}
