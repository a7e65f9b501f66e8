import { staffRoles, type StaffRole } from '@tizara/contract/staff'
import { grantRole } from '@tizara/contract/staff-members'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../../lib/http/api.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'

/** Proposes a new role for a person, or their removal from staff. */
export function RoleDialog({ email, onClose }: { email: string | undefined; onClose: () => void }) {
  const [address, setAddress] = useState(email ?? '')
  const [name, setName] = useState('')
  const [role, setRole] = useState<'MEMBER' | StaffRole>('SUPPORT')
  return (
    <ActDialog
      title={email === undefined ? 'Add a staff member' : `Change the role of ${email}`}
      effects={[
        'Another person has to approve it.',
        'Then all sessions of this person end. First approvals that the new role may not give are revoked.',
        ...(email === undefined ? ['A person without an account gets one, and a mail with a link to set the password.'] : []),
      ]}
      verb="Propose"
      draft={`role:${email ?? ''}`}
      onDo={async (reason) => {
        const { data } = await call(grantRole, {
          body: { email: address.trim(), role, reason, phone: '', ...(name.trim() === '' ? {} : { name: name.trim() }) },
        })
        toast(data?.proposalId === undefined ? 'Role granted' : 'Proposed; another person has to approve it')
        if (data?.proposalId !== undefined) navigate(`/staff/changes/${data.proposalId}`)
      }}
      onClose={onClose}
    >
      {email === undefined && (
        <>
          <label className="mt-2 block">
            <span className="mb-1 block font-medium font-semi">E-mail</span>
            <input
              className="control"
              type="email"
              autoComplete="off"
              value={address}
              onChange={(event) => setAddress(event.target.value)}
            />
          </label>
          <label className="mt-2 block">
            <span className="mb-1 block font-medium font-semi">Name</span>
            <input className="control" autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
          </label>
        </>
      )}
      <label className="mt-2 block">
        <span className="mb-1 block font-medium font-semi">Role</span>
        <select className="control" value={role} onChange={(event) => setRole(event.target.value as StaffRole)}>
          {[...staffRoles, 'MEMBER' as const].map((one) => (
            <option key={one} value={one}>
              {one === 'MEMBER' ? 'none (leaves the staff)' : one}
            </option>
          ))}
        </select>
      </label>
    </ActDialog>
  )
}
