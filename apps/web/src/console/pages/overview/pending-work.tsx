import { Link } from 'wouter'
import { useMe } from '../../kit/me.tsx'
import { Panel, Target } from '../../kit/panel.tsx'
import { pages, pathOf } from '../../shell/pages.ts'
import type { Overview } from './money-charts.tsx'

/** Lists pending decisions, the oldest item against its target time. */
export function Waits({ data }: { data: Overview }) {
  const me = useMe()
  return (
    <Panel title="Awaiting approval" right={<span className="text-muted">oldest, against its target</span>} at={data.at}>
      {(['payouts', 'deposits', 'changes', 'tickets'] as const).map((name) => {
        const count = data.work?.[name]
        const view = pages.find((one) => one.name === name && me.rights.includes(one.right))
        if (count === undefined || view === undefined) return null
        return (
          <Link
            key={name}
            href={pathOf(view)}
            className="grid grid-cols-[minmax(0,1fr)_44px_128px] items-center gap-3 border-t px-4 py-[9px] hover:bg-raised max-md:grid-cols-[minmax(0,1fr)_36px_104px] max-md:px-3.5 max-md:py-[11px] [header+&]:border-t-0 [&_.text-xl]:text-right [&_.text-xl]:text-[17px] [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:self-start [&_svg]:text-faint"
          >
            <span className="flex min-w-0 items-center gap-2">
              <view.icon aria-hidden="true" />
              <span className="min-w-0 flex-1">
                <span className="font-semi">{view.title}</span>
                <span className="text-xs text-muted block">{count.forMe} for you</span>
              </span>
            </span>
            <span className="text-xl font-strong tracking-num whitespace-nowrap">{count.count}</span>
            {count.oldestAt === null ? (
              <span className="text-xs text-faint text-right whitespace-nowrap">nothing pending</span>
            ) : (
              <Target since={count.oldestAt} hours={count.targetHours} />
            )}
          </Link>
        )
      })}
    </Panel>
  )
}
