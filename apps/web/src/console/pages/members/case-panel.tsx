import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useMe, whoCan } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { brief } from '../../kit/when.ts'
import type { CaseAct } from './case-dialog.tsx'
import type { MemberDetail } from './member.queries.ts'

// Loads the dialog when it is opened.
const CaseDialog = lazy(() => import('./case-dialog.tsx'))

const RIGHTS = { open: 'openCase', take: 'takeCase', close: 'closeCase' } as const

/** Shows the open case about a member with its actions, or offers to open one. */
export function CasePanel({ detail: { member, case: current } }: { detail: MemberDetail }) {
  const me = useMe()
  const [act, setAct] = useState<CaseAct>()
  const owner = current?.owner ?? undefined
  const isMine = owner?.id === me.person.id
  const whyNot = (one: CaseAct) =>
    member.id === me.person.id ? 'Your own account' : me.rights.includes(RIGHTS[one]) ? undefined : whoCan(me, RIGHTS[one])
  const button = (one: CaseAct, label: string) => (
    <Button
      size="sm"
      aria-disabled={whyNot(one) !== undefined}
      title={whyNot(one)}
      onClick={() => whyNot(one) === undefined && setAct(one)}
    >
      {label}
    </Button>
  )
  return (
    <Panel title="Case" right={current === undefined ? button('open', 'Open a case') : undefined}>
      <div className="px-4 pt-3 pb-4">
        {current === undefined ? (
          <p className="text-xs text-muted">No open case.</p>
        ) : (
          <>
            <p className="font-semi">{plain(current.title)}</p>
            <p className="text-xs text-muted">“{plain(current.reason)}”</p>
            <p className="mt-2">
              {isMine ? 'You own it' : owner === undefined ? 'Nobody owns it' : `Owned by ${plain(owner.name)}`}, due on{' '}
              {brief(current.dueAt)}. {current.dueAt < new Date() && <Tag>overdue</Tag>}
            </p>
            <div className="mt-3 flex flex-wrap gap-2">
              {button('close', 'Close it')}
              {button('take', isMine ? 'Change the due date' : 'Take it over')}
            </div>
          </>
        )}
      </div>
      {act !== undefined && (
        <Suspense fallback={null}>
          <CaseDialog act={act} memberId={member.id} name={plain(member.name)} caseId={current?.id} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
    </Panel>
  )
}
