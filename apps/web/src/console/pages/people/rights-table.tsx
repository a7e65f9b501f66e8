import { staffRoles, type StaffRole } from '@tizara/contract/staff'
import Check from 'lucide-react/icons/check'
import { markOf, RIGHTS_BY_GROUP } from './rights-by-group.ts'
import { cx } from '../../../ui/cx.ts'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'

/** A phone shows only the column of the highlighted role. */
const cellClass = (isShown: boolean) =>
  cx('w-28 text-center!', isShown ? 'bg-[color-mix(in_oklch,var(--accent-soft)_55%,transparent)]' : 'max-md:hidden')

/** Shows each role's rights, from the table that the server checks. */
export function RightsTable({ rights, shown }: { rights: Readonly<Record<StaffRole, readonly string[]>>; shown: StaffRole }) {
  return (
    <section className={panelClass('overflow-hidden max-md:order-last')} aria-label="Rights by role">
      <Table dense>
        <thead>
          <tr>
            <th scope="col">Action</th>
            {staffRoles.map((role) => (
              <th key={role} scope="col" className={cellClass(role === shown)}>
                {role}
              </th>
            ))}
          </tr>
        </thead>
        {RIGHTS_BY_GROUP.map(([group, actions]) => (
          <tbody key={group}>
            <tr>
              <th scope="rowgroup" colSpan={5} className="bg-raised text-xs/5 text-muted">
                {group}
              </th>
            </tr>
            {actions.map((action) => (
              <tr key={action.label}>
                <th scope="row" className="text-sm font-[450]!">
                  {action.label}
                </th>
                {staffRoles.map((role) => {
                  const mark = markOf(action, rights[role])
                  return (
                    <td key={role} className={cellClass(role === shown)}>
                      {mark === 'yes' ? (
                        <Check size={14} className="mx-auto text-success" aria-label="yes" />
                      ) : mark === 'no' ? (
                        <span className="text-faint" aria-label="no">
                          –
                        </span>
                      ) : (
                        <b className={mark === 'proposes' ? 'text-accent' : ''}>{mark}</b>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
    </section>
  )
}
