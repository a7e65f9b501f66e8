import { staffPeople } from '@tizara/contract/staff-platform'
import { staffRoles } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useMe } from '../../kit/me.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { watch } from '../../kit/watch.ts'
import { PauseDialog } from '../../shell/pause-dialogs.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { People } from './people-list.tsx'
import { RightsTable } from './rights-table.tsx'
import { Choice } from '../../kit/choice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** `/staff/roles`: staff members and each role's rights, from the table that the server checks. */
export default function StaffView() {
  const me = useMe()
  const location = usePageLocation('/staff/roles')
  const query = useQuery(watch(staffPeople, {}))
  const mayPause = useMay('pausePlatform')
  const [pauseOpen, setPauseOpen] = useState(false)
  // Affects the display only and grants nothing.
  const shown = staffRoles.find((role) => role === location.search.get('as')) ?? me.role
  const { data } = query
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[1200px] px-4 pt-3.5 pb-7 md:px-6 md:pt-5 md:pb-10">
        <div className="mb-3 flex flex-wrap items-end gap-4 md:mb-4 md:flex-nowrap">
          <div className="min-w-0 flex-1 max-md:basis-full">
            <h2 className="text-xl font-strong tracking-head">Staff and roles</h2>
            <p className="text-muted">Generated from the permission table that the server checks on every call.</p>
          </div>
          {mayPause && (
            <Button variant="danger-quiet" size="sm" onClick={() => setPauseOpen(true)}>
              Pause payouts and runs
            </Button>
          )}
          <div className="flex min-w-0 items-center gap-2">
            <span className="text-xs text-muted max-md:hidden">Highlight role</span>
            <Choice
              label="Highlighted role"
              of={staffRoles.map((role) => [role, role] as const)}
              value={shown}
              onChange={(role) => location.filter({ as: role })}
            />
          </div>
        </div>
        {data === undefined ? (
          <ListState query={query} rows={0} none="" />
        ) : (
          <div className="grid items-stretch gap-3.5 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <RightsTable rights={data.rights} shown={shown} />
            <div className="grid gap-3.5 content-start">
              <People people={data.people} links={data.links ?? []} />
              <OwnSessions />
              <Notice icon={null} className="text-xs">
                “Two people” and “proposes” mean that a second authorised person must approve. The server identifies both by their sessions.
              </Notice>
            </div>
          </div>
        )}
      </div>
      {pauseOpen && <PauseDialog onClose={() => setPauseOpen(false)} />}
    </div>
  )
}
