import type { Route } from '@tizara/contract'
import type { ChangeSubject } from '@tizara/contract/staff-changes'
import type { StaffRole } from '@tizara/contract/staff'
import type { Bind } from '../../http/bind-route.ts'
import type { Viewer } from '../../http/session-guard.ts'
import { AppError } from '../../platform/app-error.ts'

const ALL: readonly StaffRole[] = ['SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR']
const DESK: readonly StaffRole[] = ['SUPPORT', 'FINANCE', 'ADMIN']
const MONEY: readonly StaffRole[] = ['FINANCE', 'ADMIN']
const RECORD: readonly StaffRole[] = ['FINANCE', 'ADMIN', 'AUDITOR']
const HOUSE: readonly StaffRole[] = ['ADMIN']

/** Which role may make which call of staff: the one place that says so. A call without a row is not served. */
const CALLS = {
  staffMe: ALL,
  staffJob: ALL,
  staffLedgerAccounts: ALL,
  staffLedgerAccount: ALL,
  staffLedgerEntries: ALL,
  staffLedgerTransfer: ALL,
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
  staffHeldRewards: ALL,
  staffRewardPool: ALL,
  staffRewardRuns: ALL,
  staffCatalogue: ALL,
  priceHistory: ALL,
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
  startRewardRun: MONEY,
  stopHouse: MONEY,
  tryRewardDay: MONEY,
  payRewardDay: MONEY,
  previewChange: MONEY,
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
  'change.settings': HOUSE,
  'change.limits': HOUSE,
  'change.cover': HOUSE,
  'change.staff': HOUSE,
  'change.second-factor': HOUSE,
  'change.sessions': HOUSE,
  'change.status': HOUSE,
  'change.lift-stop': HOUSE,
}

/** Roles by right: calls of the wire by their name, and `change.` with the subject of a change. */
const RIGHTS = { ...CALLS, ...SUBJECTS }
export type StaffRight = keyof typeof RIGHTS

const isRight = (name: string): name is StaffRight => Object.hasOwn(RIGHTS, name)

/** Whether a role has a right. */
export const mayRole = (role: Viewer['role'], right: StaffRight): boolean => role !== 'MEMBER' && RIGHTS[right].includes(role)

/** Everything that a role may do. */
export const rightsOf = (role: Viewer['role']): StaffRight[] =>
  Object.keys(RIGHTS).filter((name) => isRight(name) && mayRole(role, name)) as StaffRight[]

/** Which roles have each right. */
export const rolesByRight = (): Record<string, StaffRole[]> =>
  Object.fromEntries(Object.entries(RIGHTS).map(([right, roles]) => [right, [...roles]]))

/**
 * Binds calls of staff by the table of rights: one without a row stops the start, and a reader without the right is
 * answered as if the call did not exist. Acts make sure of it again in their transaction (`assertStaff`).
 */
export function byRights(bind: Bind): Bind {
  const check = (route: Route) => {
    const right = route.name
    if (!isRight(right)) throw new Error(`${right} has no row in the table of rights`)
    return (viewer: unknown) => {
      if (!mayRole((viewer as Viewer).role, right)) throw new AppError('STAFF_ONLY')
    }
  }
  return {
    read: (route, handler, options) => {
      const allow = check(route)
      bind.read(
        route,
        async (context) => {
          allow(context.viewer)
          return handler(context)
        },
        options,
      )
    },
    write: (route, handler, options) => {
      check(route)
      bind.write(route, handler, options)
    },
    money: (route, handler, options) => {
      check(route)
      bind.money(route, handler, options)
    },
    moneyTogether: (route, handler) => {
      check(route)
      bind.moneyTogether(route, handler)
    },
    outside: (route, handler) => {
      check(route)
      bind.outside(route, handler)
    },
    file: (route, handler) => {
      const allow = check(route)
      bind.file(route, async (context) => {
        allow(context.viewer)
        return handler(context)
      })
    },
  }
}
