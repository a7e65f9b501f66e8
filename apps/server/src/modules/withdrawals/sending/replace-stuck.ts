import { sql } from 'kysely'
import { replacementPrice, storeTransactions } from '../../../gateways/chain/index.ts'
import { isRecent } from '../../../platform/runtime/clock.ts'
import { isApproved } from './approval-mac.ts'
import { NOT_APPROVED, NOT_MINED, recordSendingProblem } from './sending-problem.ts'
import { type SignedSending, signedSendings } from './open-sendings.queries.ts'
import type { Sender } from './sender.ts'

/** Age in ms of an unmined transaction with a sufficient fee from which staff see it. */
const REPORT_UNMINED_AFTER_MS = 3_600_000

/**
 * Replaces unmined payout transactions with a higher fee, by the same payment or, if requested, by a cancellation. Only one transaction per
 * nonce can be mined. A transaction that pays the market price is only sent again (`broadcast`); otherwise its fee would grow up to the
 * maximum while a node drops the transaction. A payment is signed again only if it still matches the approval.
 * @returns the number of replaced transactions
 */
export async function replaceStuck(sender: Sender): Promise<number> {
  const { lease, deps, node, rules, signer } = sender
  const open = (await lease.read((db) => signedSendings(db))).filter(({ state, wallet }) => state === 'SIGNED' && wallet === signer.address)
  const stuckBefore = deps.clock.now().getTime() - rules.stuckSeconds * 1000
  const due = open.filter((sending) => needsAnother(sending, stuckBefore))
  if (due.length === 0) return 0
  const marketPrice = await node.gasPrice()
  let replaced = 0
  for (const sending of due) {
    const last = sending.transactions.at(-1)
    if (last === undefined) continue
    const { token, to, amount, nonce, cancelAsked } = sending
    if (!cancelAsked && !isApproved(deps.config, sending, sending.mac)) {
      await recordSendingProblem(lease, sending.requestId, NOT_APPROVED)
      continue
    }
    if (last.purpose === (cancelAsked ? 'CANCEL' : 'PAYMENT') && last.gasPrice >= marketPrice) {
      if (isRecent(last.madeAt, deps.clock.now(), REPORT_UNMINED_AFTER_MS)) continue
      await recordSendingProblem(lease, sending.requestId, NOT_MINED)
      continue
    }
    const gasPrice = replacementPrice(last.gasPrice, marketPrice)
    if (gasPrice > rules.maxGasPrice) continue
    const transfer = cancelAsked ? undefined : { token, to, amount }
    const order = await signer.sign({ chainId: rules.chainId, from: signer.address, nonce, gasPrice, transfer })
    replaced += await lease.inTransaction(async (tx) => {
      const { rows } = await sql`
        select from payout_sending where request_id = ${sending.requestId} and state = 'SIGNED' and (cancel_asked_at is not null) = ${cancelAsked}
        for update`.execute(tx)
      if (rows.length === 0) return 0
      const purpose = cancelAsked ? 'CANCEL' : 'PAYMENT'
      return storeTransactions(tx, [{ ...order, requestId: sending.requestId, purpose, gasPrice, madeAt: deps.clock.now() }])
    })
  }
  return replaced
}

function needsAnother({ transactions, cancelAsked }: SignedSending, stuckBefore: number): boolean {
  const last = transactions.at(-1)
  const isStuck = last !== undefined && last.madeAt.getTime() <= stuckBefore
  return isStuck || (cancelAsked && last?.purpose === 'PAYMENT')
}
