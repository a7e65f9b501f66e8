import { sql } from 'kysely'
import { dueTransaction, type Sent } from '../../../gateways/chain/index.ts'
import { type SignedSending, type SignedTransaction, signedSendings } from './open-sendings.queries.ts'
import type { Sender } from './sender.ts'

/**
 * Sends signed, unmined transactions to the node, new ones at once and older ones again (`dueTransaction`).
 * @returns the number of sent transactions
 */
export async function broadcast(sender: Sender): Promise<number> {
  const { lease, deps, node } = sender
  const now = deps.clock.now()
  const open = await lease.read((db) => signedSendings(db))
  const due = open.filter(({ state }) => state === 'SIGNED').flatMap((sending) => dueOf(sending, now))
  if (due.length === 0) return 0
  const outcomes = await node.send(due.map(({ transaction }) => transaction.raw))
  const problems = due.flatMap(({ sending }, index) => {
    const problem = problemIn(outcomes[index] ?? 'taken')
    return problem === undefined ? [] : [{ id: sending.requestId, problem }]
  })
  await lease.inTransaction(async (tx) => {
    await sql`
      update payout_transaction set sent_at = ${now} where hash = any(${due.map(({ transaction }) => transaction.hash)}::text[])`.execute(
      tx,
    )
    await sql`
      update payout_sending s set problem = w.problem
      from unnest(${problems.map(({ id }) => id)}::bigint[], ${problems.map(({ problem }) => problem)}::text[]) as w (id, problem)
      where s.request_id = w.id`.execute(tx)
  })
  return due.length
}

function dueOf(sending: SignedSending, now: Date): { sending: SignedSending; transaction: SignedTransaction }[] {
  const transaction = dueTransaction(sending.transactions, now)
  return transaction === undefined ? [] : [{ sending, transaction }]
}

/** Returns the problem shown to staff; undefined for a used nonce and a low fee, which the job resolves from the state of the chain. */
function problemIn(sent: Sent): string | undefined {
  if (typeof sent === 'object') return `the node refuses it: ${sent.refused}`
  return sent === 'no gas' ? 'the hot wallet has too little native coin for gas' : undefined
}
