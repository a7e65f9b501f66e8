import type { Approval } from './proposal-kind.ts'

/** Returns the people, reason and proposal behind a move of operator money, for its audit entry. */
export const moneyAction = ({ maker, checkerId, proposalId, reason }: Approval) => ({
  by: { memberId: maker.memberId, role: maker.role },
  reason,
  ...(checkerId === undefined ? {} : { approvedBy: checkerId }),
  ...(proposalId === undefined ? {} : { changeId: proposalId }),
  ...(maker.ip === undefined ? {} : { ip: maker.ip }),
  ...(maker.requestId === undefined ? {} : { requestId: maker.requestId }),
})
