import { useImperativeHandle, useRef, useState } from 'react'
import { useAppConfig } from '../../../settings/index.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { cx } from '../../../ui/cx.ts'
import { useDraft } from '../../kit/drafts.ts'
import { useOverview } from '../../kit/overview.ts'
import { useMe } from '../../kit/me.tsx'
import { ClosedBar } from './closed-bar.tsx'
import { approvalNeedsReason, draftOf, payoff, rejections } from './queue.ts'
import { armed, type DecideBarProps, type Decision, type Verb } from './use-decision.ts'
import { Fault } from '../../kit/fault.tsx'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'

const LONGEST = 500

/** Reason and both buttons; or one notice, where there is nothing to decide any more. */
export function DecideBar(props: DecideBarProps) {
  const { item } = props
  if (item.canDecide !== true) return <ClosedBar {...props} />
  return <Open {...props} key={item.id} />
}

function Open({ item, effect, words, failure, onDecide, ref }: DecideBarProps) {
  const me = useMe()
  const { tokenSymbol } = useAppConfig()
  const [reason, setReason] = useDraft(draftOf(me.person.id, item))
  const [txHash, setTxHash] = useState('')
  const [arms, setArms] = useState<Omit<Decision, 'reason' | 'txHash'>>()
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const overview = useOverview().data
  const stopped = item.whyNot === 'STOPPED' || overview?.stopped !== undefined
  const verb = arms?.verb ?? 'approve'
  const list: readonly string[] = verb === 'reject' ? rejections : words.reasons
  const deposit = item.kind === 'deposits'

  const arm = (next: Verb) => {
    // An approval is armed once its effect is known: the button says it.
    setArms(next === 'approve' && effect === undefined ? undefined : armed(item, next, effect))
    setMissing(false)
    field.current?.focus()
  }
  async function decide(decision: Omit<Decision, 'reason' | 'txHash'>): Promise<void> {
    if (isOffline() || (decision.verb === 'approve' && (stopped || effect === undefined))) return
    const needed = decision.verb === 'reject' || approvalNeedsReason(item)
    if (needed && reason.trim() === '') {
      setArms(decision)
      setMissing(true)
      field.current?.focus()
      return
    }
    // What was armed about an older state of the item is not sent: the approval has to be made anew.
    if (decision.row.seen !== item.seen || (decision.verb === 'approve' && decision.effect !== effect)) return setArms(undefined)
    if (!(await onDecide({ ...decision, reason: reason.trim(), txHash: txHash.trim() }))) setArms(undefined)
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
  const approve = stopped
    ? 'Stopped, nothing is paid'
    : effect === 'counts'
      ? 'Approve, first of two'
      : deposit
        ? `Approve and credit ${amount}`
        : `Approve and pay ${amount}`
  return (
    <div className="decide">
      <Fault text={failure} style={{ marginBottom: 8 }} />
      <Offline />
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
        <SendButton
          className={cx('btn dan xl', arms?.verb === 'reject' && 'armed')}
          onClick={() => decide(arms?.verb === 'reject' ? arms : armed(item, 'reject', effect))}
        >
          {deposit ? 'Reject' : 'Reject, give back'}
          <kbd className="kbd">{arms?.verb === 'reject' ? '⌘ ↵' : 'R'}</kbd>
        </SendButton>
        <SendButton
          variant="primary"
          className={cx('btn pri xl', arms?.verb === 'approve' && 'armed')}
          aria-disabled={effect === undefined || stopped}
          onClick={() => decide(arms?.verb === 'approve' ? arms : armed(item, 'approve', effect))}
        >
          {approve}
          <kbd className="kbd">{arms?.verb === 'approve' ? '⌘ ↵' : 'A'}</kbd>
        </SendButton>
      </div>
      <output className="sr">{arms === undefined ? '' : `${arms.verb === 'approve' ? approve : 'Reject'} is armed`}</output>
    </div>
  )
}
