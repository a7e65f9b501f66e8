import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { NO_TRANSFER, NONCE_TAKEN } from './note-problem.ts'

/** What people decide of a payout that the chain leaves open: it goes back to its owner, or it has arrived in another way. */
export type SendingAnswer = 'GIVE_BACK' | 'ARRIVED'

/**
 * Writes down what people decided of a payout whose number somebody else used, or whose token said yes and paid nothing. The
 * worker does it, and gives back only what the chain proves can never arrive.
 * @param payoutId its id on the wire
 * @returns the payout's owner
 * @throws AppError NOT_FOUND; CHANGE_OUTDATED when it is in neither case, or was decided
 */
export async function answerSending(
  tx: Tx,
  deps: Deps,
  { payoutId, answer }: { payoutId: string; answer: SendingAnswer },
): Promise<{ memberId: bigint }> {
  const open = await openSending(tx, payoutId, true)
  if (open === undefined) throw new AppError('NOT_FOUND')
  if (!fits(open, answer)) throw new AppError('CHANGE_OUTDATED')
  const at = deps.clock.now()
  // A number that somebody else used is as good as a cancellation that was mined.
  const cancelled = open.problem === NONCE_TAKEN ? { cancel_asked_at: at } : {}
  await tx
    .updateTable('payout_sending')
    .set({ answer, ...cancelled })
    .where('request_id', '=', open.id)
    .execute()
  return { memberId: open.memberId }
}

/**
 * Whether people may decide so of a payout now.
 * @throws AppError NOT_FOUND, CHANGE_OUTDATED
 */
export async function assertAnswerable(tx: Tx, payoutId: string, answer: SendingAnswer): Promise<{ problem: string }> {
  const open = await openSending(tx, payoutId, false)
  if (open === undefined) throw new AppError('NOT_FOUND')
  if (!fits(open, answer) || open.problem === null) throw new AppError('CHANGE_OUTDATED')
  return { problem: open.problem }
}

interface OpenSending {
  problem: string | null
  answer: string | null
  state: string
}

/** What people may decide of a payout now; nothing where the chain says it. */
export const openAnswers = (sending: OpenSending): SendingAnswer[] =>
  (['GIVE_BACK', 'ARRIVED'] as const).filter((answer) => fits(sending, answer))

const fits = ({ problem, answer: decided, state }: OpenSending, answer: SendingAnswer): boolean =>
  decided === null &&
  ((problem === NONCE_TAKEN && state === 'SIGNED' && answer === 'GIVE_BACK') || (problem === NO_TRANSFER && state === 'MINED'))

async function openSending(tx: Tx, payoutId: string, lock: boolean) {
  const found = tx
    .selectFrom('payout_request as p')
    .innerJoin('payout_sending as s', 's.request_id', 'p.id')
    .select(['p.id', 'p.member_id as memberId', 's.problem', 's.answer', 's.state'])
    .where('p.public_id', '=', payoutId)
  return lock ? found.forUpdate().executeTakeFirst() : found.executeTakeFirst()
}
