import { staffMemberDetail } from '@tizara/contract/staff-members'
import { staffTimeline } from '@tizara/contract/staff-member-pages'
import Award from 'lucide-react/icons/award'
import Ban from 'lucide-react/icons/ban'
import Coins from 'lucide-react/icons/coins'
import KeyRound from 'lucide-react/icons/key-round'
import LockOpen from 'lucide-react/icons/lock-open'
import LogOut from 'lucide-react/icons/log-out'
import MailCheck from 'lucide-react/icons/mail-check'
import MailX from 'lucide-react/icons/mail-x'
import Sparkles from 'lucide-react/icons/sparkles'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { Link } from 'wouter'
import { refetch } from '../../../lib/http/query.ts'
import { useIdempotencyKey } from '../../../lib/http/use-idempotency-key.ts'
import { toast } from '../../../ui/toast-store.ts'
import { cx } from '../../../ui/cx.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useMe, whoCan } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { brief } from '../../kit/when.ts'
import { type Act, actsOn } from './acts.ts'
import { useOpenAction } from './use-open-action.ts'
import type { MemberDetail } from './member.queries.ts'

const SIGNS: Readonly<Record<Act['name'], typeof Ban>> = {
  'end-sessions': LogOut,
  block: Ban,
  free: LockOpen,
  verify: MailCheck,
  'second-factor': KeyRound,
  mailbox: MailX,
  'mailbox-and-factor': MailX,
  'cancel-recovery': KeyRound,
  special: Sparkles,
  credit: Coins,
  rank: Award,
}

const ROW = 'flex min-w-0 items-center gap-2 justify-between border-t py-1.5 first:border-t-0'
const ACTION = 'flex items-center gap-2 text-left not-aria-disabled:hover:text-accent'

/** Id of the action list. The page head links to it. */
export const ACTS = 'acts'

/** Lists all staff actions on a member. Those without the right are disabled and name the roles that have it. */
export function Actions({ detail }: { detail: MemberDetail }) {
  const me = useMe()
  const requested = useOpenAction()
  const isOwn = detail.member.id === me.person.id
  const acts = actsOn(detail)
  const whyNot = (act: Act) => (isOwn ? 'your own account' : me.rights.includes(act.right) ? act.not : whoCan(me, act.right))
  const acting = acts.find((act) => act.name === requested.name && whyNot(act) === undefined)
  return (
    <Panel title="Actions" right={<span className="text-faint">each asks for a reason</span>}>
      <ul className="px-4 pt-3 pb-4" id={ACTS} tabIndex={-1} aria-label="Actions">
        {acts.map((act) => (
          <Line key={act.name} act={act} why={whyNot(act)} onAct={() => requested.ask(act.name)} />
        ))}
        <ReversalLine detail={detail} own={isOwn} />
      </ul>
      {acting !== undefined && <ActionForm key={acting.name} act={acting} detail={detail} onClose={() => requested.ask(undefined)} />}
    </Panel>
  )
}

/** Links to the purchases. Each is reversed on its own page. */
function ReversalLine({ detail: { member, reversible }, own }: { detail: MemberDetail; own: boolean }) {
  const me = useMe()
  const whyNot = own
    ? 'your own account'
    : !me.rights.includes('reversePurchase')
      ? whoCan(me, 'reversePurchase')
      : reversible === undefined
        ? 'none is possible'
        : undefined
  const text = (
    <>
      <Undo2 size={14} aria-hidden="true" />
      Reverse a purchase
    </>
  )
  return (
    <li className={ROW}>
      {whyNot === undefined ? (
        <Link className={ACTION} href={`/staff/members/${member.id}/purchases`}>
          {text}
        </Link>
      ) : (
        <span className="flex items-center gap-2 text-faint">{text}</span>
      )}
      <span className="text-xs text-faint">
        {whyNot ?? (reversible && `${reversible.count} possible until ${brief(reversible.until)}`)}
      </span>
    </li>
  )
}

function Line({ act, why, onAct }: { act: Act; why: string | undefined; onAct: () => void }) {
  const Sign = SIGNS[act.name]
  return (
    <li className={ROW}>
      <button
        type="button"
        className={cx(ACTION, why !== undefined && 'text-faint')}
        aria-disabled={why !== undefined}
        onClick={why === undefined ? onAct : undefined}
      >
        <Sign size={14} aria-hidden="true" />
        {act.label}
      </button>
      <span className="text-xs text-faint">{why ?? act.now}</span>
    </li>
  )
}

function ActionForm({ act, detail, onClose }: { act: Act; detail: MemberDetail; onClose: () => void }) {
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
          <label className="mb-1 block font-medium mt-3" htmlFor="act-value">
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
          <p className="text-xs text-faint">{act.field.hint}</p>
        </>
      )}
    </ActDialog>
  )
}
