import type { Approval } from './proposal-kind.ts'

/** The people, the reason and the proposal behind a move of the operator's money, for its audit entry. */
export const moneyAct = ({ maker, checkerId, proposalId, reason }: Approval) => ({
  by: { memberId: maker.memberId, role: maker.role },
  reason,
  ...(checkerId === undefined ? {} : { approvedBy: checkerId }),
  ...(proposalId === undefined ? {} : { changeId: proposalId }),
  ...(maker.ip === undefined ? {} : { ip: maker.ip }),
  ...(maker.requestId === undefined ? {} : { requestId: maker.requestId }),
})
