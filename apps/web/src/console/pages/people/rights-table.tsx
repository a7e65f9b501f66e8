import { staffRoles, type StaffRole } from '@tizara/contract/staff'
import Check from 'lucide-react/icons/check'
import { markOf, RIGHTS_BY_GROUP } from './rights-by-group.ts'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'

/** Shows each role's rights, from the table that the server checks. */
export function RightsTable({ rights, shown }: { rights: Readonly<Record<StaffRole, readonly string[]>>; shown: StaffRole }) {
  return (
    <section className={panelClass()} aria-label="Rights by role">
      <Table dense className="roles">
        <thead>
          <tr>
            <th scope="col">Action</th>
            {staffRoles.map((role) => (
              <th key={role} scope="col" className={role === shown ? 'y me-col' : 'y'}>
                {role}
              </th>
            ))}
          </tr>
        </thead>
        {RIGHTS_BY_GROUP.map(([group, actions]) => (
          <tbody key={group}>
            <tr className="grp">
              <th scope="rowgroup" colSpan={5}>
                {group}
              </th>
            </tr>
            {actions.map((action) => (
              <tr key={action.label}>
                <th scope="row">{action.label}</th>
                {staffRoles.map((role) => {
                  const mark = markOf(action, rights[role])
                  return (
                    <td key={role} className={role === shown ? 'y me-col' : 'y'}>
                      {mark === 'yes' ? (
                        <Check size={14} className="text-success" aria-label="yes" />
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
