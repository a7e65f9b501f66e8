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
import { cx } from '../../../ui/cx.ts'
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

const MARK = 'rounded-full bg-raised text-muted'
const MARKS: Readonly<Record<TimelineKind, [ComponentType<{ size?: number; 'aria-hidden'?: 'true' }>, string]>> = {
  money: [Banknote, MARK],
  reward: [Sparkles, 'rounded-full bg-success-soft text-success'],
  session: [MonitorSmartphone, MARK],
  ticket: [MessageSquare, MARK],
  staff: [ShieldCheck, 'rounded-[7px] bg-accent-soft text-accent'],
  flag: [Flag, 'rounded-full bg-warning-soft text-warning'],
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
      <div>
        {[...days].map(([day, rows]) => (
          <section key={day} aria-label={day}>
            <h2 className="flex items-center gap-2.5 pt-2.5 pb-0.5 text-[12px] font-semi text-muted after:h-px after:flex-1 after:bg-line">
              {day}
            </h2>
            {rows.map((row) => {
              const [Icon, mark] = MARKS[row.kind]
              const text = plain(row.text)
              return (
                <div
                  key={row.id}
                  className="relative grid grid-cols-[40px_24px_minmax(0,1fr)_auto] items-baseline gap-x-2.5 py-[7px] not-last:before:absolute not-last:before:top-5 not-last:before:-bottom-3.5 not-last:before:left-[61.5px] not-last:before:w-px not-last:before:bg-line"
                >
                  <time className="text-right text-[12px] whitespace-nowrap text-faint" title={clocks(row.at)}>
                    {row.at.toISOString().slice(11, 16)}
                  </time>
                  <span className={cx('z-1 -mt-px grid size-6 place-items-center self-start', mark)}>
                    <Icon size={14} aria-hidden="true" />
                  </span>
                  <span className="min-w-0 wrap-anywhere">
                    <span>
                      {row.by !== undefined && <b className="font-semi">{plain(row.by.name)} </b>}
                      {row.href === undefined ? (
                        text
                      ) : (
                        <Link href={row.href} className="hover:text-accent">
                          {text}
                        </Link>
                      )}
                    </span>
                    {row.detail !== undefined && <span className="block text-xs text-muted">{plain(row.detail)}</span>}
                  </span>
                  <span className="text-right whitespace-nowrap max-md:col-[3] max-md:text-left">
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
