import type { ChangeSubject } from '@tizara/contract/staff-changes'
import type { StaffRole } from '@tizara/contract/staff'
import type { Viewer } from '../../../http/calls/session-guard.ts'

const ALL: readonly StaffRole[] = ['SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR']
const DESK: readonly StaffRole[] = ['SUPPORT', 'FINANCE', 'ADMIN']
const MONEY: readonly StaffRole[] = ['FINANCE', 'ADMIN']
const RECORD: readonly StaffRole[] = ['FINANCE', 'ADMIN', 'AUDITOR']
const HOUSE: readonly StaffRole[] = ['ADMIN']

/** Which role may make which call of staff: the one place that says so. A call without a row is not served. */
const CALLS = {
  staffMe: ALL,
  staffJob: ALL,
  cancelStaffJob: ALL,
  staffLedgerAccounts: ALL,
  staffLedgerAccount: ALL,
  staffLedgerEntries: ALL,
  staffLedgerTransfer: ALL,
  staffTransferReceipts: ALL,
  staffJobFile: ALL,
  staffOverview: ALL,
  staffIncidents: ALL,
  staffPeople: ALL,
  staffSearch: ALL,
  announcePresence: ALL,
  staffQueue: ALL,
  staffQueueItem: ALL,
  staffMembers: ALL,
  staffMemberDetail: ALL,
  staffTimeline: ALL,
  staffMemberLedger: ALL,
  staffMemberSessions: ALL,
  staffMemberTeam: ALL,
  staffMemberTickets: ALL,
  staffMemberNotes: ALL,
  savedReplies: ALL,
  revealMember: ALL,
  openTicketPicture: ALL,
  staffPurchases: ALL,
  staffSharedTraces: ALL,
  staffTickets: ALL,
  staffTicketDetail: ALL,
  staffTicketFigures: ALL,
  staffHeldRewards: ALL,
  staffRewardPool: ALL,
  staffRewardRuns: ALL,
  staffCatalogue: ALL,
  priceHistory: ALL,
  staffMails: ALL,
  previewMail: ALL,
  staffChanges: ALL,
  staffChange: ALL,
  staffAudit: RECORD,
  staffAuditChain: RECORD,
  checkAuditChain: RECORD,
  startExport: RECORD,
  staffHealth: RECORD,
  answerTicket: DESK,
  closeTicketAsStaff: DESK,
  endMemberSessions: DESK,
  assignTicket: DESK,
  tagTicket: DESK,
  noteOnTicket: DESK,
  saveReply: DESK,
  changeReply: DESK,
  noteOnMember: DESK,
  viewAsMember: DESK,
  reviewSharedTrace: DESK,
  takeIncident: DESK,
  approveRequest: MONEY,
  rejectRequest: MONEY,
  takeBackApproval: MONEY,
  nameTransaction: MONEY,
  stopSending: MONEY,
  fundRewardPool: MONEY,
  creditRcm: MONEY,
  undoPurchase: MONEY,
  cancelRewards: MONEY,
  reverseTransfer: MONEY,
  startRewardRun: MONEY,
  stopHouse: MONEY,
  tryRewardDay: MONEY,
  payRewardDay: MONEY,
  previewChange: MONEY,
  simulateProgramme: MONEY,
  proposeChange: MONEY,
  approveChange: MONEY,
  refuseChange: MONEY,
  cancelChange: MONEY,
  setMemberStatus: HOUSE,
  setSpecialRcm: HOUSE,
  setMemberRank: HOUSE,
  verifyMember: HOUSE,
  grantRole: HOUSE,
  liftStop: HOUSE,
  answerChain: HOUSE,
  resetSecondFactor: HOUSE,
} as const

/** Who may propose, approve and refuse changes of a subject. */
const SUBJECTS: Readonly<Record<`change.${ChangeSubject}`, readonly StaffRole[]>> = {
  'change.price': MONEY,
  'change.plan': MONEY,
  'change.nft': MONEY,
  'change.popup': MONEY,
  'change.programme': MONEY,
  'change.credit': MONEY,
  'change.fund': MONEY,
  'change.undo': MONEY,
  'change.cancel-rewards': MONEY,
  'change.reversal': MONEY,
  'change.settings': HOUSE,
  'change.limits': HOUSE,
  'change.cover': HOUSE,
  'change.staff': HOUSE,
  'change.second-factor': HOUSE,
  'change.sessions': HOUSE,
  'change.status': HOUSE,
  'change.lift-stop': HOUSE,
  'change.chain-answer': HOUSE,
  'change.special': HOUSE,
  'change.rank': HOUSE,
}

/** Roles by right: calls of the wire by their name, and `change.` with the subject of a change. */
const RIGHTS = { ...CALLS, ...SUBJECTS }
export type StaffRight = keyof typeof RIGHTS

/** Whether a name is one of the table. */
export const isRight = (name: string): name is StaffRight => Object.hasOwn(RIGHTS, name)

export const mayRole = (role: Viewer['role'], right: StaffRight): boolean => role !== 'MEMBER' && RIGHTS[right].includes(role)

/** Everything that a role may do. */
export const rightsOf = (role: Viewer['role']): StaffRight[] =>
  Object.keys(RIGHTS).filter((name) => isRight(name) && mayRole(role, name)) as StaffRight[]

export const rolesByRight = (): Record<string, StaffRole[]> =>
  Object.fromEntries(Object.entries(RIGHTS).map(([right, roles]) => [right, [...roles]]))
