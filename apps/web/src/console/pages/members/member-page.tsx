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
import { MemberHead } from './member-head.tsx'
import { LedgerTab, SessionsTab, TeamTab, TicketsTab } from './member-tabs.tsx'
import { NotesTab } from './notes-tab.tsx'
import { PurchasesTab } from './purchases-tab.tsx'
import { Timeline } from './timeline.tsx'
import { Wallets } from './wallets.tsx'

/** One member: what waits on top, what happened, what is there, and what can be done. */
export function MemberPage({ id, tab }: { id: string; tab: string }) {
  const { data: detail, error } = useQuery({ ...watch(staffMemberDetail, { params: { id } }), retry: false })
  if (detail === undefined)
    return (
      <div className="view on">
        <p className="nothing">{error === null ? 'Reading' : 'There is no such member'}</p>
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
      <div className="view on">
        <div className="page">
          <MemberHead detail={detail} />
          {detail.openItems.length > 0 && (
            <div className="note warn mt12">
              <Flag size={16} className="warn" aria-hidden="true" />
              <div className="grow g waits-here">
                {detail.openItems.map((item) => (
                  <div key={item.id} className="row">
                    <span className="grow">
                      <b className="b">{plain(item.text)}.</b>{' '}
                      <span className="mut" title={allClocks(item.since, zone)}>
                        For {age(item.since)}.
                      </span>
                    </span>
                    <Link className="link" href={item.href}>
                      Open {item.kind}
                    </Link>
                  </div>
                ))}
              </div>
            </div>
          )}
          <nav className="tabs mt12 many" aria-label="About the member">
            {tabs.map(([name, label, count]) => (
              <Link
                key={name}
                href={`/staff/members/${id}/${name}`}
                replace
                className={name === tab ? 'on' : ''}
                aria-current={name === tab ? 'page' : undefined}
              >
                {label}
                {count !== undefined && count > 0 && <span className="c">{count}</span>}
              </Link>
            ))}
          </nav>
          <div className="g c12 mt16 member">
            <div className="about">
              <Tab id={id} tab={tab} />
            </div>
            <div className="g beside">
              <Wallets detail={detail} />
              {flags.length > 0 && (
                <Panel title="Flags">
                  <div className="in">
                    {flags.map((flag) => (
                      <div key={flag.text} className="look">
                        <Flag size={14} className="warn" aria-hidden="true" />
                        <span className="b">{plain(flag.text)}</span>
                        {(flag.detail !== undefined || flag.until !== undefined) && (
                          <span className="sm mut">
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
