import { resetSecondFactor, verifyMember, viewAsMember } from '@tizara/contract/staff-member-acts'
import {
  creditRcm,
  endMemberSessions,
  setMemberRank,
  setMemberStatus,
  setSpecialRcm,
  staffMemberDetail,
} from '@tizara/contract/staff-members'
import { staffTimeline } from '@tizara/contract/staff-member-pages'
import { parseUnits } from '@tizara/money'
import Eye from 'lucide-react/icons/eye'
import { type ReactNode, useState } from 'react'
import { ApiError, call } from '../../lib/api.ts'
import { refetch } from '../../lib/query.ts'
import { openViewTab } from '../../lib/view-as.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/money-format.ts'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from '../lib/act-dialog.tsx'
import { useMay, useMe, useWhoCan } from '../lib/me.tsx'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { brief } from '../lib/when.ts'
import type { MemberDetail } from './member-page.tsx'

/** What can be done about a member. */
interface Act {
  /** The call whose right it takes. */
  right: string
  label: string
  /** At the right of the row: today's figure. */
  now?: string
  /** Why it cannot be done now, whoever asks. */
  not?: string | undefined
  effects: ReactNode[]
  verb: string
  danger?: boolean
  /** A field besides the reason. */
  field?: { label: string; hint: string; initial: string; inputMode?: 'decimal' }
  run: (reason: string, value: string, key: string) => Promise<{ message: string }>
}

const sessionsEnd = (count: number) =>
  count === 0 ? 'No session is live.' : count === 1 ? '1 session ends now.' : `${count} sessions end now.`

/** What the queue does with what waits: nothing goes by itself. */
function waitingStays({ openItems }: MemberDetail): string[] {
  const payouts = openItems.filter((item) => item.kind === 'payout')
  return payouts.map((item) => `${plain(item.text)}: it stays in the queue, with a flag.`)
}

function actsOn(detail: MemberDetail): Act[] {
  const { member, sessions } = detail
  const params = { id: member.id }
  const staff = member.isStaff ? ['This is somebody of the staff: another person has to approve it.'] : []
  return [
    {
      right: 'endMemberSessions',
      label: 'End all sessions',
      now: `${sessions} live`,
      not: sessions === 0 ? 'no session is live' : undefined,
      effects: [sessionsEnd(sessions), 'The member signs in again with the password.', ...staff],
      verb: 'End sessions',
      danger: true,
      run: (reason) => call(endMemberSessions, { params, body: { reason } }),
    },
    member.status
      ? {
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
          right: 'setMemberStatus',
          label: 'Let the member in again',
          effects: ['The member can sign in again, and earns from now on.', ...staff],
          verb: 'Free',
          run: (reason) => call(setMemberStatus, { params, body: { status: true, reason } }),
        },
    {
      right: 'verifyMember',
      label: 'Take the mail address as proved',
      not: member.isVerified ? 'it is proved' : undefined,
      effects: [
        `${plain(member.email)} counts as theirs.`,
        'Sessions that proved nothing end; the password still has to be proved by a mailed code or link.',
      ],
      verb: 'Take as proved',
      run: (reason) => call(verifyMember, { params, body: { reason } }),
    },
    {
      right: 'resetSecondFactor',
      label: 'Take off second factor',
      now: 'two people',
      not: member.secondFactor ? undefined : 'none is set up',
      effects: [
        'Another admin has to approve it.',
        'Then all sessions end, payouts rest, and the password alone signs in. The owner is told by mail.',
      ],
      verb: 'Propose',
      danger: true,
      run: (reason) => call(resetSecondFactor, { params, body: { reason } }),
    },
    {
      right: 'setSpecialRcm',
      label: member.isSpecialRcm ? 'Make ordinary member' : 'Make special member',
      effects: [member.isSpecialRcm ? 'The RCM wallet and its pages are closed; the balance stays.' : 'The RCM wallet and its pages open.'],
      verb: member.isSpecialRcm ? 'Make ordinary' : 'Make special',
      run: (reason) => call(setSpecialRcm, { params, body: { isSpecialRcm: !member.isSpecialRcm, reason } }),
    },
    {
      right: 'creditRcm',
      label: 'Credit RCM',
      not: member.isSpecialRcm ? undefined : 'special members only',
      effects: [
        `The RCM wallet holds ${formatAmount(detail.balances.rcmWallet)} now.`,
        'It is paid out of the reward pool; above the limit another person has to approve it.',
      ],
      verb: 'Credit',
      field: { label: 'Amount of coin', hint: 'Up to 8 decimals', initial: '', inputMode: 'decimal' },
      run: (reason, value, key) => {
        const amount = parseUnits(value.trim(), 8)
        if (amount === null || amount <= 0n) return Promise.reject(new ApiError({ message: 'Invalid amount' }))
        return call(creditRcm, { params, body: { amount, reason }, idempotencyKey: key })
      },
    },
    {
      right: 'setMemberRank',
      label: 'Set the rank',
      now: member.rank ?? 'none',
      effects: ['The programme leaves a rank that staff gave alone. No bonus comes of it.', 'Left empty, the programme ranks again.'],
      verb: 'Set rank',
      field: { label: 'Rank', hint: 'Up to 40 signs; empty for none of ours', initial: member.rank ?? '' },
      run: (reason, value) => call(setMemberRank, { params, body: { rank: value.trim() === '' ? null : value.trim(), reason } }),
    },
  ]
}

/** Everything that staff can do about a member; what a role may not do is there, grey, with who can. */
export function Actions({ detail }: { detail: MemberDetail }) {
  const me = useMe()
  const [acting, setActing] = useState<Act>()
  const own = detail.member.id === me.person.id
  return (
    <Panel title="Actions" right={<span className="fnt">each asks for a reason</span>}>
      <ul className="in acts">
        {actsOn(detail).map((act) => (
          <Line key={act.label} act={act} own={own} onAct={() => setActing(act)} />
        ))}
      </ul>
      {acting !== undefined && <Acting act={acting} detail={detail} onClose={() => setActing(undefined)} />}
    </Panel>
  )
}

function Line({ act, own, onAct }: { act: Act; own: boolean; onAct: () => void }) {
  const may = useMay(act.right)
  const whoCan = useWhoCan(act.right)
  const why = own ? 'your own account' : may ? act.not : whoCan
  return (
    <li className="row sb">
      <button
        type="button"
        className={why === undefined ? 'act' : 'act fnt'}
        aria-disabled={why !== undefined}
        onClick={why === undefined ? onAct : undefined}
      >
        {act.label}
      </button>
      <span className="sm fnt">{why ?? act.now}</span>
    </li>
  )
}

function Acting({ act, detail, onClose }: { act: Act; detail: MemberDetail; onClose: () => void }) {
  const [value, setValue] = useState(act.field?.initial ?? '')
  const { current } = useIdempotencyKey()
  return (
    <ActDialog
      title={`${act.label}: ${plain(detail.member.name)}`}
      effects={act.effects}
      verb={act.verb}
      danger={act.danger === true}
      draft={`${act.right}:${detail.member.id}`}
      note="The member sees that it was done, not why"
      onDo={async (reason) => {
        const { message } = await act.run(reason, value, current())
        toast(message)
        await refetch(staffMemberDetail, staffTimeline)
      }}
      onClose={onClose}
    >
      {act.field !== undefined && (
        <>
          <label className="f mt12" htmlFor="act-value">
            {act.field.label}
          </label>
          <input
            id="act-value"
            className="control"
            maxLength={40}
            inputMode={act.field.inputMode ?? 'text'}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
          <p className="sm fnt">{act.field.hint}</p>
        </>
      )}
    </ActDialog>
  )
}

/** Opens the member's own pages in a tab of their own, to read. */
export function ViewAs({ detail }: { detail: MemberDetail }) {
  const { member } = detail
  const me = useMe()
  const may = useMay('viewAsMember')
  const whoCan = useWhoCan('viewAsMember')
  const [asks, setAsks] = useState(false)
  const why = !may
    ? whoCan
    : member.id === me.person.id
      ? 'This is your own account'
      : member.isStaff
        ? 'Staff have no pages'
        : member.status && member.isVerified
          ? undefined
          : 'A blocked or unproved member has no pages'
  return (
    <>
      <Button
        className="btn"
        icon={<Eye size={14} aria-hidden="true" />}
        aria-disabled={why !== undefined}
        title={why}
        onClick={() => setAsks(true)}
      >
        View as member
      </Button>
      {asks && (
        <ActDialog
          title={`Look at the pages of ${plain(member.name)}`}
          effects={[
            'A tab shows what the member sees, for 10 minutes.',
            'Nothing can be changed in it.',
            'The member sees that staff looked.',
          ]}
          verb="Look"
          draft={`view:${member.id}`}
          onDo={async (reason) => {
            const { data } = await call(viewAsMember, { params: { id: member.id }, body: { reason } })
            openViewTab({ token: data.token, name: member.name, endsAt: data.endsAt.toISOString() })
            toast(`Open until ${brief(data.endsAt)} UTC`)
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
