import { staffMemberDetail } from '@tizara/contract/staff-members'
import { useQuery } from '@tanstack/react-query'
import Flag from 'lucide-react/icons/flag'
import { Link } from 'wouter'
import { allClocks, ZoneContext } from '../../kit/local-time.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { sentences } from '../../kit/sentences.ts'
import { age, briefly } from '../../kit/when.ts'
import { Actions } from './actions.tsx'
import { CasePanel } from './case-panel.tsx'
import { MemberHead } from './member-head.tsx'
import { LedgerTab, SessionsTab, TeamTab, TicketsTab } from './member-tabs.tsx'
import { NotesTab } from './notes-tab.tsx'
import { PurchasesTab } from './purchases-tab.tsx'
import { Timeline } from './timeline.tsx'
import { Wallets } from './wallets.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Count, tabsClass, tabClass } from '../../../ui/tabs.tsx'
import { cx } from '../../../ui/cx.ts'
import { FLAG_ROW } from '../../kit/flag-row.ts'

/** Shows one member: pending work, history, holdings and actions. */
export function MemberPage({ id, tab }: { id: string; tab: string }) {
  const { data: detail, error } = useQuery(watch(staffMemberDetail, { params: { id } }))
  if (detail === undefined)
    return (
      <div className="min-h-0 flex-1 overflow-auto">
        <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink">
          {error === null ? 'Loading' : 'Member not found'}
        </p>
      </div>
    )
  const { flags, counts } = detail
  const tabs: [string, string, number?][] = [
    ['timeline', 'Timeline'],
    ['ledger', 'Ledger'],
    ['purchases', 'Purchases', counts.purchases],
    ['rewards', 'Rewards'],
    ['team', 'Team', counts.team],
    ['sessions', 'Sessions', counts.sessions],
    ['tickets', 'Tickets', counts.tickets],
    ['notes', 'Notes', counts.notes],
  ]
  const zone = detail.member.timeZone
  return (
    <ZoneContext value={zone}>
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto max-w-[1200px] px-4 pt-3.5 pb-7 md:px-6 md:pt-5 md:pb-10">
          <MemberHead detail={detail} />
          {detail.openItems.length > 0 && (
            <Notice tone="warning" className="mt-3">
              <div className="min-w-0 flex-1 grid gap-1.5">
                {detail.openItems.map((item) => (
                  <div key={item.id} className="flex min-w-0 items-center gap-2">
                    <span className="min-w-0 flex-1">
                      <b className="font-semi">{plain(item.text)}.</b>{' '}
                      <span className="text-muted" title={allClocks(item.since, zone)}>
                        For {age(item.since)}.
                      </span>
                    </span>
                    <Link className="link" href={item.href}>
                      Open {item.kind}
                    </Link>
                  </div>
                ))}
              </div>
            </Notice>
          )}
          <nav className={cx(tabsClass(), 'mt-3')} aria-label="About the member">
            {tabs.map(([name, label, count]) => (
              <Link
                key={name}
                href={`/staff/members/${id}/${name}`}
                replace
                className={tabClass(name === tab)}
                aria-current={name === tab ? 'page' : undefined}
              >
                {label}
                {count !== undefined && count > 0 && <Count>{count}</Count>}
              </Link>
            ))}
          </nav>
          <div className="grid gap-3.5 lg:grid-cols-12 mt-4">
            <div className="min-w-0 lg:col-span-8">
              <Tab id={id} tab={tab} />
            </div>
            <div className="grid content-start gap-3.5 max-md:-order-1 lg:col-span-4">
              <Wallets detail={detail} />
              {flags.length > 0 && (
                <Panel title="Flags">
                  <div className="px-4 pt-3 pb-4">
                    {flags.map((flag) => (
                      <div key={flag.text} className={FLAG_ROW}>
                        <Flag size={14} className="text-warning" aria-hidden="true" />
                        <span className="font-semi">{plain(flag.text)}</span>
                        {(flag.detail !== undefined || flag.until !== undefined) && (
                          <span className="text-xs text-muted">
                            {sentences(
                              flag.detail === undefined ? undefined : plain(flag.detail),
                              flag.until === undefined ? undefined : `Ends on ${briefly(flag.until)} UTC`,
                            )}
                          </span>
                        )}
                      </div>
                    ))}
                  </div>
                </Panel>
              )}
              <CasePanel detail={detail} />
              <Actions detail={detail} />
            </div>
          </div>
        </div>
      </div>
    </ZoneContext>
  )
}

function Tab({ id, tab }: { id: string; tab: string }) {
  switch (tab) {
    case 'ledger':
      return <LedgerTab id={id} />
    case 'purchases':
      return <PurchasesTab id={id} />
    case 'rewards':
      return <Timeline id={id} only="reward" />
    case 'team':
      return <TeamTab id={id} />
    case 'sessions':
      return <SessionsTab id={id} />
    case 'tickets':
      return <TicketsTab id={id} />
    case 'notes':
      return <NotesTab id={id} />
    default:
      return <Timeline id={id} />
  }
}
