import type { TeamNode } from '@tizara/contract/team'
import { t } from '@tizara/languages'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { Moment } from '../lib/moment.tsx'
import { Avatar } from '../ui/art/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { Money } from '../ui/money.tsx'
import { Spinner } from '../ui/spinner.tsx'
import type { TreeRow } from './tree-rows.ts'
import { T } from '../ui/t.tsx'

/** Stakes shown before expanding. */
const SHOWN_STAKES = 3

export interface PersonRowProps {
  row: TreeRow
  unit: string
  /** Shows every stake. */
  full: boolean
  onFull: () => void
}

/** One person in the tree: name, rank, email, codes, branch volume and stakes (UI-TEAM-03, UI-TEAM-04). */
export function PersonRow({ row, unit, full, onFull }: PersonRowProps) {
  const { node } = row
  return (
    <div className="flex items-start gap-2.5 py-2.5 pe-3">
      <span className="grid size-8 shrink-0 place-items-center text-faint">
        {row.loading ? (
          <Spinner label={t('Loading the team of {name}', { name: node.name })} />
        ) : (
          row.opens && (
            <ChevronRight
              size={17}
              aria-hidden="true"
              className={cx('transition-transform', row.open ? 'rotate-90' : 'rtl:-scale-x-100')}
            />
          )
        )}
      </span>
      <Avatar name={node.name} size={32} className="hidden shrink-0 sm:block" />
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-1 md:grid-cols-[minmax(0,1fr)_12rem_12rem]">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-semi">{node.name}</span>
            {row.level === 1 && row.siblings === 1 && row.opens && (
              <Badge plain tone="accent">
                {t('You')}
              </Badge>
            )}
            {node.isActive !== undefined && (
              <Badge tone={node.isActive ? 'success' : 'neutral'}>{node.isActive ? t('Active') : t('Inactive')}</Badge>
            )}
            {node.rank && <Badge plain>{node.rank.toUpperCase()}</Badge>}
          </p>
          <p className="text-sm break-all text-muted">{node.email}</p>
        </div>
        <dl className="flex flex-wrap gap-x-4 text-sm md:block">
          <Pair label={t('Code')} value={node.myReferralCode} />
          {node.referralCode && <Pair label={t('Signed up with')} value={node.referralCode} />}
        </dl>
        <dl className="flex flex-wrap gap-x-4 text-sm md:block md:text-end">
          {node.teamStake !== undefined && (
            <Pair label={t('Team')} value={<Money value={node.teamStake} unit={unit} className="font-semi" />} />
          )}
          {node.childCount !== undefined && <Pair label={t('Direct')} value={node.childCount.toLocaleString('en-US')} />}
        </dl>
        <Stakes node={node} unit={unit} full={full} onFull={onFull} />
      </div>
    </div>
  )
}

function Pair({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt className="inline text-faint">{label} </dt>
      <dd className="inline text-ink">{value}</dd>
    </div>
  )
}

function Stakes({ node, unit, full, onFull }: { node: TeamNode; unit: string; full: boolean; onFull: () => void }) {
  const stakes = node.stakes ?? []
  if (stakes.length === 0) return null
  const shown = full ? stakes : stakes.slice(0, SHOWN_STAKES)
  return (
    <ul aria-label={t('Stakes of {name}', { name: node.name })} className="flex flex-wrap gap-1.5 text-xs md:col-span-3">
      {shown.map(({ stakeAmount, createdAt }, index) => (
        <li key={index} className="rounded-md bg-raised px-2 py-0.5 whitespace-nowrap text-muted">
          {stakeAmount === null ? '–' : <Money value={stakeAmount} unit={unit} className="font-semi text-ink" />}{' '}
          {createdAt === null ? '–' : <Moment at={createdAt} />}
        </li>
      ))}
      {shown.length < stakes.length && (
        <li>
          <button type="button" tabIndex={-1} onClick={onFull} className="rounded-md px-2 py-0.5 font-semi text-accent hover:bg-hover">
            <T text="{stakes} more" stakes={stakes.length - shown.length} />
          </button>
        </li>
      )}
    </ul>
  )
}
