import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { NO_TRANSFER, NONCE_TAKEN, PART_ARRIVED } from './sending-problem.ts'

/** Staff decision about a payout with an unclear result: return it to the member, or confirm its arrival. */
export type SendingAnswer = 'GIVE_BACK' | 'ARRIVED'

/**
 * Records a staff decision about a payout: another transaction used its nonce, or the token reported success without a transfer. The
 * worker executes the decision, and returns money only if the chain proves that the payment can never arrive.
 * @param payoutId public id
 * @returns the id of the payout's member
 * @throws AppError NOT_FOUND; CHANGE_OUTDATED if it is in neither state, or was decided
 */
export async function answerSending(
  tx: Tx,
  deps: Deps,
  { payoutId, answer }: { payoutId: string; answer: SendingAnswer },
): Promise<{ memberId: bigint }> {
  const open = await openSending(tx, payoutId, true)
  if (open === undefined) throw new AppError('NOT_FOUND')
  if (!isPossibleAnswer(open, answer)) throw new AppError('CHANGE_OUTDATED')
  const at = deps.clock.now()
  // A nonce used by an unknown transaction has the effect of a mined cancellation.
  const cancelled = open.problem === NONCE_TAKEN ? { cancel_asked_at: at } : {}
  await tx
    .updateTable('payout_sending')
    .set({ answer, ...cancelled })
    .where('request_id', '=', open.id)
    .execute()
  return { memberId: open.memberId }
}

/**
 * Checks that staff may make this decision now.
 * @throws AppError NOT_FOUND, CHANGE_OUTDATED
 */
export async function assertAnswerable(tx: Tx, payoutId: string, answer: SendingAnswer): Promise<{ problem: string }> {
  const open = await openSending(tx, payoutId, false)
  if (open === undefined) throw new AppError('NOT_FOUND')
  if (!isPossibleAnswer(open, answer) || open.problem === null) throw new AppError('CHANGE_OUTDATED')
  return { problem: open.problem }
}

interface OpenSending {
  problem: string | null
  answer: string | null
  state: string
}

/** Returns the decisions that staff can make; empty if the chain determines the result. */
export const openAnswers = (sending: OpenSending): SendingAnswer[] =>
  (['GIVE_BACK', 'ARRIVED'] as const).filter((answer) => isPossibleAnswer(sending, answer))

function isPossibleAnswer({ problem, answer: decided, state }: OpenSending, answer: SendingAnswer): boolean {
  // A part that arrived overrides an earlier decision to return the money.
  if (problem === PART_ARRIVED) return state === 'MINED' && answer === 'ARRIVED' && decided !== 'ARRIVED'
  if (decided !== null) return false
  return (problem === NONCE_TAKEN && state === 'SIGNED' && answer === 'GIVE_BACK') || (problem === NO_TRANSFER && state === 'MINED')
}

async function openSending(tx: Tx, payoutId: string, lock: boolean) {
  const found = tx
    .selectFrom('payout_request as p')
    .innerJoin('payout_sending as s', 's.request_id', 'p.id')
    .select(['p.id', 'p.member_id as memberId', 's.problem', 's.answer', 's.state'])
    .where('p.public_id', '=', payoutId)
  return lock ? found.forUpdate().executeTakeFirst() : found.executeTakeFirst()
}
