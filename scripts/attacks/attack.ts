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
  /** Actions in the audit log that the tests assert, in backticks, or one of {@link NO_ENTRY}. */
  audit: string
  /** Titles of tests without requirement ids, as in the type `Proof` of proof-tables.ts. */
  tests: readonly { file: string; title: string }[]
}

export const testsIn = (file: string, ...titles: readonly string[]): Attack['tests'] => titles.map((title) => ({ file, title }))
export const replayed = (title: string) => testsIn('apps/server/test/properties/security/attack-replay.test.ts', title)
export const SRC = 'apps/server/src'
export const KINDS_TEST = `${SRC}/modules/staff/proposals/kinds/kinds.test.ts`
export const MESSAGE_TEST = `${SRC}/modules/staff/segments/send-message.test.ts`
export const ERASURE_TEST = `${SRC}/modules/personal-data/erasure/erase-accounts.postgres.test.ts`
/** Reasons why an attack leaves no entry in the audit log. `NO_ENTRY_RULE` explains them in docs/security.md. */
export const NO_ENTRY = {
  accepted: 'none: nothing is refused',
  mistake: 'none: mistake of a member',
  nameless: 'none: names no account',
  limited: 'none: rate limit',
  busy: 'none: busy server',
  offline: 'none: no database',
  noCall: 'none: no call is made',
  found: 'none: found by `tizara audit`',
} as const

/** The rule that docs/security.md states once. */
export const NO_ENTRY_RULE = `The audit log records what staff, operators and members did, each refused action of staff and operators, and refusals of
members that may come from a thief: sign-ins, proofs, and outflows that the guard refuses. It does not record:

- mistakes of members, such as the confirmation of a transfer that has ended or of another member (400 and 404),
- calls that name no account, such as a registration or a forged link,
- calls above a rate limit, and calls that a busy server refuses. The request log and the metrics show them.
- commands that open no database, such as a start with invalid settings,
- faults of the chain, of a proxy or in the database that no call causes. The worker or \`tizara audit\` reports them.`
