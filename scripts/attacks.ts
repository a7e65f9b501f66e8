/**
 * Attacks on the product, and the tests that play them. `npm run docs:make` prints them in docs/security.md, and `proof-tables.ts` checks
 * that each test exists and passed.
 */

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
] as const
type Point = (typeof POINTS)[number]

/** An attack, or an attempt to break a rule. */
interface Attack {
  point: Point
  attack: string
  /** Code of the error that the attacker gets, or the result if there is no error. A code is in backticks. */
  message: string
  /** Actions in the audit log that the tests assert, in backticks, or the reason why there is none. */
  audit: string
  /** Titles without ids, as in `Proof`. */
  tests: readonly { file: string; title: string }[]
}

const testsIn = (file: string, ...titles: readonly string[]): Attack['tests'] => titles.map((title) => ({ file, title }))
const replayed = (title: string) => testsIn('apps/server/test/properties/security/attack-replay.test.ts', title)
const SRC = 'apps/server/src'
const OUTFLOW = `${SRC}/modules/transfers/outflow.test.ts`
const GUARD = `${SRC}/modules/withdrawals/guard/guard.test.ts`
const SUSPEND = `${SRC}/modules/staff/people/suspend-colleague.test.ts`
const REMOVED_POWER = `${SRC}/modules/staff/people/removed-power.test.ts`
const SET_UP = `${SRC}/modules/staff/operations/set-up-platform.test.ts`
const RESTORED_ACCESS = `${SRC}/cli/restored-access.postgres.test.ts`
const RESTORED_JOURNAL = `${SRC}/cli/restored-journal.postgres.test.ts`
const JOURNAL = `${SRC}/modules/audit/access-journal.test.ts`
const STAFF_LINKS = `${SRC}/modules/staff/duties/staff-links.test.ts`
const DEVICES = `${SRC}/modules/auth/sessions/known-devices.test.ts`
const LOCKOUT = `${SRC}/modules/auth/lockout.test.ts`
const CONFIG = `${SRC}/platform/config/config.test.ts`
const DOCTOR = `${SRC}/cli/doctor.test.ts`
const FOLDER = `${SRC}/platform/embedded/private-folder.test.ts`
const PLANNED = `${SRC}/modules/staff/proposals/planned-proposals.test.ts`
const KINDS = `${SRC}/modules/staff/proposals/kinds/kinds.test.ts`
const VIEWS = `${SRC}/modules/staff/access/personal-views.test.ts`
const RECOVERY = `${SRC}/modules/staff/members/account-recovery.test.ts`
const SECOND_FACTOR = `${SRC}/modules/staff/members/second-factor.test.ts`
const LIMITS = `${SRC}/modules/staff/duties/approval-limits.test.ts`
const MESSAGE = `${SRC}/modules/staff/segments/send-message.test.ts`
const ERASURE = `${SRC}/modules/personal-data/erasure/erase-accounts.postgres.test.ts`
const NONE = 'none asserted'

export const ATTACKS: readonly Attack[] = [
  {
    point: 'Money that leaves a member',
    attack: 'A thief with the password sends money to an accomplice after the owner stopped payouts.',
    message: '`PAYOUTS_STOPPED`',
    audit: '`payout.request`, once an hour',
    tests: [
      ...replayed('of a thief with the password moves nothing to an accomplice after the owner stopped everything'),
      ...testsIn(OUTFLOW, 'sends nothing to an accomplice after the owner stopped payouts, in one sum or in parts'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief sends money at the moment of the stop.',
    message: '`PAYOUTS_STOPPED` for each transfer after the stop',
    audit: NONE,
    tests: testsIn(OUTFLOW, 'cannot win a race against the stop: each transfer is covered by it or rejected'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief sends money in parts, from several sessions, in one batch and around midnight.',
    message: 'transfers above the small sum of 24 hours wait for their owner',
    audit: NONE,
    tests: testsIn(
      OUTFLOW,
      'gets at most the small sum of 24 hours, from several sessions, in one batch and around midnight',
      'counts each of many small transfers for 24 hours, in a short row',
      'is posted at once up to the small sum of 24 hours and held above it',
    ),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief confirms a waiting transfer with the password on a new device, also with a copied User-Agent.',
    message: '`DEVICE_NOT_TRUSTED`',
    audit: NONE,
    tests: [
      ...replayed('of a thief with the password gets the small sum of 24 hours at most, also with a copied User-Agent'),
      ...testsIn(OUTFLOW, 'cannot confirm a transfer by password on a new device; the mailed link and a trusted device can'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief repeats a proof, or uses it for another request or in another session.',
    message: '`STEP_UP_REFUSED`',
    audit: NONE,
    tests: [
      ...testsIn(GUARD, 'is rejected when the proof is for another request, member or session, or expired'),
      ...testsIn(OUTFLOW, 'is posted at once with a proof of exactly this transfer, once'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief guesses the password in the proof of a payout.',
    message: '`CURRENT_PASSWORD_WRONG`, then `TOO_MANY_REQUESTS`',
    audit: '`auth.step-up` for each guess',
    tests: testsIn(GUARD, 'delays password guesses like sign-in, wherever a proof is required'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A member confirms or cancels the transfer of another member, or one that has ended.',
    message: '`NOT_FOUND`, or 400 for one that has ended',
    audit: NONE,
    tests: testsIn(OUTFLOW, 'is confirmed, cancelled or returned only once and only by its sender'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief uses a mailed link that is forged, old or of another payout.',
    message: '`PAYOUT_LINK_INVALID`',
    audit: NONE,
    tests: testsIn(GUARD, 'works for its payout only, and not when forged, old or unknown'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A payout goes on although its owner used the stop link.',
    message: '`PAYOUTS_STOPPED`; waiting payouts are returned and sessions end',
    audit: NONE,
    tests: testsIn(GUARD, 'stop returns all payouts, ends sessions, and blocks payouts until a password reset by mail'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A thief sends or confirms a transfer while payouts are frozen.',
    message: '`PAYOUT_HELD`',
    audit: NONE,
    tests: testsIn(OUTFLOW, 'cannot transfer after the owner reset the password or changed the second factor'),
  },
  {
    point: 'Money that leaves a member',
    attack: 'A member splits the sum of a day between transfers and payouts, or into parallel calls.',
    message: '`PAYOUT_DAY_LIMIT`',
    audit: NONE,
    tests: [
      ...testsIn(OUTFLOW, 'counts towards the daily limit together with payouts'),
      ...testsIn(GUARD, 'is limited per member for any number of parallel calls, without returned amounts'),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'SQL changes the receiver or amount of a waiting transfer, or confirms a payout address.',
    message: '`PAYOUT_CHANGED`, `ADDRESS_FORGED`',
    audit: '`payout.request` for an address',
    tests: [
      ...testsIn(OUTFLOW, 'is not posted when its receiver or amount was changed in the database'),
      ...testsIn(
        GUARD,
        'refuses a payout to an address that SQL confirmed, changed, copied or revived; the refusal is recorded, and the audit reports it',
      ),
    ],
  },
  {
    point: 'Money that leaves a member',
    attack: 'A new route moves value out of a member without the guard.',
    message: '`PAYOUTS_STOPPED`; the test finds the routes by their postings',
    audit: '`payout.request`',
    tests: [
      ...testsIn(
        'apps/server/test/properties/security/outflow-routes.test.ts',
        'is tested for every money route of members',
        'keeps %s from moving value out of a member who stopped payouts',
      ),
      ...testsIn(
        'apps/server/test/properties/security/outflow-search.test.ts',
        'leaves a member only with a proof or within the small sum, whatever a thief, staff and a restore do',
      ),
    ],
  },
  {
    point: 'Setup and roles',
    attack: 'One admin takes a colleague’s role, blocks the colleague or ends the colleague’s sessions.',
    message: '`FOUR_EYES`',
    audit: '`staff.change.approve`',
    tests: [
      ...replayed('of one admin takes no role from a colleague, and the setup command gives none back'),
      ...testsIn(REMOVED_POWER, 'of $role are removed only by two authorized others when $way'),
    ],
  },
  {
    point: 'Setup and roles',
    attack: 'An operator runs `setup` after it was closed, with a second staff member, or after a posting of a member.',
    message: '“Setup of this platform is closed”',
    audit: '`staff.platform.set-up`',
    tests: [
      ...replayed('of one admin takes no role from a colleague, and the setup command gives none back'),
      ...testsIn(SET_UP, 'makes no lasting change once it %s, and records the attempt'),
    ],
  },
  {
    point: 'Setup and roles',
    attack: 'An operator runs `first-admin` on a platform that has had staff.',
    message: '“An admin grants roles”',
    audit: NONE,
    tests: testsIn(`${SRC}/cli/staff.test.ts`, 'creates a first admin only if there has never been a staff member'),
  },
  {
    point: 'Setup and roles',
    attack: 'A stranger registers before the setup has ended.',
    message: '`REGISTRATION_CLOSED`',
    audit: NONE,
    tests: [
      ...testsIn(`${SRC}/modules/auth/registration/register.test.ts`, 'rejects everyone and adds no account, until the setup has ended'),
      ...testsIn(SET_UP, 'opens the registration when %s, and not before'),
    ],
  },
  {
    point: 'Setup and roles',
    attack: 'One admin imports a settings file after the setup.',
    message: 'each change waits as a proposal for a second person',
    audit: NONE,
    tests: testsIn(
      `${SRC}/cli/setup.postgres.test.ts`,
      'rejects a setup when there is a second admin, and proposes the changes of a file instead',
    ),
  },
  {
    point: 'Setup and roles',
    attack: 'A sole admin gives a second account a role, and that account approves at once or after another role was taken.',
    message: '`FOUR_EYES` for three days; all staff get a mail',
    audit: NONE,
    tests: [
      ...testsIn(
        `${SRC}/modules/staff/members/members.test.ts`,
        'granted by a sole admin may not decide for days, and all admins are notified',
      ),
      ...testsIn(REMOVED_POWER, 'taken by a sole admin are mailed to their owner, and the waiting time of new staff begins again'),
    ],
  },
  {
    point: 'Suspension of a colleague',
    attack: 'A stolen staff account acts after a colleague suspended it.',
    message: '`STAFF_SUSPENDED`; its sessions end',
    audit: '`auth.suspended-call`, once an hour',
    tests: [
      ...replayed('of a stolen staff account ends within a call of one colleague, who can decide nothing meanwhile'),
      ...testsIn(
        SUSPEND,
        'ends the sessions and all staff rights for an hour, and moves nothing else',
        'records the calls of the suspended person once an hour, also for many at once',
      ),
    ],
  },
  {
    point: 'Suspension of a colleague',
    attack: 'The suspender proposes or approves in the same hour.',
    message: '`SUSPENDER_WAITS`',
    audit: 'an entry of the suspender; no action asserted',
    tests: [
      ...replayed('of a stolen staff account ends within a call of one colleague, who can decide nothing meanwhile'),
      ...testsIn(SUSPEND, 'lets the suspender only stop, answer and read for the hour'),
    ],
  },
  {
    point: 'Suspension of a colleague',
    attack: 'One person suspends a second colleague within 24 hours.',
    message: '`SUSPENDER_WAITS`, `SUSPENSION_LIMIT`',
    audit: '`staff.suspend`',
    tests: testsIn(
      SUSPEND,
      'by one person is limited to one colleague in 24 hours',
      'mails the person and all admins, and leaves an audit entry for success and rejection',
    ),
  },
  {
    point: 'Suspension of a colleague',
    attack: 'One person lifts or repeats a suspension.',
    message: '`FOUR_EYES`',
    audit: 'an entry of the person; no action asserted',
    tests: [
      ...replayed('of a stolen staff account ends within a call of one colleague, who can decide nothing meanwhile'),
      ...testsIn(SUSPEND, 'takes two people to %s'),
    ],
  },
  {
    point: 'Suspension of a colleague',
    attack: 'A thief suspends the only other admin, to count as a sole admin.',
    message: 'the role change waits as a proposal',
    audit: NONE,
    tests: testsIn(SUSPEND, 'keeps counting the suspended person where a rule asks for a second one'),
  },
  {
    point: 'Suspension of a colleague',
    attack: 'Two admins suspend each other at the same time.',
    message: 'one of the two is suspended',
    audit: NONE,
    tests: testsIn(SUSPEND, 'lets one of two people pass who suspend each other at the same time'),
  },
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
    audit: NONE,
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
    attack: 'The access journal is missing, shortened, changed, of another key or from another database.',
    message: '“The access journal cannot be used”; all staff rights are suspended',
    audit: NONE,
    tests: [
      ...testsIn(
        RESTORED_JOURNAL,
        'suspends all staff and removes all addresses and recovery codes with %s',
        'suspends all staff with the journal of another database',
      ),
      ...testsIn(JOURNAL, 'is rejected with %s', 'is rejected under another key, and signed again while the previous key is known'),
    ],
  },
  {
    point: 'Restored backups',
    attack: 'An operator gives rights to a third person after two admins were confirmed.',
    message: '“Two admins have their rights”',
    audit: '`staff.confirm-restored.operator` for the two',
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
    audit: NONE,
    tests: [
      ...testsIn(MESSAGE, 'does not go on by itself after a restore'),
      ...testsIn(ERASURE, 'repeats the erasure after the restore of an older backup'),
    ],
  },
  {
    point: 'Restored backups',
    attack: 'A thief reads or changes a backup that was encrypted for the public keys of the operator.',
    message: '“is encrypted for another key”, “is damaged, or was changed”',
    audit: 'none, because no database is written',
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
    audit: 'two entries of the admin; no action asserted',
    tests: [
      ...replayed('of an admin with a linked account approves nothing for it'),
      ...testsIn(KINDS, 'excludes the members of %s and their linked accounts from all four actions'),
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
    audit: NONE,
    tests: testsIn(STAFF_LINKS, 'are shown to the approver of the role'),
  },
  {
    point: 'Linked accounts',
    attack: 'Two staff accounts use two addresses of one IPv6 /64 network.',
    message: '400; they count as one person',
    audit: NONE,
    tests: testsIn(STAFF_LINKS, 'count as one person before the role from %s and %s: %s'),
  },
  {
    point: 'Linked accounts',
    attack: 'An operator separates two accounts at the command line while two others could confirm them.',
    message: '`FOUR_EYES`',
    audit: '`staff.separate-people.operator` when it is allowed; none asserted for the refusal',
    tests: [
      ...replayed('of a person with two staff accounts decides nothing alone, and the command line does not separate them'),
      ...testsIn(
        STAFF_LINKS,
        'are confirmed at the command line only while fewer than two others can, with an audit entry and a mail to all staff',
      ),
    ],
  },
  {
    point: 'Linked accounts',
    attack: 'An operator names a large network as the office, so that no accounts are linked.',
    message: 'the settings are rejected, and the message names OFFICE_NETWORKS',
    audit: 'none, because it opens no database',
    tests: testsIn(
      `${SRC}/modules/auth/sessions/session-network.test.ts`,
      'rejects the office network %s',
      'with the office %s, a session from %s has the network %s',
    ),
  },
  {
    point: 'New devices',
    attack: 'A thief signs in with the password and a copied User-Agent.',
    message: 'the device is new: the owner gets a mail, and payouts are frozen',
    audit: NONE,
    tests: testsIn(
      DEVICES,
      'is recognized by its cookie alone: a copied User-Agent without it is new, another one with it is known',
      'is one without a known cookie, also at the first sign-in; the owner gets a mail and payouts are frozen',
    ),
  },
  {
    point: 'New devices',
    attack: 'A thief on a new device changes the phone number with the password.',
    message: '`CONTACT_CHANGE_NEEDS_KNOWN_DEVICE`',
    audit: NONE,
    tests: replayed('of a thief with the password gets the small sum of 24 hours at most, also with a copied User-Agent'),
  },
  {
    point: 'New devices',
    attack: 'A thief plants a device cookie in the owner’s browser, or sends the owner’s cookie from another site.',
    message: 'the device is new, and gets a token of the server',
    audit: NONE,
    tests: testsIn(
      DEVICES,
      'gets a new token from the server when its cookie was planted by an attacker',
      'is not the one of a page of another site',
    ),
  },
  {
    point: 'Lockout',
    attack: 'A stranger enters wrong passwords to lock the owner out.',
    message: '`TOO_MANY_REQUESTS` for the stranger’s network only',
    audit: '`auth.login`',
    tests: [
      ...replayed('of a stranger with wrong passwords keeps no owner out, on another network or a known device'),
      ...testsIn(
        LOCKOUT,
        'of a stranger do not block the owner on another network',
        "of a stranger in the owner's network do not block the owner's known device",
      ),
    ],
  },
  {
    point: 'Lockout',
    attack: 'A stranger guesses from many addresses of one IPv6 /64 network, or with invented device cookies.',
    message: '`TOO_MANY_REQUESTS`',
    audit: NONE,
    tests: testsIn(
      LOCKOUT,
      'are counted together for an IPv6 /64, and separately for another one',
      'have no separate budget for the device cookie of another account or for random tokens',
    ),
  },
  {
    point: 'Lockout',
    attack: 'A thief in one session enters wrong passwords to block proofs in the owner’s session.',
    message: '`TOO_MANY_REQUESTS` in the thief’s session only',
    audit: NONE,
    tests: testsIn(LOCKOUT, 'within one session do not block confirmation in another session', 'on confirmation counts sessions'),
  },
  {
    point: 'Lockout',
    attack: 'A stranger enters more than 100 wrong passwords from all networks, then the right one.',
    message: '`EMAIL_NOT_VERIFIED` until the mailed code is entered',
    audit: NONE,
    tests: testsIn(
      LOCKOUT,
      'from all networks together require a mailed code in addition to the correct password on a new device, but not on a known one',
      'reject a wrong code, also after a refresh of the session',
    ),
  },
  {
    point: 'Lockout',
    attack: 'A rush of sign-ins locks members out who made no mistake.',
    message: '503, which is not counted as a wrong password',
    audit: NONE,
    tests: testsIn(LOCKOUT, 'are not counted when a right password meets a busy server'),
  },
  {
    point: 'Settings of production',
    attack: 'A production server starts with missing, malformed or conflicting settings.',
    message: 'it names all faults at once and ends',
    audit: 'none, because it opens no database',
    tests: [
      ...replayed('on weak settings starts no production server, which names all faults'),
      ...testsIn(CONFIG, 'are all reported at once: unreadable ones, incomplete groups and those that production lacks'),
    ],
  },
  {
    point: 'Settings of production',
    attack: 'Production sends payments over plain http to a public host, or allows the origins `null`, `*` or plain http.',
    message: 'it names the setting and ends',
    audit: 'none, because it opens no database',
    tests: testsIn(
      CONFIG,
      '%s is one in production when it is plain http to a public host',
      'name %s=%j in one sentence',
      'are origins without https in production',
    ),
  },
  {
    point: 'Settings of production',
    attack: 'Production has a raised rate limit, too many trusted proxies or reset links of more than two hours.',
    message: 'the doctor names the setting',
    audit: 'none, because it is allowed',
    tests: [
      ...testsIn(CONFIG, 'of production are named: %s=%s, and not %s'),
      ...testsIn(DOCTOR, 'warns about settings that the product accepts: weak secrets, no proxy, no metrics'),
    ],
  },
  {
    point: 'Settings of production',
    attack: 'A process starts without its settings file, or with a misspelled setting.',
    message: 'it names the file or the setting, and ends',
    audit: 'none, because it opens no database',
    tests: testsIn(
      `${SRC}/cli/tizara.test.ts`,
      'reads the settings file when npm starts %s',
      'stops when it cannot read the settings file, or when the file has an unknown setting',
    ),
  },
  {
    point: 'Settings of production',
    attack: 'A start writes to an unusable data folder, a read-only disk or an incomplete database folder.',
    message: 'it names the cause in one sentence, and changes nothing',
    audit: 'none, because it opens no database',
    tests: [
      ...testsIn(
        FOLDER,
        'gives the reason why no database starts in a folder',
        'calls a read-only disk by its name',
        'rejects a database folder without PG_VERSION and changes nothing in it',
      ),
      ...testsIn(DOCTOR, 'reports an unusable data folder in one sentence'),
    ],
  },
  {
    point: 'Settings of production',
    attack: 'A migration runs on a database that has lost its schema version.',
    message: 'it names the lost table, and changes nothing',
    audit: 'none, because the schema is unknown',
    tests: testsIn(`${SRC}/platform/db/migrate.test.ts`, 'names the lost note of the schema, deleted or emptied, and changes nothing'),
  },
  {
    point: 'Stricter limits and old proposals',
    attack: 'One admin cancels a planned lower limit or longer hold, directly or through a value that it depends on.',
    message: '`FOUR_EYES`',
    audit: '`staff.change.cancel`',
    tests: [
      ...replayed('of one admin loosens no planned limit and decides no old proposal'),
      ...testsIn(PLANNED, 'needs two people to cancel when it is %s', 'needs two people to cancel %s that it depends on'),
    ],
  },
  {
    point: 'Stricter limits and old proposals',
    attack: 'The second cancellation counts the attempt of a person who has lost the right.',
    message: '400; the limit stays planned',
    audit: NONE,
    tests: testsIn(PLANNED, 'is not cancelled by an attempt of a person who has lost the right'),
  },
  {
    point: 'Stricter limits and old proposals',
    attack: 'A proposal waits for years until a colleague approves it.',
    message: '`CHANGE_OUTDATED` after 14 days',
    audit: 'an entry of the colleague; no action asserted',
    tests: [
      ...replayed('of one admin loosens no planned limit and decides no old proposal'),
      ...testsIn(PLANNED, 'expires after 14 days, with a start after %s ms'),
      ...testsIn(KINDS, 'needs two people for %s, records every action and expires after 14 days'),
    ],
  },
  {
    point: 'Personal data',
    attack: 'A stolen staff account reveals data of many members, views as them or exports them.',
    message: '`VIEW_LIMIT`',
    audit: '`staff.view-limit`, `staff.member.reveal`',
    tests: [
      ...replayed('of a stolen staff account reveals no more than the hourly limit'),
      ...testsIn(VIEWS, 'limits reveals, member views and exports together, and reveals nothing above the limit'),
    ],
  },
  {
    point: 'Personal data',
    attack: 'A stolen staff account reads page after page, also many at once.',
    message: '`VIEW_LIMIT`',
    audit: '`staff.page.view` for each page, `staff.view-limit`',
    tests: testsIn(
      VIEWS,
      'records a page once, and again after 30 minutes',
      'rejects new pages above the limit until the hour is over',
      'lets no more pages pass when they are read at once, and records each once',
    ),
  },
  {
    point: 'Personal data',
    attack: 'A new page shows personal data, and its view is neither counted nor recorded.',
    message: 'the table test fails, or the server does not start',
    audit: 'none, because no call is made',
    tests: testsIn(VIEWS, '%s declares that it shows personal data', 'rejects a page of one member that records no view'),
  },
  {
    point: 'Personal data',
    attack: 'A person allows the own account, or a linked one, more views.',
    message: '`FOUR_EYES`; the limit stays',
    audit: NONE,
    tests: testsIn(
      VIEWS,
      'opens an incident, which ends when another admin allows more views',
      'rejects the permission of an admin who counts as the same person',
    ),
  },
  {
    point: 'Personal data',
    attack: 'A staff member reads full payout addresses on any page, or finds masked numbers digit by digit by search.',
    message: 'pages show masked values; the search takes the shown part or the complete value',
    audit: '`staff.member.reveal` for each revealed value',
    tests: [
      ...testsIn(
        `${SRC}/modules/staff/requests/reveal-address.test.ts`,
        'shows no page with a full payout address',
        'reveals the address of one payout, and shows the view to the member',
      ),
      ...testsIn(
        `${SRC}/modules/staff/members/member-pages.test.ts`,
        'does not reveal masked phone numbers, addresses or people',
        'reveals phone and addresses only on request, and records it',
      ),
    ],
  },
  {
    point: 'Personal data',
    attack: 'A reader calls an action of another role, with a malformed body, a large one or one of another type.',
    message: '`STAFF_ONLY`',
    audit: '`staff.rewards.fund-pool`',
    tests: [
      ...replayed('of a reader without the role gets nothing, whatever the body'),
      ...testsIn(`${SRC}/modules/staff/access/access.test.ts`, 'checks and records the role before a body that %s'),
    ],
  },
  {
    point: 'Account recovery',
    attack: 'One admin recovers a member’s account to an own mailbox.',
    message: '`FOUR_EYES`',
    audit: '`staff.change.approve`',
    tests: [
      ...replayed('by one admin cannot move an account to a mailbox of this admin'),
      ...testsIn(RECOVERY, 'takes two of staff who are neither the owner nor linked to the owner'),
    ],
  },
  {
    point: 'Account recovery',
    attack: 'Two of staff replace the mailbox or the second factor before the owner notices.',
    message: 'it takes seven days with mails to all known addresses, and payouts stay frozen for seven more',
    audit: '`staff.member.start-recovery`, `auth.account-recovered`',
    tests: [
      ...testsIn(RECOVERY, 'replaces the mailbox after seven days, ends sessions and freezes payouts for as long again'),
      ...testsIn(SECOND_FACTOR, 'is removed seven days after two other admins reset it, and payouts are frozen for as long again'),
      ...testsIn(
        'apps/server/test/properties/operations/notification-kinds.test.ts',
        'of the kind %s come once for each cause, however often the jobs run',
      ),
    ],
  },
  {
    point: 'Account recovery',
    attack: 'A recovery goes on although the owner stopped it, signed in with the second factor or used a trusted device.',
    message: 'it is cancelled; the stop link works until seven days after its end',
    audit: '`auth.stop-email`, `auth.cancel-recovery`',
    tests: testsIn(
      RECOVERY,
      'is cancelled by the mailed stop link, at the present and at earlier addresses, also after it is completed',
      'is cancelled by a proof of the owner: second factor, trusted device, step-up or mailbox',
    ),
  },
  {
    point: 'Account recovery',
    attack: 'A second proposal shortens the waiting period.',
    message: '`ALREADY_DECIDED`',
    audit: NONE,
    tests: testsIn(SECOND_FACTOR, 'cannot be pending twice: a second proposal neither shortens nor extends the waiting period'),
  },
  {
    point: 'Operation',
    attack: 'Access logs of nginx or Caddy contain tokens.',
    message: 'logs have no query string and no referrer',
    audit: 'none, because the proxies write none',
    tests: testsIn('scripts/deploy.test.ts', 'the configuration of nginx and Caddy writes no query and no referrer to a log'),
  },
  {
    point: 'Operation',
    attack: 'A stranger requests links until the owner’s link is void.',
    message: 'the link stays valid',
    audit: NONE,
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
    audit: 'none, because no call is made',
    tests: testsIn(
      'scripts/deploy.test.ts',
      'only the worker reads the file with the settings of signing keys, and the API has its own user and data folder',
    ),
  },
  {
    point: 'Operation',
    attack: 'A person changes an exported copy of the audit log.',
    message: '`verify-export`: “a line was changed, added or removed”',
    audit: 'none, because the command reads a file only',
    tests: testsIn(
      `${SRC}/modules/staff/audit-log/audit-chain.test.ts`,
      'sign the audit log in its last line, over several steps, and show each change to the holder of the public key',
    ),
  },
  {
    point: 'Operation',
    attack: 'Many equal payments of the sandbox are sent at once.',
    message: 'each one arrives once',
    audit: 'none, because no money is real',
    tests: testsIn(`${SRC}/sandbox/chain/dev-chain.test.ts`, 'sends equal payments at once, from two processes'),
  },
  {
    point: 'Operation',
    attack: 'The disk of PostgreSQL is full, but the server says that it is ready.',
    message: 'not ready',
    audit: 'none, because the disk is full',
    tests: testsIn(
      `${SRC}/http/server/health.test.ts`,
      'is not ready while the disk of the database takes no new pages, although a stored row can still change',
    ),
  },
  {
    point: 'Operation',
    attack: 'A locked row makes all calls of a batch wait.',
    message: 'the others are answered at once',
    audit: NONE,
    tests: testsIn(
      `${SRC}/http/calls/money-calls.test.ts`,
      'are answered while another transaction holds a row that one call of the batch needs',
    ),
  },
  {
    point: 'Operation',
    attack: 'A member opens streams without end.',
    message: '429',
    audit: NONE,
    tests: testsIn(
      `${SRC}/main/live.test.ts`,
      'answers 429 to a member who opens more than 60 streams in a minute, and lets others open theirs',
    ),
  },
  {
    point: 'Releases',
    attack: 'A release archive is replaced, with its digest or with a signature of another key.',
    message: 'rejected by the commands of install.md',
    audit: 'none, because nothing is installed',
    tests: testsIn('test/install.test.ts', 'packs the same archive from the same source, and install.md rejects any other'),
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
    audit: 'none asserted; `tizara audit` names both rows',
    tests: testsIn(
      MESSAGE,
      'is not sent, mailed, shown or counted when SQL inserted or changed its job or the message, and the audit names both',
    ),
  },
  {
    point: 'Blocked accounts and forged rows',
    attack: 'One person closes a case, so that an account is erased.',
    message: 'the erasure waits for the case; its audit entry names the case and the person who closed it',
    audit: '`auth.account-erased`',
    tests: testsIn(ERASURE, 'postpones it by a day for %s'),
  },
]

/** Attacks that no test plays, with the reason. */
export const UNPLAYED: readonly { point: Point; attack: string; reason: string }[] = [
  {
    point: 'New devices',
    attack: 'A thief signs in from 101 devices to push out the owner’s device.',
    reason: 'The test of the limit of 100 devices counts them. It passes, too, when the owner’s device is replaced.',
  },
  {
    point: 'Lockout',
    attack: 'A right second factor, passkey or own password meets a busy server.',
    reason: 'Only the sign-in is played. The other proofs count an attempt in the same queue.',
  },
  {
    point: 'Settings of production',
    attack: 'A production process starts with a weak setting and does not name it in its log.',
    reason: 'The tests read the list of weak settings and the findings of the doctor. No test reads the log of a start.',
  },
  {
    point: 'Personal data',
    attack: 'The manual gives a role a right that the code does not.',
    reason: '`npm test -- structure` compares [staff-roles.md](staff-roles.md) with the contract. No test plays a difference.',
  },
  {
    point: 'Operation',
    attack: 'A running API reads the file with the signing keys.',
    reason: 'The test reads the units and the Compose file. To play it, two users of the system and systemd are needed.',
  },
  {
    point: 'Operation',
    attack: 'The access log of HAProxy contains a token.',
    reason: 'Its configuration has no log. No test checks this or runs HAProxy with a token.',
  },
  {
    point: 'Operation',
    attack: 'The disk of the embedded database is full, but the server says that it is ready.',
    reason: 'The test limits temporary files of a PostgreSQL database instead of filling a disk, and ends early on the embedded one.',
  },
  {
    point: 'Releases',
    attack: 'A replaced archive is unpacked during an upgrade.',
    reason: 'The upgrade refers to the commands of install.md, which a test runs. No drill replaces an archive during an upgrade.',
  },
]

const HEADING = '## Attacks'
const row = (...cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

function attacksSection(): string {
  const played = ATTACKS.map(({ point, attack, message, audit, tests }) =>
    row(point, attack, message, audit, tests.map(({ file, title }) => `\`${file}\` › ${title}`).join('<br>')),
  )
  return `${HEADING}

\`npm run docs:make\` generates this section from \`scripts/attacks.ts\`. Each attack names the error or the result, the entry in the audit
log that a test asserts, and the tests that play the attack. \`attack-replay.test.ts\` plays whole attacks over HTTP and the command
line; the other tests play parts of them.

| Point | Attack | Message or result | Audit entry | Tests |
|---|---|---|---|---|
${played.join('\n')}

### Not played yet

| Point | Attack | Reason |
|---|---|---|
${UNPLAYED.map(({ point, attack, reason }) => row(point, attack, reason)).join('\n')}
`
}

/** Replaces the section of the attacks in the text of docs/security.md. */
export function withAttacks(page: string): string {
  const start = page.indexOf(`\n${HEADING}\n`)
  const end = page.indexOf('\n## ', start + 1)
  if (start === -1 || end === -1) throw new Error(`docs/security.md has no section "${HEADING}" before another one`)
  return `${page.slice(0, start + 1)}${attacksSection()}${page.slice(end)}`
}
