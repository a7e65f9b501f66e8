import type { ReplyOf } from '@tizara/contract'
import { allowViews, confirmSeparatePeople, liftSuspension, staffPeople, suspendColleague } from '@tizara/contract/staff-platform'
import { endMemberSessions } from '@tizara/contract/staff-members'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Person } from '../../kit/person.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePresentStaff } from '../../kit/presence.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { RoleDialog } from './role-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/tag.tsx'

type Colleague = ReplyOf<typeof staffPeople>['people'][number]
type Pair = NonNullable<ReplyOf<typeof staffPeople>['links']>[number]
type OpenAction = { what: 'pair'; pair: Pair } | { what: 'end' | 'suspend' | 'lift' | 'views'; one: Colleague }
type OpenedDialog = OpenAction | { what: 'add' } | { what: 'role'; one: Colleague }

/** Lists staff with role, second factor, sessions and actions. */
export function People({ people, links = [] }: { people: readonly Colleague[]; links?: readonly Pair[] }) {
  const mayGrant = useMay('grantRole')
  const whoCan = useWhoCan('grantRole')
  const mayConfirm = useMay('confirmSeparatePeople')
  const [open, setOpen] = useState<OpenedDialog>()
  const close = () => setOpen(undefined)
  return (
    <Panel
      title="People"
      right={
        <Button
          size="sm"
          icon={<Plus size={14} aria-hidden="true" />}
          aria-disabled={!mayGrant}
          title={mayGrant ? undefined : whoCan}
          onClick={() => mayGrant && setOpen({ what: 'add' })}
        >
          Add
        </Button>
      }
    >
      <ul className="px-4 pt-3 pb-4">
        {people.map((one) => (
          <Line key={one.person.id} one={one} onOpen={(what) => setOpen({ what, one })} />
        ))}
      </ul>
      {links.length > 0 && (
        <ul className="px-4 pb-4" aria-label="Linked staff">
          {links.map((pair) => (
            <li key={`${pair.one.id} ${pair.other.id}`} className="flex min-w-0 items-center gap-2">
              <span className="min-w-0 flex-1 text-sm text-muted">
                {plain(pair.one.email)} and {plain(pair.other.email)} shared a network before one of them had a role. They count as one
                person.
              </span>
              {mayConfirm && (
                <Button size="sm" onClick={() => setOpen({ what: 'pair', pair })}>
                  Confirm
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {open?.what === 'add' || open?.what === 'role' ? (
        <RoleDialog email={open.what === 'add' ? undefined : open.one.person.email} onClose={close} />
      ) : (
        open !== undefined && <Act open={open} onClose={close} />
      )}
    </Panel>
  )
}

function Line({ one, onOpen }: { one: Colleague; onOpen: (what: 'role' | 'end' | 'suspend' | 'lift' | 'views') => void }) {
  const me = useMe()
  const present = usePresentStaff()
  const [mayGrant, mayEnd, maySuspend] = [useMay('grantRole'), useMay('change.sessions'), useMay('suspendColleague')]
  const mayAllowViews = useMay('allowViews')
  const { person, role, factor, passkey, isActive, lastSeenAt, sessions, suspendedUntil, viewLimitAt } = one
  const isOwn = person.id === me.person.id
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-2 border-t py-[9px] first:border-t-0">
      <span className="min-w-[180px] flex-1">
        <Person
          person={person}
          staff
          tag={isOwn && <Tag>you</Tag>}
          below={`${role} · ${passkey === true ? 'passkey' : factor === 'app' ? 'authenticator' : 'no second factor'}`}
        />
      </span>
      <span className="text-xs text-muted text-right whitespace-nowrap">
        {!isActive ? (
          'blocked'
        ) : suspendedUntil !== undefined ? (
          <span title={utcAndLocal(suspendedUntil)}>suspended</span>
        ) : isOwn || present.has(person.id) ? (
          'here now'
        ) : lastSeenAt === null ? (
          'not signed in'
        ) : (
          <span title={utcAndLocal(lastSeenAt)}>last {brief(lastSeenAt)}</span>
        )}
        <br />
        {sessions === 1 ? '1 session' : `${sessions} sessions`}
        {viewLimitAt !== undefined && (
          <span className="block text-warning" title={utcAndLocal(viewLimitAt)}>
            view limit reached
          </span>
        )}
      </span>
      {!isOwn && (
        <span className="flex flex-wrap gap-2">
          {mayAllowViews && viewLimitAt !== undefined && (
            <Button size="sm" aria-label={`Allow ${person.email} more views`} onClick={() => onOpen('views')}>
              Allow
            </Button>
          )}
          {mayEnd && sessions > 0 && (
            <Button size="sm" aria-label={`End the sessions of ${person.email}`} onClick={() => onOpen('end')}>
              End
            </Button>
          )}
          {maySuspend && (
            <Button
              size="sm"
              aria-label={`${suspendedUntil === undefined ? 'Suspend' : 'Lift the suspension of'} ${person.email}`}
              onClick={() => onOpen(suspendedUntil === undefined ? 'suspend' : 'lift')}
            >
              {suspendedUntil === undefined ? 'Suspend' : 'Lift'}
            </Button>
          )}
          {mayGrant && (
            <Button size="sm" aria-label={`Change the role of ${person.email}`} onClick={() => onOpen('role')}>
              Role
            </Button>
          )}
        </span>
      )}
    </li>
  )
}

/** Returns the dialog's texts and its call. */
function actOf(open: OpenAction) {
  if (open.what === 'pair') {
    const { one, other } = open.pair
    return {
      title: `${plain(one.name)} and ${plain(other.name)} are two people`,
      effects: ['Another person has to approve it. Neither of the two can.', 'Then each can approve what the other proposes.'],
      verb: 'Propose',
      draft: `pair:${one.id}:${other.id}`,
      send: (reason: string) => call(confirmSeparatePeople, { params: { id: one.id }, body: { otherId: other.id, reason } }),
    }
  }
  const { person, sessions } = open.one
  const params = { id: person.id }
  switch (open.what) {
    case 'end':
      return {
        title: `End the sessions of ${plain(person.name)}`,
        effects: [
          'This is a staff member: another person has to approve it.',
          sessions === 1 ? 'Then 1 session ends, and they sign in again.' : `Then ${sessions} sessions end, and they sign in again.`,
        ],
        verb: 'Propose',
        danger: true,
        draft: `end:${person.id}`,
        send: (reason: string) => call(endMemberSessions, { params, body: { reason } }),
      }
    case 'suspend':
      return {
        title: `Suspend the rights of ${plain(person.name)}`,
        effects: [
          'All sessions of this person end, and the account has no staff rights for an hour. No money moves.',
          'For this hour you neither propose nor decide. You can suspend one colleague in 24 hours.',
          'To suspend the same person again within 7 days, or to end the suspension early, takes two people.',
        ],
        verb: 'Suspend',
        danger: true,
        draft: `suspend:${person.id}`,
        send: (reason: string) => call(suspendColleague, { params, body: { reason } }),
      }
    case 'views':
      return {
        title: `Allow ${plain(person.name)} more views`,
        effects: [
          'This person has reached the hourly limit for personal data. Ask them first why they need more.',
          'Then the limit counts from now on. The audit log records your permission.',
        ],
        verb: 'Allow',
        draft: `views:${person.id}`,
        send: (reason: string) => call(allowViews, { params, body: { reason } }),
      }
    case 'lift':
      return {
        title: `Lift the suspension of ${plain(person.name)}`,
        effects: ['Another person has to approve it.', 'Then the person has the rights of their role again.'],
        verb: 'Propose',
        draft: `lift-suspension:${person.id}`,
        send: (reason: string) => call(liftSuspension, { params, body: { reason } }),
      }
  }
}

function Act({ open, onClose }: { open: OpenAction; onClose: () => void }) {
  const { send, ...texts } = actOf(open)
  return (
    <ActDialog
      {...texts}
      onDo={async (reason) => {
        toast((await send(reason)).message)
        await refetch(staffPeople)
      }}
      onClose={onClose}
    />
  )
}
