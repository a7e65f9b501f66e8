import { type Attack, SRC, KINDS_TEST, MESSAGE_TEST, ERASURE_TEST, NO_ENTRY, replayed, testsIn } from './attack.ts'

const RESTORED_ACCESS = `${SRC}/cli/restored-access.postgres.test.ts`
const RESTORED_JOURNAL = `${SRC}/cli/restored-journal.postgres.test.ts`
const RESTORED_STOP = `${SRC}/cli/restored-stop.postgres.test.ts`
const JOURNAL = `${SRC}/modules/audit/access-journal.test.ts`
const STAFF_LINKS = `${SRC}/modules/staff/duties/staff-links.test.ts`
const LIMITS = `${SRC}/modules/staff/duties/approval-limits.test.ts`

/** Attacks after a restore, and by linked accounts. */
export const restoreAttacks: readonly Attack[] = [
  {
    point: 'Restored backups',
    attack: 'A restored backup revives sessions, API keys, mailed links, codes or calendar addresses.',
    message: '`UNAUTHENTICATED`, `NOT_FOUND` or 400; payouts are frozen',
    audit: '`platform.restore` with the head of the audit log',
    tests: testsIn(
      RESTORED_ACCESS,
      'revives no session, API key, mailed link, code or calendar address of a backup, freezes payouts, and prints the values to compare',
    ),
  },
  {
    point: 'Restored backups',
    attack: 'A link that was mailed before the restore confirms a payout or an address.',
    message: '400; the same link still stops payouts',
    audit: NO_ENTRY.mistake,
    tests: testsIn(RESTORED_ACCESS, 'confirms no payout or address by a link mailed before the restore, and still stops by it'),
  },
  {
    point: 'Restored backups',
    attack: 'A restored backup revives roles, passwords, passkeys, recovery codes, payout addresses or payouts.',
    message: 'the access journal ends them again',
    audit: '`platform.restore` with the line of the journal',
    tests: testsIn(
      RESTORED_JOURNAL,
      'ends the roles, accounts, passkeys, recovery codes, apps, addresses and payouts that ended after the backup, and gives no role',
      'ends the same access when the backup is restored a second time, with and without the worker in between',
    ),
  },
  {
    point: 'Restored backups',
    attack: 'A thief is paid by a restored payout that its owner stopped after the backup, also if payouts resumed since.',
    message: '`ALREADY_DECIDED`; the worker returned the payout',
    audit: '`staff.request.revoke-approval` for the first approval',
    tests: testsIn(
      RESTORED_STOP,
      'revokes pending payouts and addresses again that a stop after the backup revoked, also after payouts resumed',
    ),
  },
  {
    point: 'Restored backups',
    attack: 'The access journal is missing, shortened, changed, of another key or from another database.',
    message: '“The access journal cannot be used”; all staff rights are suspended, and pending payouts are returned',
    audit: '`platform.restore`',
    tests: [
      ...testsIn(
        RESTORED_JOURNAL,
        'suspends all staff and removes all addresses and recovery codes with %s',
        'suspends all staff with the journal of another database',
      ),
      ...testsIn(RESTORED_STOP, 'returns all pending payouts without a valid journal, because stops may be lost'),
      ...testsIn(JOURNAL, 'is rejected with %s', 'is rejected under another key, and signed again while the previous key is known'),
    ],
  },
  {
    point: 'Restored backups',
    attack: 'An operator gives rights to a third person after two admins were confirmed.',
    message: '“Two admins have their rights”',
    audit: '`staff.confirm-restored.operator`',
    tests: testsIn(RESTORED_JOURNAL, 'lifts suspensions at the command line until two admins are confirmed'),
  },
  {
    point: 'Restored backups',
    attack: 'A restore hides the last rows of the audit log.',
    message: 'the saved head shows that the log was cut off',
    audit: '`platform.restore`',
    tests: testsIn(RESTORED_ACCESS, 'reports a saved head that the backup lacks as cut off, though a new row has its number'),
  },
  {
    point: 'Restored backups',
    attack: 'A restored backup sends the rest of a message, or returns an erased account.',
    message: 'the message ends, and the worker erases the account again',
    audit: NO_ENTRY.accepted,
    tests: [
      ...testsIn(MESSAGE_TEST, 'does not go on after a restore ended its job and deleted its pending notices'),
      ...testsIn(ERASURE_TEST, 'repeats the erasure after the restore of an older backup'),
    ],
  },
  {
    point: 'Restored backups',
    attack: 'A thief reads or changes a backup that was encrypted for the public keys of the operator.',
    message: '“is encrypted for another key”, “is damaged, or was changed”',
    audit: NO_ENTRY.offline,
    tests: testsIn(
      `${SRC}/cli/backup.postgres.test.ts`,
      'encrypts a backup for its public keys, and restores it only with one of the private keys',
    ),
  },
  {
    point: 'Linked accounts',
    attack: 'A person with two staff accounts approves an own proposal.',
    message: '`FOUR_EYES`',
    audit: '`staff.change.approve`',
    tests: [
      ...replayed('of a person with two staff accounts decides nothing alone, and the command line does not separate them'),
      ...testsIn(STAFF_LINKS, 'do not decide together about %s, in either order, until two others confirm them'),
    ],
  },
  {
    point: 'Linked accounts',
    attack: 'An admin decides about a linked account, or two linked accounts decide together.',
    message: '`FOUR_EYES`',
    audit: '`staff.member.special-rcm`, `staff.member.start-recovery`',
    tests: [
      ...replayed('of an admin with a linked account approves nothing for it'),
      ...testsIn(KINDS_TEST, 'excludes the members of %s and their linked accounts from all four actions'),
      ...testsIn(
        LIMITS,
        'accept no second approval from a linked account, or from staff blocked or demoted since',
        "accept no approval of a proposal from the proposer's linked account, and no credit to one",
      ),
    ],
  },
  {
    point: 'Linked accounts',
    attack: 'An account linked to a staff member gets a role, and the approver does not know of the link.',
    message: 'the approver sees the linked staff member',
    audit: NO_ENTRY.accepted,
    tests: testsIn(STAFF_LINKS, 'are shown to the approver of the role'),
  },
  {
    point: 'Linked accounts',
    attack: 'Two staff accounts use two addresses of one IPv6 /64 network.',
    message: '400; they count as one person',
    audit: '`staff.change.approve`',
    tests: testsIn(STAFF_LINKS, 'count as one person before the role from %s and %s: %s'),
  },
  {
    point: 'Linked accounts',
    attack: 'An operator separates two accounts at the command line while two others could confirm them.',
    message: '`FOUR_EYES`',
    audit: '`staff.separate-people.operator`',
    tests: [
      ...replayed('of a person with two staff accounts decides nothing alone, and the command line does not separate them'),
      ...testsIn(
        STAFF_LINKS,
        'are confirmed by the operator only while fewer than two others can, with an audit entry and a mail to all staff',
      ),
    ],
  },
  {
    point: 'Linked accounts',
    attack: 'An operator names a large network as the office, so that no accounts are linked.',
    message: 'the settings are rejected, and the message names OFFICE_NETWORKS',
    audit: NO_ENTRY.offline,
    tests: testsIn(
      `${SRC}/modules/auth/sessions/session-network.test.ts`,
      'rejects the office network %s',
      'with the office %s, a session from %s has the network %s',
    ),
  },
]
