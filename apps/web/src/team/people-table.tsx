import { PAGE_SIZE } from '@tizara/contract'
import type { TeamNode } from '@tizara/contract/team'
import { afterComma, t } from '@tizara/languages'
import { type MouseEvent, useEffect, useId, useMemo, useState } from 'react'
import { formatDate } from '../lib/format.ts'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Money } from '../ui/money.tsx'
import { MoreLabel } from './tree-more.tsx'
import { levelOfMember, type TreeRow } from './tree-rows.ts'

/** Level and status in one line. */
const summaryOf = ({ level, node }: TreeRow, top: number): string =>
  [
    level > top ? t('level {level}', { level: level - top }) : t('You'),
    ...(node.isActive === undefined ? [] : [node.isActive ? t('Active') : t('Inactive')]),
  ].join(' · ')

/** Level, status and the date of the newest stake in one line. */
function markOf(row: TreeRow, top: number): string {
  const days = (row.node.stakes ?? []).flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]))
  return days.length === 0 ? summaryOf(row, top) : `${summaryOf(row, top)} · ${formatDate(new Date(Math.max(...days)))}`
}

function Stakes({ node, unit }: { node: TeamNode; unit: string }) {
  return node.stakes?.map(({ stakeAmount, createdAt }, index) => (
    <span key={index} className="block">
      {stakeAmount === null ? '–' : <Money value={stakeAmount} unit={unit} />}
      {afterComma(createdAt === null ? '–' : formatDate(createdAt))}
    </span>
  ))
}

/** `top`: the member's level, one above the team's level 1. `idOf`: a row's focus target. */
const columnsIn = (unit: string, top: number, idOf: (key: string) => string): Column<TreeRow>[] => [
  { key: 'level', header: t('Level'), align: 'right', cell: (row) => (row.level > top ? row.level - top : t('You')) },
  {
    key: 'name',
    header: t('Name'),
    phone: 'title',
    cell: (row) => (
      <span id={idOf(row.key)} tabIndex={-1}>
        {row.node.name}
      </span>
    ),
  },
  { key: 'email', header: t('Email'), cell: (row) => <span className="break-all">{row.node.email}</span> },
  {
    key: 'rank',
    header: t('Rank'),
    phone: 'second',
    mark: (row) => markOf(row, top),
    cell: (row) => row.node.rank?.toUpperCase(),
  },
  { key: 'own', header: t('Code'), cell: (row) => row.node.myReferralCode },
  { key: 'sponsor', header: t('Signed up with'), cell: (row) => row.node.referralCode },
  { key: 'stakes', header: t('Stakes'), align: 'right', cell: ({ node }) => <Stakes node={node} unit={unit} /> },
  {
    key: 'team',
    header: t('Team'),
    align: 'right',
    phone: 'amount',
    cell: (row) => row.node.teamStake !== undefined && <Money value={row.node.teamStake} unit={unit} />,
  },
]

export interface PeopleTableProps {
  rows: readonly TreeRow[]
  unit: string
  /** Loads more people in a branch; resolves to the first new person's key. */
  onMore: (row: TreeRow) => Promise<string | undefined>
}

/** Lists the loaded people as a table for screen readers. Phones show two lines per person; the rest is in the person's details. */
export function PeopleTable({ rows, unit, onMore }: PeopleTableProps) {
  const id = useId()
  const [page, setPage] = useState(1)
  const [first, setFirst] = useState<string>()
  const [opened, setOpened] = useState<TreeRow>()
  const top = levelOfMember(rows)
  const columns = useMemo(() => columnsIn(unit, top, (key) => `${id}-${key}`), [unit, top, id])
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
    <>
      <DataTable
        caption={t('People of my team')}
        columns={columns}
        rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        rowKey={(row) => row.key}
        onRowOpen={setOpened}
        rowLabel={(row) => row.node.name}
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
      <Drawer title={opened?.node.name} open={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened && <Person row={opened} unit={unit} top={top} />}
      </Drawer>
    </>
  )
}

/** All facts about a person. */
function Person({ row, unit, top }: { row: TreeRow; unit: string; top: number }) {
  const { node } = row
  return (
    <DescriptionList
      rows={[
        { key: 'level', label: t('Level'), value: summaryOf(row, top) },
        node.rank ? { key: 'rank', label: t('Rank'), value: node.rank.toUpperCase() } : undefined,
        { key: 'email', label: t('Email'), value: <span className="break-all">{node.email}</span> },
        { key: 'code', label: t('Code'), value: node.myReferralCode },
        node.referralCode ? { key: 'sponsor', label: t('Signed up with'), value: node.referralCode } : undefined,
        node.childCount !== undefined && { key: 'direct', label: t('Direct referrals'), value: node.childCount.toLocaleString('en-US') },
        node.teamStake !== undefined && { key: 'team', label: t('Team'), value: <Money value={node.teamStake} unit={unit} /> },
        (node.stakes?.length ?? 0) > 0 && { key: 'stakes', label: t('Stakes'), value: <Stakes node={node} unit={unit} />, stacked: true },
      ]}
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
