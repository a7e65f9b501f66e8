import { PAGE_SIZE } from '@tizara/contract'
import { useMemo, useState } from 'react'
import { decimalsOf } from '../lib/list-columns.tsx'
import { formatDate } from '../lib/format.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { levelOfMember, type TreeRow } from './team-tree.ts'

/** `top`: the level of the member, who stands above level 1 of the team. */
const columnsIn = (unit: string, top: number): Column<TreeRow>[] => [
  { key: 'level', header: 'Level', align: 'right', cell: (row) => (row.level > top ? row.level - top : 'You') },
  { key: 'name', header: 'Name', cell: (row) => row.node.name },
  { key: 'email', header: 'Email', cell: (row) => <span className="break-all">{row.node.email}</span> },
  { key: 'rank', header: 'Rank', cell: (row) => row.node.rank?.toUpperCase() },
  { key: 'own', header: 'Code', cell: (row) => row.node.myReferralCode },
  { key: 'sponsor', header: 'Signed up with', cell: (row) => row.node.referralCode },
  {
    key: 'stakes',
    header: 'Stakes',
    align: 'right',
    cell: (row) =>
      row.node.stakes?.map(({ stakeAmount, createdAt }, index) => (
        <span key={index} className="block">{`${formatAmount(stakeAmount, decimalsOf(stakeAmount))}, ${formatDate(createdAt)}`}</span>
      )),
  },
  {
    key: 'team',
    header: 'Team',
    align: 'right',
    cell: (row) => row.node.teamStake !== undefined && <Money value={row.node.teamStake} unit={unit} />,
  },
]

/** The people who are loaded, as a plain list that a screen reader reads line by line. */
export function PeopleTable({ rows, unit }: { rows: readonly TreeRow[]; unit: string }) {
  const [page, setPage] = useState(1)
  const columns = useMemo(() => columnsIn(unit, levelOfMember(rows)), [unit, rows])
  return (
    <DataTable
      caption="People of my team"
      columns={columns}
      rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
      rowKey={(row) => row.node.id}
      page={page}
      limit={PAGE_SIZE}
      total={rows.length}
      onPage={setPage}
      toolbar={
        rows.some((row) => row.unread) && (
          <p className="text-sm text-muted">Some branches are not loaded yet. Open them in the tree to see their people here.</p>
        )
      }
    />
  )
}
