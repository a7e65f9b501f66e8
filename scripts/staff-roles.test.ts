import { readFileSync } from 'node:fs'
import { allRoutes } from '@tizara/contract/all-routes'
import { type RoleGroup, roleGroups } from '@tizara/contract/role-groups'
import { staffRoles } from '@tizara/contract/staff'
import { proposalRoles } from '@tizara/contract/staff-changes'
import { expect, it } from 'vitest'

const page = readFileSync(new URL('../docs/staff-roles.md', import.meta.url), 'utf8')

/** Reads the roles of each call and each proposal from the manual. */
const rolesIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^\| `(.+?)` \|(.*)\|$/gm)].map(([, name, cells = '']) => {
      const marks = cells.split('|').map((cell) => cell.trim())
      return [name, staffRoles.filter((_, index) => marks[index] === 'yes')]
    }),
  )

it('the manual gives each role the calls and proposals that the code gives it, and no others', () => {
  const rolesOf = (group: RoleGroup) => staffRoles.filter((role) => roleGroups[group].some((one) => one === role))
  const calls = allRoutes.flatMap(({ access, name, role }) => (access === 'staff' && role !== undefined ? [[name, rolesOf(role)]] : []))
  const declared = Object.fromEntries([...calls, ...Object.entries(proposalRoles).map(([subject, role]) => [subject, rolesOf(role)])])
  expect(rolesIn(page)).toEqual(declared)
  // A right that only the manual gives is a difference.
  const wrong = page.replace('| `grantRole` |  |  | yes |  |', '| `grantRole` | yes |  | yes |  |')
  expect(wrong).not.toBe(page)
  expect(rolesIn(wrong)).not.toEqual(declared)
})
