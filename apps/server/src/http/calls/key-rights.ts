import type { Route } from '@tizara/contract'
import { groups } from '../api-page/groups.ts'

/** A call that an API key can have the right to. */
export interface KeyRight {
  name: string
  group: string
  summary: string
}

/** Whose key it is: it reads a member's own data, or calls of staff. */
export type KeyKind = 'member' | 'operator'

/** Calls about the account or session. A stolen key must not show how the account is secured, nor fetch the copy of all data. */
const ACCOUNT_CALLS = /^\/(auth|jobs)\/|^\/profile\/(email|closing)$|^\/staff\/(me$|jobs\/|api-keys|webhooks)/

const isReadable = ({ method, money, limited, path }: Route): boolean =>
  method === 'GET' && money !== true && limited !== true && !ACCOUNT_CALLS.test(path)

const rightsFor = (isFor: (route: Route) => boolean): readonly KeyRight[] =>
  groups.flatMap(({ title, routes }) =>
    routes.filter((route) => isReadable(route) && isFor(route)).map(({ name, summary }) => ({ name, group: title, summary })),
  )

/**
 * Calls that an API key can have the right to. A member's key can read the member's own data. An operator's key can make the reads of staff
 * that have a class (`keyReads` in the contract) and contain no personal data. The list follows the route table. A key can therefore never
 * write, move money or decide about it, whatever rights its row names (docs/decisions/0060-api-keys.md).
 */
export const keyRights: Readonly<Record<KeyKind, readonly KeyRight[]>> = {
  member: rightsFor(({ access }) => access === 'member' || access === 'session'),
  operator: rightsFor(({ access, personal, keyReads }) => access === 'staff' && personal === undefined && keyReads !== undefined),
}

const NAMES = {
  member: new Set(keyRights.member.map(({ name }) => name)),
  operator: new Set(keyRights.operator.map(({ name }) => name)),
}

/** Returns true for the name of a call that an API key of this kind can have the right to. */
export const isKeyRight = (kind: KeyKind, name: string): boolean => NAMES[kind].has(name)
