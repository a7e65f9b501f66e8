import { type Attack, SRC, KINDS_TEST, NO_ENTRY, replayed, testsIn } from './attack.ts'

const PLANNED = `${SRC}/modules/staff/proposals/planned-proposals.test.ts`
const VIEWS = `${SRC}/modules/staff/access/personal-views.test.ts`
const RECOVERY = `${SRC}/modules/staff/members/account-recovery.test.ts`
const SECOND_FACTOR = `${SRC}/modules/staff/members/second-factor.test.ts`

/** Attacks on old proposals, personal data and recovery. */
export const dataAttacks: readonly Attack[] = [
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
    audit: '`staff.change.cancel`',
    tests: testsIn(PLANNED, 'is not cancelled by an attempt of a person who has lost the right'),
  },
  {
    point: 'Stricter limits and old proposals',
    attack: 'A proposal waits for years until a colleague approves it.',
    message: '`CHANGE_OUTDATED` after 14 days',
    audit: '`staff.change.approve`',
    tests: [
      ...replayed('of one admin loosens no planned limit and decides no old proposal'),
      ...testsIn(PLANNED, 'expires after 14 days, with a start after %s ms'),
      ...testsIn(KINDS_TEST, 'needs two people for %s, records every action and expires after 14 days'),
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
    audit: NO_ENTRY.offline,
    tests: testsIn(VIEWS, '%s declares that it shows personal data', 'rejects a page of one member that records no view'),
  },
  {
    point: 'Personal data',
    attack: 'A person raises the view limit of their own account, or of a linked one.',
    message: '`FOUR_EYES`; the limit stays',
    audit: '`staff.view-limit.allow`',
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
    point: 'Personal data',
    attack: 'The manual gives a role a right that the code does not, so that an admin grants too much.',
    message: 'the test fails; the server answers `STAFF_ONLY`',
    audit: '`staff.change.propose` for an attempt without the right',
    tests: [
      ...testsIn('scripts/staff-roles.test.ts', 'the manual gives each role the calls and proposals that the code gives it, and no others'),
      ...testsIn(`${SRC}/modules/staff/access/access.test.ts`, 'records an attempt that the role may not make, without its body'),
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
    audit: '`staff.change.approve`',
    tests: testsIn(SECOND_FACTOR, 'cannot be pending twice: a second proposal neither shortens nor extends the waiting period'),
  },
]
