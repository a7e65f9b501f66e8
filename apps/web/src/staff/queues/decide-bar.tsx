import { staffPeople } from '@tizara/contract/staff-house'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { useAppConfig } from '../../settings/index.ts'
import { read } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/money-format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { useDraft } from '../lib/drafts.ts'
import { useHere } from '../lib/presence.ts'
import { useOverview } from '../lib/overview.ts'
import { useMe } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { bothClocks, brief } from '../lib/when.ts'
import { approvalNeedsReason, payoff, type QueueDetail, type QueueRow, type QueueWords, rejections } from './queue.ts'
import { armed, type Decision, type Verb } from './use-decision.ts'

export interface DecideHandle {
  arm: (verb: Verb) => void
  ready: (place: number) => void
  go: () => void
  disarm: () => void
}

export interface DecideBarProps {
  item: QueueRow
  effect: QueueDetail['effect']
  words: QueueWords
  failure: string | undefined
  onDecide: (decision: Decision) => Promise<boolean>
  onTakeBack: () => Promise<void>
  onNext: () => void
  ref: Ref<DecideHandle>
}

const LONGEST = 500

/** Reason and both buttons; or one notice, where there is nothing to decide any more. */
export function DecideBar(props: DecideBarProps) {
  const { item } = props
  if (item.canDecide !== true) return <Closed {...props} />
  return <Open {...props} key={item.id} />
}

function Open({ item, effect, words, failure, onDecide, ref }: DecideBarProps) {
  const me = useMe()
  const { tokenSymbol } = useAppConfig()
  const [reason, setReason] = useDraft(`${me.person.id}:${item.kind}:${item.id}`)
  const [txHash, setTxHash] = useState('')
  const [arms, setArms] = useState<Omit<Decision, 'reason' | 'txHash'>>()
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const stopped = useOverview().data?.stopped
  const verb = arms?.verb ?? 'approve'
  const list: readonly string[] = verb === 'reject' ? rejections : words.reasons
  const deposit = item.kind === 'deposits'

  const arm = (next: Verb) => {
    setArms(armed(item, next, effect))
    setMissing(false)
    field.current?.focus()
  }
  async function decide(decision: Omit<Decision, 'reason' | 'txHash'>): Promise<void> {
    if (decision.verb === 'approve' && stopped !== undefined) return
    const needed = decision.verb === 'reject' || approvalNeedsReason(item)
    if (needed && reason.trim() === '') {
      setArms(decision)
      setMissing(true)
      field.current?.focus()
      return
    }
    // What was armed about an older state of the item is not sent: the approval has to be made anew.
    if (decision.row.seen !== item.seen) return setArms(undefined)
    if (await onDecide({ ...decision, reason: reason.trim(), txHash: txHash.trim() })) setReason('')
    else setArms(undefined)
  }
  useImperativeHandle(ref, () => ({
    arm,
    ready: (place) => {
      const text = list[place]
      if (text !== undefined) setReason(text)
    },
    go: () => {
      if (arms !== undefined) void decide(arms)
    },
    disarm: () => setArms(undefined),
  }))
  const unit = item.asset === 'usd' ? '' : ` ${tokenSymbol}`
  const amount = `${formatAmount(payoff(item))}${unit}`
  const approve =
    stopped !== undefined
      ? 'Stopped, nothing is paid'
      : effect === 'counts'
        ? 'Approve, first of two'
        : deposit
          ? `Approve and credit ${amount}`
          : `Approve and pay ${amount}`
  return (
    <div className="decide">
      {failure !== undefined && (
        <p role="alert" className="note bad" style={{ marginBottom: 8 }}>
          {failure}
        </p>
      )}
      {!deposit && effect !== 'counts' && (
        <label className="row sm" style={{ marginBottom: 8 }}>
          <span className="mut">Transaction on the chain</span>
          <input
            className="control grow mono"
            value={txHash}
            maxLength={200}
            placeholder="When it was paid by hand"
            onChange={(event) => setTxHash(event.target.value)}
          />
        </label>
      )}
      <label className="f sr" htmlFor="why">
        Reason
      </label>
      <textarea
        ref={field}
        id="why"
        className="control"
        rows={1}
        maxLength={LONGEST}
        placeholder="Reason. It stays in the audit log."
        value={reason}
        aria-invalid={missing}
        aria-describedby={missing ? 'why-fault' : undefined}
        onChange={(event) => {
          setReason(event.target.value.replaceAll('\n', ' '))
          setMissing(false)
        }}
      />
      {missing && (
        <p id="why-fault" className="sm bad">
          {verb === 'reject' ? 'A rejection needs a reason' : 'This approval needs a reason: it is flagged, or the second of two'}
        </p>
      )}
      <div className="chips hide">
        {list.map((text, place) => (
          <button key={text} type="button" className="chip" aria-pressed={reason === text} onClick={() => setReason(text)}>
            {text} <kbd className="kbd">{place + 1}</kbd>
          </button>
        ))}
      </div>
      <div className="row">
        <span className="grow hide" />
        <Button
          className={cx('btn dan xl', arms?.verb === 'reject' && 'armed')}
          onClick={() => decide(arms?.verb === 'reject' ? arms : armed(item, 'reject', effect))}
        >
          {deposit ? 'Reject' : 'Reject, give back'}
          <kbd className="kbd">{arms?.verb === 'reject' ? '⌘ ↵' : 'R'}</kbd>
        </Button>
        <Button
          variant="primary"
          className={cx('btn pri xl', arms?.verb === 'approve' && 'armed')}
          aria-disabled={effect === undefined || stopped !== undefined}
          onClick={() => decide(arms?.verb === 'approve' ? arms : armed(item, 'approve', effect))}
        >
          {approve}
          <kbd className="kbd">{arms?.verb === 'approve' ? '⌘ ↵' : 'A'}</kbd>
        </Button>
      </div>
      <output className="sr">{arms === undefined ? '' : `${arms.verb === 'approve' ? approve : 'Reject'} is armed`}</output>
    </div>
  )
}

/** Who could give the other approval and is here now. */
function HereNow() {
  const me = useMe()
  const here = useHere()
  const { data } = useQuery({ ...read(staffPeople), staleTime: 60_000 })
  const able = (data?.people ?? []).filter(
    ({ person, role, isActive }) => isActive && person.id !== me.person.id && data?.rights[role].includes('approveRequest') === true,
  )
  if (able.length === 0) return null
  const now = able.filter(({ person }) => here.has(person.id))
  const names = (people: typeof able) => people.map(({ person }) => plain(person.name).split(' ')[0]).join(' and ')
  return (
    <>
      {names(able)} can decide;{' '}
      {now.length === 0 ? 'nobody of them is here now.' : `${names(now)} ${now.length > 1 ? 'are' : 'is'} here now.`}
    </>
  )
}

const WHY_NOT: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  OWN: ['This is your own request', 'Somebody else decides about it.'],
  ROLE: ['Your role does not decide this', 'FINANCE or ADMIN can.'],
  TRACES: [
    'You look like this member, or like whoever approved it first',
    'You share an internet address, a browser or a payout address: see Shared traces. Somebody else decides.',
  ],
}

/** Why there is nothing to decide here: decided, the own first approval, an own request, another role's work. */
function Closed({ item, failure, onTakeBack, onNext, words, ref }: DecideBarProps) {
  const me = useMe()
  const [typed] = useDraft(`${me.person.id}:${item.kind}:${item.id}`)
  useImperativeHandle(ref, () => ({ arm: () => undefined, ready: () => undefined, go: () => undefined, disarm: () => undefined }))
  const last = item.approvals?.at(-1)
  const who = last === undefined ? (item.decidedBy ?? 'Somebody') : last.by.id === me.person.id ? 'You' : plain(last.by.name)
  if (item.whyNot === 'FIRST_WAS_YOU')
    return (
      <div className="decide">
        <div className="note acc">
          <div>
            <b>Another person has to approve this</b>
            <div className="sm">
              You approved it{last === undefined ? '' : ` at ${brief(last.at)} UTC`}. <HereNow />
            </div>
          </div>
        </div>
        <div className="row mt12">
          <Button className="btn" onClick={onTakeBack}>
            Take my approval back
          </Button>
          <CopyButton text={location.href} label="Copy link" />
        </div>
      </div>
    )
  const text = item.whyNot === undefined ? undefined : WHY_NOT[item.whyNot]
  const decided = item.status === 'APPROVED' ? 'approved' : 'rejected'
  const money =
    item.kind === 'deposits'
      ? ''
      : item.status === 'APPROVED'
        ? 'The money is on its way out.'
        : `${formatAmount(item.amount)} went back to the member.`
  return (
    <div className="decide">
      <div className="note" role="status">
        <div>
          <b>{text?.[0] ?? `${who} ${decided} this`}</b>
          <div className="sm">
            {text?.[1] ?? (
              <>
                {item.reason !== undefined && `“${plain(item.reason)}” `}
                {money} {item.decidedAt !== undefined && <span title={bothClocks(item.decidedAt)}>{brief(item.decidedAt)} UTC.</span>}
              </>
            )}
          </div>
          {failure !== undefined && <div className="sm">Nothing was sent from here.</div>}
          {typed !== '' && <div className="sm mut">Your reason: {typed}</div>}
        </div>
      </div>
      <div className="row mt12">
        <span className="grow" />
        <button type="button" className="btn pri" onClick={onNext}>
          Next {words.one} <kbd className="kbd">J</kbd>
        </button>
      </div>
    </div>
  )
}
