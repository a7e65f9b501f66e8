import type { QueryOf, ReplyOf } from '@tizara/contract'
import type { staffActions } from '@tizara/contract/members'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const PAGE = 25

/** Member texts for staff actions. Other actions are shown without their name. */
const LABELS: Readonly<Record<string, string>> = {
  'staff.member.view': 'Viewed your account',
  'staff.member.block': 'Blocked your account; all sessions ended',
  'staff.member.unblock': 'Unblocked your account',
  'staff.member.special-rcm': 'Changed whether you are a special member',
  'staff.member.rank': 'Changed your rank',
  'staff.member.end-sessions': 'Ended your sessions',
  'staff.member.reveal': 'Viewed your phone number or payout addresses',
  'staff.member.image': 'Viewed an image in one of your tickets',
  'staff.member.export': 'Exported the history of your account',
  'staff.member.verify': 'Confirmed your email address',
  'staff.member.view-as': 'Viewed your pages, without being able to change anything',
  'rewards.credit-rcm': 'Credited your RCM wallet',
  'staff.rewards.cancel': 'Cancelled pending rewards',
  'staff.transfer.reverse': 'Reversed one of your transfers',
  'staff.member.start-recovery': 'Started the recovery of your account',
  'staff.member.cancel-recovery': 'Cancelled the recovery of your account',
}

/** Actions about a suspicion. Neither the member's list of staff actions nor the member's data export contains them. */
export const CONFIDENTIAL_ACTIONS: readonly string[] = [
  'staff.case.open',
  'staff.case.take',
  'staff.case.close',
  'staff.screening.hit',
  'staff.screening.propose',
  'staff.screening.decide',
]
/** Excludes internal staff notes, too. */
const PRIVATE = ['staff.member.note', ...CONFIDENTIAL_ACTIONS]

const ROLES: Readonly<Record<string, string>> = { SUPPORT: 'Support', FINANCE: 'Finance', ADMIN: 'Administration', AUDITOR: 'Audit' }

/** Lists staff actions on a member's account, newest first, with time and role, without the reason. */
export async function readStaffActions(
  db: Db,
  { memberId, publicId }: { memberId: bigint; publicId: string },
  query: QueryOf<typeof staffActions>,
): Promise<ReplyOf<typeof staffActions>> {
  let found = db
    .selectFrom('audit_event')
    .select(['id', 'at', 'action', 'actor_role'])
    .where('subject_type', '=', 'member')
    .where('subject_id', 'in', [publicId, String(memberId)])
    .where(sql<boolean>`(action like 'staff.%' or action = 'rewards.credit-rcm')`)
    .where('action', 'not in', PRIVATE)
    .where('outcome', '=', 'ok')
  if (query.before !== undefined) found = found.where('id', '<', BigInt(query.before))
  const rows = await found
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute()
  return {
    rows: rows.slice(0, PAGE).map((row) => ({
      id: String(row.id),
      at: row.at,
      text: LABELS[row.action] ?? 'Acted on your account',
      role: ROLES[row.actor_role] ?? 'Staff',
    })),
    more: rows.length > PAGE,
  }
}
