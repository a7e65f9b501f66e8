import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useAppConfig } from '../../../settings/index.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { cx } from '../../../ui/cx.ts'
import { DecisionBar, ReasonField } from '../../kit/decision-bar.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { useOverview } from '../../kit/overview.ts'
import { useMe } from '../../kit/me.tsx'
import { ClosedBar } from './closed-bar.tsx'
import { approvalNeedsReason, draftOf, amountToPay, rejections } from './queue.ts'
import { armed, type DecideBarProps, type Decision, type Verb } from './use-decision.ts'
import { FormError } from '../../kit/form-error.tsx'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { MOD } from '../../kit/mod-key.ts'

const REASON_MISSING: Readonly<Record<Verb, string>> = {
  reject: 'A rejection needs a reason',
  approve: 'This approval needs a reason: the request is flagged, or it is the second approval',
}
/** Shown when a person approves before the effect has loaded. */
const LOADING = 'Loading what the approval does. Confirm it when the button is highlighted.'
/** A button that Ctrl or ⌘ and Enter press. */
const ARMED = 'ring-3 ring-accent-line/35'

/** Shows the reason and both buttons, or a notice if no decision is left. */
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
  /** Version of the item whose approval was chosen before its effect had loaded. */
  const [awaited, setAwaited] = useState<string>()
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const overview = useOverview().data
  const stopped = item.whyNot === 'STOPPED' || overview?.paused !== undefined
  const verb = arms?.verb ?? 'approve'
  const list: readonly string[] = verb === 'reject' ? rejections : words.reasons
  const deposit = item.kind === 'deposits'

  useEffect(() => {
    if (awaited === undefined || effect === undefined) return
    setAwaited(undefined)
    // Arms only the version that was shown when the person chose. Another one has to be chosen again.
    if (awaited === item.seen) setArms(armed(item, 'approve', effect))
  }, [awaited, effect, item])
  const arm = (next: Verb) => {
    // An approval is ready to send when its effect has loaded. The button names the effect.
    const isAwaited = next === 'approve' && effect === undefined
    setAwaited(isAwaited ? item.seen : undefined)
    setArms(isAwaited ? undefined : armed(item, next, effect))
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
    // Rejects an approval armed on an older version of the item. It has to be made again.
    if (decision.row.seen !== item.seen || (decision.verb === 'approve' && decision.effect !== effect)) return setArms(undefined)
    if (!(await onDecide({ ...decision, reason: reason.trim(), txHash: txHash.trim() }))) setArms(undefined)
  }
  useImperativeHandle(ref, () => ({
    arm,
    usePreparedReason: (index) => {
      const text = list[index]
      if (text !== undefined) setReason(text)
    },
    submit: () => {
      if (arms !== undefined) void decide(arms)
    },
    disarm: () => {
      setArms(undefined)
      setAwaited(undefined)
    },
  }))
  const unit = item.asset === 'usd' ? '' : ` ${tokenSymbol}`
  const amount = `${formatAmount(amountToPay(item))}${unit}`
  const approve = stopped
    ? 'Paused'
    : effect === 'first-approval'
      ? 'Approve (first approval)'
      : deposit
        ? `Approve and credit ${amount}`
        : `Approve and pay ${amount}`
  return (
    <DecisionBar>
      <FormError className="mb-2" text={failure} />
      <Offline />
      {!deposit && effect !== 'first-approval' && (
        <label className="flex min-w-0 items-center gap-2 text-xs mb-2">
          <span className="text-muted">Transaction on the chain</span>
          <input
            className="control min-w-0 flex-1 font-mono text-xs"
            value={txHash}
            maxLength={200}
            placeholder="When it was paid by hand"
            onChange={(event) => setTxHash(event.target.value)}
          />
        </label>
      )}
      <ReasonField
        field={field}
        reason={reason}
        placeholder="Reason. It stays in the audit log."
        prepared={list}
        missing={missing ? REASON_MISSING[verb] : undefined}
        onReason={setReason}
        onType={() => setMissing(false)}
      />
      {awaited !== undefined && <p className="mb-2 text-xs text-muted">{LOADING}</p>}
      <div className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 flex-1 max-md:hidden" />
        <SendButton
          variant="danger-quiet"
          size="lg"
          className={cx(arms?.verb === 'reject' && ARMED)}
          onClick={() => decide(arms?.verb === 'reject' ? arms : armed(item, 'reject', effect))}
        >
          {deposit ? 'Reject' : 'Reject and refund'}
          <Kbd>{arms?.verb === 'reject' ? `${MOD} ↵` : 'R'}</Kbd>
        </SendButton>
        <SendButton
          variant="primary"
          size="lg"
          className={cx(arms?.verb === 'approve' && ARMED)}
          aria-disabled={effect === undefined || stopped}
          onClick={() => decide(arms?.verb === 'approve' ? arms : armed(item, 'approve', effect))}
        >
          {approve}
          <Kbd>{arms?.verb === 'approve' ? `${MOD} ↵` : 'A'}</Kbd>
        </SendButton>
      </div>
      <output className="sr-only">
        {awaited !== undefined ? LOADING : arms === undefined ? '' : `${arms.verb === 'approve' ? approve : 'Reject'} is ready to send`}
      </output>
    </DecisionBar>
  )
}
