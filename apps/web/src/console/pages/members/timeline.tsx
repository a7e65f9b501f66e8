import { staffTimeline, type TimelineKind } from '@tizara/contract/staff-member-pages'
import Banknote from 'lucide-react/icons/banknote'
import Flag from 'lucide-react/icons/flag'
import MessageSquare from 'lucide-react/icons/message-square'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Sparkles from 'lucide-react/icons/sparkles'
import type { ComponentType } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import { ExportList } from '../../kit/export-list.tsx'
import { ListState, More } from '../../kit/list-parts.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useNextPages } from '../../kit/use-next-pages.ts'
import { useClocks } from '../../kit/local-time.tsx'
import { chipClass } from '../../../ui/chip.ts'

const CHIPS: readonly [string, string | undefined][] = [
  ['Everything', undefined],
  ['Money', 'money'],
  ['Rewards', 'reward'],
  ['Sign-ins', 'session'],
  ['Tickets', 'ticket'],
  ['Staff', 'staff'],
  ['Flags', 'flag'],
]

const MARKS: Readonly<Record<TimelineKind, [ComponentType<{ size?: number; 'aria-hidden'?: 'true' }>, string]>> = {
  money: [Banknote, 'mk'],
  reward: [Sparkles, 'mk in'],
  session: [MonitorSmartphone, 'mk'],
  ticket: [MessageSquare, 'mk'],
  staff: [ShieldCheck, 'mk staff'],
  flag: [Flag, 'mk al'],
}

/** `Today, 22 Nov`, `21 Nov`, `3 Mar 2025`: the UTC day. */
function dayOf(at: Date): string {
  const now = new Date()
  const sameYear = at.getUTCFullYear() === now.getUTCFullYear()
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC', ...(sameYear ? {} : { year: 'numeric' }) })
  return at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10) ? `Today, ${day}` : day
}

/** Lists a member's events by UTC day, newest first. */
export function Timeline({ id, only }: { id: string; only?: TimelineKind }) {
  const [kind, setKind] = useState<string | undefined>(only)
  const clocks = useClocks()
  const list = useNextPages(staffTimeline, { params: { id }, ...(kind === undefined ? {} : { query: { kinds: kind } }) })
  const days = Map.groupBy(list.rows, (row) => dayOf(row.at))
  return (
    <>
      {only === undefined && (
        <div className="flex min-w-0 items-center flex-wrap gap-1.5" role="group" aria-label="Kinds of events">
          {CHIPS.map(([label, value]) => (
            <button key={label} type="button" className={chipClass()} aria-pressed={value === kind} onClick={() => setKind(value)}>
              {label}
            </button>
          ))}
          <span className="ml-auto" />
          <ExportList appearance="chip" list="timeline" filter={{ member: id, ...(kind === undefined ? {} : { kind }) }} />
        </div>
      )}
      <ListState query={list} rows={list.rows.length} none="No events yet" />
      <div className="tl">
        {[...days].map(([day, rows]) => (
          <section key={day} aria-label={day}>
            <h2 className="day">{day}</h2>
            {rows.map((row) => {
              const [Icon, mark] = MARKS[row.kind]
              const text = plain(row.text)
              return (
                <div key={row.id} className="ev">
                  <time title={clocks(row.at)}>{row.at.toISOString().slice(11, 16)}</time>
                  <span className={mark}>
                    <Icon size={14} aria-hidden="true" />
                  </span>
                  <span className="what">
                    <span>
                      {row.by !== undefined && <b className="font-semi">{plain(row.by.name)} </b>}
                      {row.href === undefined ? (
                        text
                      ) : (
                        <Link href={row.href} className="to">
                          {text}
                        </Link>
                      )}
                    </span>
                    {row.detail !== undefined && <span className="text-xs text-muted">{plain(row.detail)}</span>}
                  </span>
                  <span className="text-right whitespace-nowrap">
                    {row.amount !== undefined && row.asset !== undefined && (
                      <Amount
                        value={row.amount}
                        asset={row.asset}
                        sign={row.isInternal === true ? 'auto' : 'always'}
                        className="font-semi"
                      />
                    )}
                  </span>
                </div>
              )
            })}
          </section>
        ))}
      </div>
      <More pages={list} />
    </>
  )
}
