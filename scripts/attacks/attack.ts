/** Subjects of the attacks, in the order of docs/security.md. */
export const POINTS = [
  'Money that leaves a member',
  'Setup and roles',
  'Suspension of a colleague',
  'Restored backups',
  'Linked accounts',
  'New devices',
  'Lockout',
  'Settings of production',
  'Stricter limits and old proposals',
  'Personal data',
  'Account recovery',
  'Operation',
  'Releases',
  'Blocked accounts and forged rows',
  'Chain and nodes',
] as const
export type Point = (typeof POINTS)[number]

/** An attack, or an attempt to break a rule. */
export interface Attack {
  point: Point
  attack: string
  /** Code of the error that the attacker gets, or the result if there is no error. A code is in backticks. */
  message: string
  /** Actions in the audit log that the tests assert, in backticks, or the reason why there is none. */
  audit: string
  /** Titles without ids, as in `Proof`. */
  tests: readonly { file: string; title: string }[]
}

export const testsIn = (file: string, ...titles: readonly string[]): Attack['tests'] => titles.map((title) => ({ file, title }))
export const replayed = (title: string) => testsIn('apps/server/test/properties/security/attack-replay.test.ts', title)
export const SRC = 'apps/server/src'
export const KINDS = `${SRC}/modules/staff/proposals/kinds/kinds.test.ts`
export const MESSAGE = `${SRC}/modules/staff/segments/send-message.test.ts`
export const ERASURE = `${SRC}/modules/personal-data/erasure/erase-accounts.postgres.test.ts`
export const NONE = 'none asserted'
