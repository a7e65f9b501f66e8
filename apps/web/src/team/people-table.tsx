import { PAGE_SIZE } from '@tizara/contract'
import { t } from '@tizara/languages'
import { type MouseEvent, useEffect, useId, useMemo, useState } from 'react'
import { formatDate } from '../lib/format.ts'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Money } from '../ui/money.tsx'
import { MoreLabel } from './tree-more.tsx'
import { levelOfMember, type TreeRow } from './tree-rows.ts'

/** `top`: the member's level, one above the team's level 1. `idOf`: a row's focus target. */
const columnsIn = (unit: string, top: number, idOf: (key: string) => string): Column<TreeRow>[] => [
  { key: 'level', header: t('Level'), align: 'right', cell: (row) => (row.level > top ? row.level - top : t('You')) },
  {
    key: 'name',
    header: t('Name'),
    cell: (row) => (
      <span id={idOf(row.key)} tabIndex={-1}>
        {row.node.name}
      </span>
    ),
  },
  { key: 'email', header: t('Email'), cell: (row) => <span className="break-all">{row.node.email}</span> },
  { key: 'rank', header: t('Rank'), cell: (row) => row.node.rank?.toUpperCase() },
  { key: 'own', header: t('Code'), cell: (row) => row.node.myReferralCode },
  { key: 'sponsor', header: t('Signed up with'), cell: (row) => row.node.referralCode },
  {
    key: 'stakes',
    header: t('Stakes'),
    align: 'right',
    cell: (row) =>
      row.node.stakes?.map(({ stakeAmount, createdAt }, index) => (
        <span key={index} className="block">
          {stakeAmount === null ? '–' : <Money value={stakeAmount} unit={unit} />}, {createdAt === null ? '–' : formatDate(createdAt)}
        </span>
      )),
  },
  {
    key: 'team',
    header: t('Team'),
    align: 'right',
    cell: (row) => row.node.teamStake !== undefined && <Money value={row.node.teamStake} unit={unit} />,
  },
]

export interface PeopleTableProps {
  rows: readonly TreeRow[]
  unit: string
  /** Loads more people in a branch; resolves to the first new person's key. */
  onMore: (row: TreeRow) => Promise<string | undefined>
}

/** Lists the loaded people as a table for screen readers. */
export function PeopleTable({ rows, unit, onMore }: PeopleTableProps) {
  const id = useId()
  const [page, setPage] = useState(1)
  const [first, setFirst] = useState<string>()
  const columns = useMemo(() => columnsIn(unit, levelOfMember(rows), (key) => `${id}-${key}`), [unit, rows, id])
  useEffect(() => {
    if (first !== undefined) document.getElementById(`${id}-${first}`)?.focus({ preventScroll: true })
  }, [id, first])

  /** The first new person replaces the button and takes its focus. */
  async function more(row: TreeRow, button: HTMLElement): Promise<void> {
    const loaded = await onMore(row)
    const { activeElement } = document
    if (activeElement === button || activeElement === document.body) setFirst(loaded)
  }

  return (
    <DataTable
      caption={t('People of my team')}
      columns={columns}
      rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
      rowKey={(row) => row.key}
      wide={(row) => row.more !== undefined && <MoreRow row={row} onMore={more} />}
      page={page}
      limit={PAGE_SIZE}
      total={rows.length}
      onPage={setPage}
      toolbar={
        rows.some((row) => row.unread) && (
          <p className="text-sm text-muted">{t('Some branches are not loaded yet. Open them in the tree to see their people here.')}</p>
        )
      }
    />
  )
}

function MoreRow({ row, onMore }: { row: TreeRow; onMore: (row: TreeRow, button: HTMLElement) => Promise<void> }) {
  const press = (event: MouseEvent<HTMLButtonElement>): void => void onMore(row, event.currentTarget)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      {row.failed && <span className="text-danger">{t('More people did not load.')}</span>}
      <Button
        size="sm"
        pending={row.loading}
        pendingLabel={t('Loading more of the team of {name}', { name: row.node.name })}
        onClick={press}
      >
        <MoreLabel row={row} />
      </Button>
    </span>
  )
}
