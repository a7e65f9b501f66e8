import { staffPeople } from '@tizara/contract/staff-platform'
import { useQuery } from '@tanstack/react-query'
import { useImperativeHandle } from 'react'
import { read } from '../../../lib/http/query.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatAmount } from '../../../ui/money-format.ts'
import { DecisionBar } from '../../kit/decision-bar.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { useMe, useWhoCan } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePresentStaff } from '../../kit/presence.ts'
import { utcAndLocal, briefly } from '../../kit/when.ts'
import { draftOf } from './queue.ts'
import type { DecideBarProps } from './use-decision.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { Button } from '../../../ui/button.tsx'

/** Shows present staff who could give the other approval. */
function PresentApprovers() {
  const me = useMe()
  const present = usePresentStaff()
  const { data } = useQuery({ ...read(staffPeople), staleTime: 60_000 })
  const able = (data?.people ?? []).filter(
    ({ person, role, isActive }) => isActive && person.id !== me.person.id && data?.rights[role].includes('approveRequest') === true,
  )
  if (able.length === 0) return null
  const now = able.filter(({ person }) => present.has(person.id))
  const names = (people: typeof able) => people.map(({ person }) => plain(person.name).split(' ')[0]).join(' and ')
  return (
    <>
      {names(able)} can decide;{' '}
      {now.length === 0 ? 'none of them is online now.' : `${names(now)} ${now.length > 1 ? 'are' : 'is'} online now.`}
    </>
  )
}

const WHY_NOT: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  OWN: ['This is your own request', 'Another person decides it.'],
  TRACES: [
    'You may be the same person as this member, or as the first approver',
    'You share an IP address, a browser or a payout address: see Linked accounts. Another person decides.',
  ],
}

/** Explains why the reader cannot decide: already decided, own approval, own request, or another role's work. */
export function ClosedBar({ item, failure, onRevoke, onNext, words, ref }: DecideBarProps) {
  const me = useMe()
  const whoCan = useWhoCan('approveRequest')
  const [typed] = useDraft(draftOf(me.person.id, item))
  useImperativeHandle(ref, () => ({
    arm: () => undefined,
    usePreparedReason: () => undefined,
    submit: () => undefined,
    disarm: () => undefined,
  }))
  const last = item.approvals?.at(-1)
  const approver =
    item.rule?.outcome === 'APPROVED'
      ? `The rule “${plain(item.rule.name)}”`
      : last === undefined
        ? (item.decidedBy ?? 'A colleague')
        : last.by.id === me.person.id
          ? 'You'
          : plain(last.by.name)
  if (item.whyNot === 'FIRST_WAS_YOU')
    return (
      <DecisionBar>
        <Notice tone="accent" icon={null}>
          <div>
            <b>Another person has to approve this</b>
            <div className="text-xs">
              You approved it{last === undefined ? '' : ` at ${briefly(last.at)} UTC`}. <PresentApprovers />
            </div>
          </div>
        </Notice>
        <div className="flex min-w-0 items-center gap-2 mt-3">
          <SendButton onClick={onRevoke}>
            Revoke my approval <Kbd>U</Kbd>
          </SendButton>
          <CopyButton text={location.href} label="Copy link" />
        </div>
      </DecisionBar>
    )
  const text =
    item.whyNot === 'ROLE' ? ['Your role does not decide this', `${whoCan}.`] : item.whyNot === undefined ? undefined : WHY_NOT[item.whyNot]
  const decided = item.status === 'APPROVED' ? 'approved' : 'rejected'
  const money =
    item.kind === 'deposits'
      ? ''
      : item.status === 'APPROVED'
        ? 'The money is on its way out.'
        : `${formatAmount(item.amount)} went back to the member.`
  return (
    <DecisionBar>
      <Notice icon={null} role="status">
        <div>
          <b>{text?.[0] ?? `${approver} ${decided} this`}</b>
          <div className="text-xs">
            {text?.[1] ?? (
              <>
                {item.reason !== undefined && `“${plain(item.reason)}” `}
                {money} {item.decidedAt !== undefined && <span title={utcAndLocal(item.decidedAt)}>{briefly(item.decidedAt)} UTC.</span>}
              </>
            )}
          </div>
          {failure !== undefined && <div className="text-xs">Nothing was sent from here.</div>}
          {typed !== '' && <div className="text-xs text-muted">Your reason: {typed}</div>}
        </div>
      </Notice>
      <div className="flex min-w-0 items-center gap-2 mt-3">
        <span className="min-w-0 flex-1" />
        <Button variant="primary" onClick={onNext}>
          Next {words.one} <Kbd>J</Kbd>
        </Button>
      </div>
    </DecisionBar>
  )
}
