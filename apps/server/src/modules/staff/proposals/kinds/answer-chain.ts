import { answerIncident } from '../../../../gateways/chain/index.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { answerSending } from '../../../withdrawals/index.ts'
import { auditStaff } from '../../access/actor.ts'
import type { Change } from './change-subjects.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import type { ChangeMakers } from '../../access/decider.ts'

/**
 * Puts in force what two people have answered.
 * @throws AppError NOT_FOUND, CHANGE_OUTDATED; FOUR_EYES for an own payout
 */
export async function applyAnswer(
  tx: Tx,
  deps: Deps,
  change: Extract<Change, { subject: 'chain-answer' }>,
  { maker, checkerId }: ChangeMakers,
): Promise<void> {
  const { about, id, answer } = change.value
  if (answer === 'SEEN') {
    if (about !== 'incident' || !(await answerIncident(tx, id, deps.clock.now()))) throw new AppError('CHANGE_OUTDATED')
  } else {
    const { memberId } = await answerSending(tx, deps, { payoutId: id, answer })
    await assertNotOwn(tx, memberId, { maker, checkerId })
  }
  await auditStaff(tx, deps, maker, {
    action: 'chain.answer',
    subject: about === 'payout' ? { type: 'payout_request', id } : { type: 'house', id: `chain-incident:${id}` },
    reason: change.reason,
    detail: { answer, ...(checkerId === undefined ? {} : { approvedBy: String(checkerId) }) },
  })
}
