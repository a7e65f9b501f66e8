import './people.css'
import { staffPeople } from '@tizara/contract/staff-house'
import { staffRoles } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useMe } from '../../kit/me.tsx'
import { usePlace } from '../../kit/place.ts'
import { watch } from '../../kit/watch.ts'
import { StopDialog } from '../../shell/stop-dialogs.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { People } from './people-list.tsx'
import { RightsTable } from './rights-table.tsx'
import { Choice } from '../../kit/choice.tsx'

/** `/staff/roles`: who is on the staff, and what each role may do, from the table that the server checks. */
export default function RolesView() {
  const me = useMe()
  const place = usePlace('/staff/roles')
  const query = useQuery(watch(staffPeople, {}))
  const mayStop = useMay('stopHouse')
  const [stops, setStops] = useState(false)
  // Only redraws: it grants nothing.
  const shown = staffRoles.find((role) => role === place.search.get('as')) ?? me.role
  const { data } = query
  return (
    <div className="view on">
      <div className="page">
        <div className="head wrap">
          <div className="grow">
            <h2 className="title">Staff and roles</h2>
            <p className="mut">Drawn from the one table that the server checks on every call.</p>
          </div>
          {mayStop && (
            <button type="button" className="btn sm dan" onClick={() => setStops(true)}>
              Stop payouts and runs
            </button>
          )}
          <div className="row">
            <span className="sm mut hide">Look at the console as</span>
            <Choice
              label="Role that is marked"
              of={staffRoles.map((role) => [role, role] as const)}
              value={shown}
              onChange={(role) => place.filter({ as: role })}
            />
          </div>
        </div>
        {data === undefined ? (
          <ListState query={query} rows={0} none="" />
        ) : (
          <div className="over">
            <RightsTable rights={data.rights} shown={shown} />
            <div className="g" style={{ alignContent: 'start' }}>
              <People people={data.people} />
              <OwnSessions />
              <p className="note sm">
                “Two people” and “proposes” mean that another person who may decide it approves. The server takes who that is from the
                session.
              </p>
            </div>
          </div>
        )}
      </div>
      {stops && <StopDialog onClose={() => setStops(false)} />}
    </div>
  )
}
