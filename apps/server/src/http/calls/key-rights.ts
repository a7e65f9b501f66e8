import { groups } from '../api-page/groups.ts'

/** A call that an API key can have the right to. */
export interface KeyRight {
  name: string
  group: string
  summary: string
}

/** Groups about the account itself. A stolen key must not show how the account is secured, nor fetch the copy of all data. */
const ACCOUNT_CALLS = /^\/(auth|jobs)\/|^\/profile\/(email|closing)$/

/**
 * Calls that a member's API key can have the right to: reads of the member's own data. The list follows the route table, so that a key never
 * makes a call that writes, moves money or decides about it, whatever rights its row names
 * (docs/decisions/0060-api-keys.md).
 */
export const memberKeyRights: readonly KeyRight[] = groups.flatMap(({ title, routes }) =>
  routes
    .filter(
      ({ method, access, money, limited, path }) =>
        method === 'GET' &&
        (access === 'member' || access === 'session') &&
        money !== true &&
        limited !== true &&
        !ACCOUNT_CALLS.test(path),
    )
    .map(({ name, summary }) => ({ name, group: title, summary })),
)

const NAMES: ReadonlySet<string> = new Set(memberKeyRights.map(({ name }) => name))

/** Returns true for the name of a call that an API key can have the right to. */
export const isKeyRight = (name: string): boolean => NAMES.has(name)
