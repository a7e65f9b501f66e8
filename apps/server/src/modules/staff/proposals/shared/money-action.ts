import type { Approval } from './proposal-kind.ts'

/** Returns the people, reason and proposal behind a move of operator money, for its audit entry. */
export const moneyAction = ({ proposer, approverId, proposalId, reason }: Approval) => ({
  by: { memberId: proposer.memberId, role: proposer.role },
  reason,
  ...(approverId === undefined ? {} : { approvedBy: approverId }),
  ...(proposalId === undefined ? {} : { proposalId }),
  ...(proposer.ip === undefined ? {} : { ip: proposer.ip }),
  ...(proposer.requestId === undefined ? {} : { requestId: proposer.requestId }),
})
