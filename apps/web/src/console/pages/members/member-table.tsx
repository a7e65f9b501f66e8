import type { ReactNode } from 'react'
import { ListState, More } from '../../kit/list-parts.tsx'
import { useClocks } from '../../kit/local-time.tsx'
import { briefly } from '../../kit/when.ts'
import { type Head, Heads } from '../../kit/heads.tsx'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'

type Pages = Parameters<typeof ListState>[0]['query'] & Parameters<typeof More>[0]['pages'] & { rows: readonly unknown[] }

/** Shows a member's list as a table; as cards on narrow screens. */
export function MemberTable({ heads, none, list, children }: { heads: readonly Head[]; none: string; list: Pages; children: ReactNode }) {
  return (
    <section className={panelClass()}>
      <ListState query={list} rows={list.rows.length} none={none} />
      {list.rows.length > 0 && (
        <Table folds>
          <Heads columns={heads} />
          <tbody>{children}</tbody>
        </Table>
      )}
      <More pages={list} />
    </section>
  )
}

export function When({ at }: { at: Date }) {
  const clocks = useClocks()
  return <time title={clocks(at)}>{briefly(at)}</time>
}
