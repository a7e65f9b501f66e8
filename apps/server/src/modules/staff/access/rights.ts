import { allRoutes, type StaffCall } from '@tizara/contract/all-routes'
import { type RoleGroup, roleGroups } from '@tizara/contract/role-groups'
import type { StaffRole } from '@tizara/contract/staff'
import { type ProposalSubject, proposalRoles } from '@tizara/contract/staff-changes'
import type { Viewer } from '../../../http/calls/session-guard.ts'

/** A right: a staff call by its name, or `change.` with a proposal's subject. */
export type StaffRight = StaffCall | `change.${ProposalSubject}`

/** Each right's role group, as declared in the contract (docs/decisions/0026-staff-roles-in-the-contract.md). */
const GROUPS: ReadonlyMap<string, RoleGroup> = new Map([
  ...allRoutes.flatMap(({ access, name, role }): [string, RoleGroup][] => (access === 'staff' && role !== undefined ? [[name, role]] : [])),
  ...Object.entries(proposalRoles).map(([subject, role]): [string, RoleGroup] => [`change.${subject}`, role]),
])

/** Returns true if a name is a right. */
export const isRight = (name: string): name is StaffRight => GROUPS.has(name)

const rolesOf = (right: string): readonly StaffRole[] => {
  const group = GROUPS.get(right)
  return group === undefined ? [] : roleGroups[group]
}

/** Returns true if a role has a right. */
export const mayRole = (role: Viewer['role'], right: StaffRight): boolean => role !== 'MEMBER' && rolesOf(right).includes(role)

/** Lists a role's rights. */
export const rightsOf = (role: Viewer['role']): StaffRight[] => [...GROUPS.keys()].filter(isRight).filter((right) => mayRole(role, right))

/** Lists the roles for each right. */
export const rolesByRight = (): Record<string, StaffRole[]> =>
  Object.fromEntries([...GROUPS.keys()].map((right) => [right, [...rolesOf(right)]]))
