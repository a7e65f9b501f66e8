import './roles.css'
import { staffPeople } from '@tizara/contract/staff-house'
import { staffRoles, type StaffRole } from '@tizara/contract/staff'
import { grantRole } from '@tizara/contract/staff-members'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../lib/api.ts'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from '../lib/act-dialog.tsx'
import { ListState } from '../lib/list-parts.tsx'
import { useMay, useMe } from '../lib/me.tsx'
import { Panel } from '../lib/panel.tsx'
import { Person } from '../lib/person.tsx'
import { usePlace } from '../lib/place.ts'
import { useHere } from '../lib/presence.ts'
import { watch } from '../lib/watch.ts'
import { bothClocks, brief } from '../lib/when.ts'
import { StopDialog } from '../frame/stop-dialogs.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { markOf, RIGHTS_BY_GROUP } from './rights-table.ts'

/** `/staff/roles`: who is on the staff, and what each role may do, from the table that the server checks. */
export default function RolesView() {
  const me = useMe()
  const place = usePlace('/staff/roles')
  const query = useQuery(watch(staffPeople, {}))
  const here = useHere()
  const mayGrant = useMay('grantRole')
  const mayStop = useMay('stopHouse')
  const [open, setOpen] = useState<'add' | 'stop' | { email: string }>()
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
            <button type="button" className="btn sm dan" onClick={() => setOpen('stop')}>
              Stop payouts and runs
            </button>
          )}
          <div className="row">
            <span className="sm mut hide">Look at the role</span>
            <div className="seg" role="group" aria-label="Role that is marked">
              {staffRoles.map((role) => (
                <button
                  key={role}
                  type="button"
                  className={role === shown ? 'on' : ''}
                  aria-pressed={role === shown}
                  onClick={() => place.filter({ as: role })}
                >
                  {role}
                </button>
              ))}
            </div>
          </div>
        </div>
        {data === undefined ? (
          <ListState query={query} rows={0} none="" />
        ) : (
          <div className="over">
            <RightsTable rights={data.rights} shown={shown} />
            <div className="g" style={{ alignContent: 'start' }}>
              <Panel
                title="People"
                right={
                  <button
                    type="button"
                    className="btn sm"
                    aria-disabled={!mayGrant}
                    title={mayGrant ? undefined : 'ADMIN can'}
                    onClick={() => mayGrant && setOpen('add')}
                  >
                    <Plus size={14} aria-hidden="true" /> Add
                  </button>
                }
              >
                <ul className="in people">
                  {data.people.map((one) => (
                    <li key={one.person.id} className="row">
                      <span className="grow">
                        <Person
                          person={one.person}
                          staff
                          tag={one.person.id === me.person.id && <span className="tag">you</span>}
                          below={`${one.role} · ${one.factor === 'app' ? 'authenticator' : 'no second factor'}`}
                        />
                      </span>
                      <span className="sm mut num">
                        {!one.isActive ? (
                          'blocked'
                        ) : one.person.id === me.person.id || here.has(one.person.id) ? (
                          'here now'
                        ) : one.lastSeenAt === null ? (
                          'not signed in'
                        ) : (
                          <span title={bothClocks(one.lastSeenAt)}>last {brief(one.lastSeenAt)}</span>
                        )}
                        <br />
                        {one.sessions === 1 ? '1 session' : `${one.sessions} sessions`}
                      </span>
                      {mayGrant && one.person.id !== me.person.id && (
                        <button
                          type="button"
                          className="btn sm"
                          aria-label={`Another role for ${one.person.email}`}
                          onClick={() => setOpen({ email: one.person.email })}
                        >
                          Role
                        </button>
                      )}
                    </li>
                  ))}
                </ul>
              </Panel>
              <OwnSessions />
              <p className="note sm">
                “Two people” and “proposes” mean that another person who may decide it approves. The server takes who that is from the
                session.
              </p>
            </div>
          </div>
        )}
      </div>
      {open === 'stop' && <StopDialog onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'stop' && (
        <RoleDialog email={open === 'add' ? undefined : open.email} onClose={() => setOpen(undefined)} />
      )}
    </div>
  )
}

function RightsTable({ rights, shown }: { rights: Readonly<Record<StaffRole, readonly string[]>>; shown: StaffRole }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls sideways has to be reached by keys
    <section className="panel tablebox" aria-label="Rights by role" tabIndex={0}>
      <table className="roles d">
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
                        <Check size={14} className="ok" aria-label="yes" />
                      ) : mark === 'no' ? (
                        <span className="fnt" aria-label="no">
                          –
                        </span>
                      ) : (
                        <b className={mark === 'proposes' ? 'acc' : ''}>{mark}</b>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function RoleDialog({ email, onClose }: { email: string | undefined; onClose: () => void }) {
  const [address, setAddress] = useState(email ?? '')
  const [name, setName] = useState('')
  const [role, setRole] = useState<'MEMBER' | StaffRole>('SUPPORT')
  return (
    <ActDialog
      title={email === undefined ? 'Add somebody to the staff' : `Another role for ${email}`}
      effects={[
        'Another admin has to approve it.',
        'Then all sessions of this person end, and what the role may no longer decide goes back.',
        ...(email === undefined ? ['Whoever has no account gets one, and a link by mail to set the password.'] : []),
      ]}
      verb="Propose"
      draft={`role:${email ?? ''}`}
      onDo={async (reason) => {
        const { data } = await call(grantRole, {
          body: { email: address.trim(), role, reason, phone: '', ...(name.trim() === '' ? {} : { name: name.trim() }) },
        })
        toast(data?.changeId === undefined ? 'The role is given' : 'Proposed; another admin has to approve it')
        if (data?.changeId !== undefined) navigate(`/staff/changes/${data.changeId}`)
      }}
      onClose={onClose}
    >
      {email === undefined && (
        <>
          <label className="mt8" style={{ display: 'block' }}>
            <span className="f b">E-mail</span>
            <input
              className="control"
              type="email"
              autoComplete="off"
              value={address}
              onChange={(event) => setAddress(event.target.value)}
            />
          </label>
          <label className="mt8" style={{ display: 'block' }}>
            <span className="f b">Name</span>
            <input className="control" autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
          </label>
        </>
      )}
      <label className="mt8" style={{ display: 'block' }}>
        <span className="f b">Role</span>
        <select className="control" value={role} onChange={(event) => setRole(event.target.value as StaffRole)}>
          {[...staffRoles, 'MEMBER' as const].map((one) => (
            <option key={one} value={one}>
              {one === 'MEMBER' ? 'none, leaves the staff' : one}
            </option>
          ))}
        </select>
      </label>
    </ActDialog>
  )
}
