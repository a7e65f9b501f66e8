import { RECOVERY_DAYS } from '@tizara/contract/limits'
import { cancelAccountRecovery, proposeAccountRecovery, verifyMemberEmail } from '@tizara/contract/staff-member-acts'
import { creditRcm, endMemberSessions, setMemberRank, setMemberStatus, setSpecialRcm } from '@tizara/contract/staff-members'
import { parseUnits } from '@tizara/money'
import { ApiError, call } from '../../../lib/http/api.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import type { MemberDetail } from './member.queries.ts'

/** A staff action on a member. */
export interface Act {
  /** Name in the address: `?act=block`. */
  name:
    | 'end-sessions'
    | 'block'
    | 'free'
    | 'verify'
    | 'second-factor'
    | 'mailbox'
    | 'mailbox-and-factor'
    | 'cancel-recovery'
    | 'special'
    | 'credit'
    | 'rank'
  /** Call whose right the action requires. */
  right: string
  label: string
  /** Shown on the right: today's figure. */
  now?: string
  /** Why the action is unavailable to every role now. */
  not?: string | undefined
  effects: string[]
  verb: string
  danger?: boolean
  /** A field in addition to the reason. */
  field?: { label: string; hint: string; initial: string; inputMode?: 'decimal' | 'email' }
  run: (reason: string, value: string, key: string) => Promise<{ message: string }>
}

const sessionsEnd = (count: number) =>
  count === 0 ? 'No active sessions.' : count === 1 ? '1 session ends now.' : `${count} sessions end now.`

/** Describes the effect on pending items. None is decided automatically. */
function waitingStays({ openItems }: MemberDetail): string[] {
  const payouts = openItems.filter((item) => item.kind === 'payout')
  return payouts.map((item) => `${plain(item.text)}: it stays in the queue, with a flag.`)
}

/** Returns the recoveries that staff can propose; while one is pending, its cancellation. */
function recoveries({ member, flags }: MemberDetail): Act[] {
  const params = { id: member.id }
  if (flags.some((flag) => flag.code === 'RECOVERY'))
    return [
      {
        name: 'cancel-recovery',
        right: 'cancelAccountRecovery',
        label: 'Cancel account recovery',
        effects: ['Second factor and email address stay. The member gets a mail.'],
        verb: 'Cancel the recovery',
        run: (reason) => call(cancelAccountRecovery, { params, body: { reason } }),
      },
    ]
  const recovery = {
    right: 'proposeAccountRecovery',
    now: 'two people',
    verb: 'Propose',
    danger: true,
  }
  const withoutFactor = member.secondFactor ? undefined : 'none is set up'
  const mailbox = (secondFactor: boolean): Pick<Act, 'effects' | 'field' | 'run'> => ({
    effects: [
      'Another person has to approve it. The new address gets a link, which must be opened.',
      `The member gets mails at all known addresses, and can cancel it for ${RECOVERY_DAYS} days by the mailed link or by signing in with a proof.`,
      `After that, ${secondFactor ? 'the authenticator app is removed, ' : ''}all sessions end, and payouts are frozen for ${RECOVERY_DAYS} days.`,
    ],
    field: { label: 'New e-mail address', hint: 'As the member wrote it; no other account may have it', initial: '', inputMode: 'email' },
    run: (reason, value) => call(proposeAccountRecovery, { params, body: { secondFactor, email: value.trim(), reason } }),
  })
  return [
    {
      ...recovery,
      name: 'second-factor',
      label: 'Reset authenticator',
      not: withoutFactor,
      effects: [
        'Another person has to approve it.',
        `Then the member gets mails, and can cancel it for ${RECOVERY_DAYS} days by signing in with the app.`,
        `After that, all sessions end, payouts are frozen for ${RECOVERY_DAYS} days, and the password signs in with a mailed code.`,
      ],
      run: (reason) => call(proposeAccountRecovery, { params, body: { secondFactor: true, reason } }),
    },
    { ...recovery, name: 'mailbox', label: 'Replace lost mailbox', ...mailbox(false) },
    { ...recovery, name: 'mailbox-and-factor', label: 'Replace mailbox and authenticator', not: withoutFactor, ...mailbox(true) },
  ]
}

/** Returns all staff actions on a member, with effects from today's figures. */
export function actsOn(detail: MemberDetail): Act[] {
  const { member, sessions } = detail
  const params = { id: member.id }
  const staff = member.isStaff ? ['This is a staff member: another person has to approve it.'] : []
  return [
    {
      name: 'end-sessions',
      right: member.isStaff ? 'change.sessions' : 'endMemberSessions',
      label: 'End all sessions',
      now: `${sessions} live`,
      not: sessions === 0 ? 'no active session' : undefined,
      effects: [sessionsEnd(sessions), 'The member signs in again with the password.', ...staff],
      verb: 'End sessions',
      danger: true,
      run: (reason) => call(endMemberSessions, { params, body: { reason } }),
    },
    member.status
      ? {
          name: 'block',
          right: 'setMemberStatus',
          label: 'Block the member',
          effects: [
            sessionsEnd(sessions),
            'The member cannot sign in, and earns nothing while blocked.',
            ...waitingStays(detail),
            ...staff,
          ],
          verb: 'Block',
          danger: true,
          run: (reason) => call(setMemberStatus, { params, body: { status: false, reason } }),
        }
      : {
          name: 'free',
          right: 'setMemberStatus',
          label: 'Unblock the member',
          effects: ['The member can sign in again, and earns from then on.', 'Another person has to approve it.'],
          verb: 'Propose',
          run: (reason) => call(setMemberStatus, { params, body: { status: true, reason } }),
        },
    {
      name: 'verify',
      right: 'verifyMemberEmail',
      label: 'Mark the e-mail as verified',
      not: member.isVerified ? 'it is verified' : undefined,
      effects: [
        `${plain(member.email)} counts as theirs.`,
        'Sessions without a verified e-mail end. The password still has to be confirmed by a mailed code or link.',
      ],
      verb: 'Mark as verified',
      run: (reason) => call(verifyMemberEmail, { params, body: { reason } }),
    },
    ...recoveries(detail),
    {
      name: 'special',
      right: 'setSpecialRcm',
      label: member.isSpecialRcm ? 'Make ordinary member' : 'Make special member',
      effects: member.isSpecialRcm
        ? ['The RCM wallet and its pages are closed; the balance stays.']
        : ['The RCM wallet and its pages open.', 'Another person has to approve it.'],
      verb: member.isSpecialRcm ? 'Make ordinary' : 'Propose',
      run: (reason) => call(setSpecialRcm, { params, body: { isSpecialRcm: !member.isSpecialRcm, reason } }),
    },
    {
      name: 'credit',
      right: 'creditRcm',
      label: 'Credit RCM',
      not: member.isSpecialRcm ? undefined : 'special members only',
      effects: [
        `The RCM wallet holds ${formatAmount(detail.balances.rcmWallet)} now.`,
        'It is paid out of the reward pool, once another person has approved it.',
      ],
      verb: 'Propose',
      field: { label: 'Amount of coin', hint: 'Up to 8 decimals', initial: '', inputMode: 'decimal' },
      run: (reason, value, key) => {
        const amount = parseUnits(value.trim(), 8)
        if (amount === null || amount <= 0n) return Promise.reject(new ApiError({ message: 'Invalid amount' }))
        return call(creditRcm, { params, body: { amount, reason }, idempotencyKey: key })
      },
    },
    {
      name: 'rank',
      right: 'setMemberRank',
      label: 'Set the rank',
      now: member.rank?.toUpperCase() ?? 'none',
      effects: [
        'The programme does not change a rank that staff gave. It pays no bonus. Another person has to approve it.',
        'If empty, the programme sets the rank again immediately.',
      ],
      verb: 'Set rank',
      field: { label: 'Rank', hint: 'Up to 40 characters; empty removes the rank that staff gave', initial: member.rank ?? '' },
      run: (reason, value) => call(setMemberRank, { params, body: { rank: value.trim() === '' ? null : value.trim(), reason } }),
    },
  ]
}
