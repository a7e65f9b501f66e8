import { sql } from 'kysely'
import { type Replacing, replaceUnmined } from '../../../gateways/chain/index.ts'
import { isRecent } from '../../../platform/runtime/clock.ts'
import { isApproved } from './approval-mac.ts'
import {
  clearNotReplaced,
  clearProblemOfReplaced,
  NO_GAS,
  NOT_APPROVED,
  NOT_MINED,
  NOT_SIGNED,
  recordSendingProblem,
  TOO_EXPENSIVE,
} from './sending-problem.ts'
import { type SignedSending, signedSendings } from './open-sendings.queries.ts'
import type { Sender } from './sender.ts'

/** Age in ms of an unmined transaction with a sufficient fee from which staff see it. */
const REPORT_UNMINED_AFTER_MS = 3_600_000

/**
 * Replaces unmined payouts (`replaceUnmined`) by the same payment or, if requested, by a cancellation. A payment is signed again only if it
 * still matches the approval.
 * @returns the number of replaced transactions
 * @throws NodeUnavailable, NodeError
 */
export async function replaceStuck(sender: Sender): Promise<number> {
  const { lease, deps, rules, signer } = sender
  const open = (await lease.read((db) => signedSendings(db))).filter(({ state, wallet }) => state === 'SIGNED' && wallet === signer.address)
  const problemOf: Replacing<SignedSending>['onNotReplaced'] = async ({ requestId, transactions }, reason) => {
    const isYoung = isRecent(transactions.at(-1)?.madeAt ?? deps.clock.now(), deps.clock.now(), REPORT_UNMINED_AFTER_MS)
    if (reason.why === 'fee suffices' && isYoung) await clearNotReplaced(lease, requestId)
    else await recordSendingProblem(lease, requestId, PROBLEMS[reason.why])
    return 0
  }
  return replaceUnmined(sender, open, {
    stuckMs: rules.stuckSeconds * 1000,
    ownerOf: ({ requestId }) => ({ requestId }),
    purposeOf: ({ cancelAsked }) => (cancelAsked ? 'CANCEL' : 'PAYMENT'),
    contentOf: async (sending) => {
      if (sending.cancelAsked) return {}
      if (isApproved(deps.config, sending, sending.mac)) return { transfer: sending }
      await recordSendingProblem(lease, sending.requestId, NOT_APPROVED)
      return undefined
    },
    sign: (_, order) => signer.sign(order),
    lock: async (tx, { requestId, cancelAsked }) => {
      const { rows } = await sql`
        select from payout_sending where request_id = ${requestId} and state = 'SIGNED' and (cancel_asked_at is not null) = ${cancelAsked}
        for update`.execute(tx)
      if (rows.length === 0) return false
      await clearProblemOfReplaced(tx, requestId, { isApproved: !cancelAsked })
      return true
    },
    onNotReplaced: problemOf,
  })
}

/** Problem that staff see for each reason. */
const PROBLEMS = {
  'fee suffices': NOT_MINED,
  'price above maximum': TOO_EXPENSIVE,
  'not signed': NOT_SIGNED,
  'no gas': NO_GAS,
} as const
