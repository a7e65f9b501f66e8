import { type Attack, SRC, MESSAGE_TEST, ERASURE_TEST, NO_ENTRY, testsIn } from './attack.ts'

/** Attacks on operation, releases and rows. */
export const operationAttacks: readonly Attack[] = [
  {
    point: 'Operation',
    attack: 'Access logs of nginx, Caddy or HAProxy contain tokens.',
    message: 'logs of nginx and Caddy have no query string and no referrer; HAProxy logs no calls',
    audit: NO_ENTRY.noCall,
    tests: testsIn(
      'scripts/deploy.test.ts',
      'the configuration of nginx and Caddy writes no query and no referrer to a log',
      'cluster: HAProxy has no setting that writes a call to a log',
    ),
  },
  {
    point: 'Operation',
    attack: 'A stranger requests links until the owner’s link is void.',
    message: 'the link stays valid',
    audit: NO_ENTRY.accepted,
    tests: testsIn(
      'apps/server/test/properties/security/mailed-links.test.ts',
      '%s stays valid when a stranger repeats all calls without a session',
      'that resets a password is valid for at least half its time after each request, also while a stranger requests others',
    ),
  },
  {
    point: 'Operation',
    attack: 'The process with the public port reads the signing keys.',
    message: 'the units give the file with the keys to the worker only',
    audit: NO_ENTRY.noCall,
    tests: testsIn(
      'scripts/deploy.test.ts',
      'only the worker reads the file with the settings of signing keys, and the API has its own user and data folder',
      'the file with the settings of signing keys opens for neither user of the product',
    ),
  },
  {
    point: 'Operation',
    attack: 'A person changes an exported copy of the audit log.',
    message: '`verify-export`: “a line was changed, added or removed”',
    audit: NO_ENTRY.offline,
    tests: testsIn(
      `${SRC}/modules/staff/audit-log/audit-chain.test.ts`,
      'sign the audit log in its last line, over several steps, and show each change to the holder of the public key',
    ),
  },
  {
    point: 'Operation',
    attack: 'Many equal payments of the sandbox are sent at once.',
    message: 'each one arrives once',
    audit: NO_ENTRY.accepted,
    tests: testsIn(`${SRC}/sandbox/chain/dev-chain.test.ts`, 'sends equal payments at once, from two processes'),
  },
  {
    point: 'Operation',
    attack: 'The disk of PostgreSQL or of the embedded database is full, but the server says that it is ready.',
    message: 'not ready',
    audit: NO_ENTRY.busy,
    tests: [
      ...testsIn(
        `${SRC}/http/server/health.test.ts`,
        'is not ready while the database can write no temporary file, although a stored row can still change',
      ),
      ...testsIn(
        'apps/server/test/properties/faults/embedded-small-disk.test.ts',
        'is not ready while the disk is full, and ready again when there is space',
      ),
    ],
  },
  {
    point: 'Operation',
    attack: 'A locked row makes all calls of a batch wait.',
    message: 'the others are answered at once',
    audit: NO_ENTRY.accepted,
    tests: testsIn(
      `${SRC}/http/calls/money-calls.test.ts`,
      'are answered while another transaction holds a row that one call of the batch needs',
    ),
  },
  {
    point: 'Operation',
    attack: 'A member opens streams without end.',
    message: '429',
    audit: NO_ENTRY.limited,
    tests: testsIn(
      `${SRC}/main/live.test.ts`,
      'answers 429 to a member who opens more than 60 streams in a minute, and lets others open theirs',
    ),
  },
  {
    point: 'Releases',
    attack: 'A release archive is replaced before an installation or upgrade, with its digest or with a signature of another key.',
    message: 'the commands of install.md, which an upgrade runs too, unpack nothing',
    audit: NO_ENTRY.offline,
    tests: testsIn(
      'test/install.test.ts',
      'packs the same archive from the same source, and neither an installation nor an upgrade unpacks any other',
    ),
  },
  {
    point: 'Blocked accounts and forged rows',
    attack: 'A blocked member’s session is used again.',
    message: '`UNAUTHENTICATED`; streams end',
    audit: '`auth.refresh-blocked`, once for each session',
    tests: [
      ...testsIn(`${SRC}/modules/auth/sessions/refresh-session.test.ts`, 'rejects a blocked member, and records it once for each session'),
      ...testsIn(`${SRC}/main/live.test.ts`, 'ends when the member is blocked'),
    ],
  },
  {
    point: 'Blocked accounts and forged rows',
    attack: 'SQL inserts a message to members, or changes its job.',
    message: 'the job ends with an integrity error, and no member gets the message',
    audit: NO_ENTRY.found,
    tests: testsIn(
      MESSAGE_TEST,
      'is not sent, mailed, shown or counted when SQL inserted or changed its job or the message, and the audit names both',
    ),
  },
  {
    point: 'Blocked accounts and forged rows',
    attack: 'One person closes a case, so that an account is erased.',
    message: 'the erasure waits for the case; its audit entry names the case and the person who closed it',
    audit: '`auth.account-erased`',
    tests: testsIn(ERASURE_TEST, 'postpones it by a day for %s'),
  },
]
