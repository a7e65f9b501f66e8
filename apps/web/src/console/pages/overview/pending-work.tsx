import { Link } from 'wouter'
import { useMe } from '../../kit/me.tsx'
import { Panel, Target } from '../../kit/panel.tsx'
import { pages, pathOf } from '../../shell/pages.ts'
import type { Overview } from './pictures.tsx'

/** What waits for a decision, the oldest of it against the time in which it should be done. */
export function Waits({ data }: { data: Overview }) {
  const me = useMe()
  return (
    <Panel title="Waits for a decision" right={<span className="mut">oldest, against its target</span>} at={data.at}>
      {(['payouts', 'deposits', 'changes', 'tickets'] as const).map((name) => {
        const count = data.work?.[name]
        const view = pages.find((one) => one.name === name && me.rights.includes(one.right))
        if (count === undefined || view === undefined) return null
        return (
          <Link key={name} href={pathOf(view)} className="wait">
            <span className="row">
              <view.icon aria-hidden="true" />
              <span className="grow">
                <span className="b">{view.title}</span>
                <span className="sm mut" style={{ display: 'block' }}>
                  {count.forMe} for you
                </span>
              </span>
            </span>
            <span className="big">{count.count}</span>
            {count.oldestAt === null ? (
              <span className="sm fnt num">nothing waits</span>
            ) : (
              <Target since={count.oldestAt} hours={count.targetHours} />
            )}
          </Link>
        )
      })}
    </Panel>
  )
}
