import type { ReplyOf } from '@tizara/contract'
import type { staffMemberDetail } from '@tizara/contract/staff-members'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { recoveryOf, replacedName } from '../../auth/index.ts'
import type { Member } from '../../members/index.ts'
import { membersHeldByScreening } from '../../screening/index.ts'
import { FRESH_MS } from '../requests/queue-signs.ts'

type Flag = ReplyOf<typeof staffMemberDetail>['flags'][number]

const HELD_FOR: Readonly<Record<string, string>> = {
  password: 'the password was reset',
  'second-factor': 'the second factor was changed',
  contact: 'the phone number or the email address was changed',
  device: 'a new device signed in',
  restore: 'the platform was restored from a backup',
}

const RECOVERS = {
  'second-factor': 'The authenticator app will be removed',
  mailbox: 'The email address will be replaced',
  both: 'The email address will be replaced, and the authenticator app removed',
} as const

/** Lists warnings about a member, with their expiry. */
export async function flagsOf(db: Db, member: Member, now: Date): Promise<Flag[]> {
  const flags: Flag[] = []
  const until = (at: Date) => new Date(at.getTime() + FRESH_MS)
  if (member.erased_at !== null)
    flags.push({ code: 'CLOSED', text: `Closed account, erased on ${member.erased_at.toISOString().slice(0, 10)}` })
  else if (member.closed_at !== null)
    flags.push({
      code: 'CLOSED',
      text: 'The member closed the account',
      detail: 'Personal data is erased when no money, request, proposal or incident is open and each linked account is reviewed.',
      ...(member.erases_at === null ? {} : { until: member.erases_at }),
    })
  else if (member.closes_at !== null)
    flags.push({
      code: 'CLOSING',
      text: 'The member closes the account',
      detail: 'It is blocked until then. A sign-in of the member cancels it.',
      until: member.closes_at,
    })
  else if (!member.is_active) flags.push({ code: 'BLOCKED', text: 'The member is blocked' })
  if (!member.is_verified) flags.push({ code: 'UNVERIFIED', text: 'The mail address is not verified' })
  if ((await membersHeldByScreening(db, [member.id])).size > 0)
    flags.push({
      code: 'SCREENING',
      text: 'Matches the screening list',
      detail: 'Nothing is paid until two people have decided. The member must not learn of it.',
    })
  const recovery = await recoveryOf(db, member.id)
  if (recovery !== undefined)
    flags.push({
      code: 'RECOVERY',
      text: RECOVERS[replacedName(recovery)],
      detail:
        recovery.newEmail === null
          ? 'A proof of the member cancels it.'
          : `New address: ${recovery.newEmail}, ${recovery.isNewEmailProved ? 'confirmed' : 'not confirmed by its mailed link yet'}. A proof of the member cancels it.`,
      until: recovery.completesAt,
    })
  if (member.payouts_stopped_at !== null)
    flags.push({
      code: 'STOPPED',
      text: 'The member stopped all payouts',
      detail: 'They resume after the member resets the password by mail',
    })
  if (member.payouts_frozen_until !== null && member.payouts_frozen_until > now)
    flags.push({
      code: 'HELD',
      text: 'Payouts are on hold',
      detail: HELD_FOR[member.payouts_frozen_for ?? ''] ?? 'the security settings changed',
      until: member.payouts_frozen_until,
    })
  if (member.password_reset_at !== null && until(member.password_reset_at) > now)
    flags.push({ code: 'RESET', text: 'The password was reset in the last three days', until: until(member.password_reset_at) })
  if (until(member.created_at) > now)
    flags.push({ code: 'FRESH', text: 'The account is less than three days old', until: until(member.created_at) })
  return [...flags, ...(await tracesOn(db, member.id))]
}

async function tracesOn(db: Db, memberId: bigint): Promise<Flag[]> {
  const { rows } = await sql<{ name: string; times: number; verdict: string | null; device: boolean; payout: boolean }>`
    select m.name, t.times, t.verdict, t.same_device as device, t.same_payout_address as payout
    from linked_account t join member m on m.id = t.upline_id
    where t.member_id = ${memberId} and t.verdict is distinct from 'harmless' order by t.id desc limit 5`.execute(db)
  return rows.map(({ name, times, verdict, device, payout }) => ({
    code: 'TRACE',
    text: `Same ${payout ? 'payout address' : device ? 'device' : 'IP address'} as ${name}, above`,
    detail: `Seen ${times === 1 ? 'once' : `${times} times`}. ${verdict === 'watch' ? 'Monitored' : 'Not reviewed'}.`,
  }))
}
