import { type Attack, SRC, NO_ENTRY, replayed, testsIn } from './attack.ts'

const SUSPEND = `${SRC}/modules/staff/people/suspend-colleague.test.ts`
const REMOVING_COLLEAGUES = `${SRC}/modules/staff/people/removing-colleagues.test.ts`
const SET_UP = `${SRC}/modules/staff/operations/set-up-platform.test.ts`

/** Attacks by members of staff. */
export const staffAttacks: readonly Attack[] = [
  {
    point: 'Setup and roles',
    attack: 'One admin takes a colleague’s role, blocks the colleague or ends the colleague’s sessions.',
    message: '`FOUR_EYES`',
    audit: '`staff.change.approve`',
    tests: [
      ...replayed('of one admin takes no role from a colleague, and the setup command gives none back'),
      ...testsIn(REMOVING_COLLEAGUES, 'of $role are removed only by two authorized others when $way'),
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
    audit: '`staff.first-admin.operator`',
    tests: testsIn(`${SRC}/cli/staff.test.ts`, 'creates a first admin only if there has never been a staff member'),
  },
  {
    point: 'Setup and roles',
    attack: 'A stranger registers before the setup has ended.',
    message: '`REGISTRATION_CLOSED`',
    audit: NO_ENTRY.nameless,
    tests: [
      ...testsIn(`${SRC}/modules/auth/registration/register.test.ts`, 'rejects everyone and adds no account, until the setup has ended'),
      ...testsIn(SET_UP, 'opens the registration when %s, and not before'),
    ],
  },
  {
    point: 'Setup and roles',
    attack: 'One admin imports a settings file after the setup.',
    message: 'each change waits as a proposal for a second person',
    audit: '`staff.change.propose`',
    tests: testsIn(
      `${SRC}/cli/setup.postgres.test.ts`,
      'rejects a setup when there is a second admin, and proposes the changes of a file instead',
    ),
  },
  {
    point: 'Setup and roles',
    attack: 'A sole admin gives a second account a role, and that account approves at once or after another role was taken.',
    message: '`FOUR_EYES` for three days; all staff get a mail',
    audit: '`staff.request.approve`',
    tests: [
      ...testsIn(
        `${SRC}/modules/staff/members/members.test.ts`,
        'granted by a sole admin may not decide for days, and all admins are notified',
      ),
      ...testsIn(REMOVING_COLLEAGUES, 'taken by a sole admin are mailed to their owner, and the waiting time of new staff begins again'),
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
    audit: '`staff.change.propose`, `staff.suspend`',
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
    audit: '`staff.change.approve`',
    tests: [
      ...replayed('of a stolen staff account ends within a call of one colleague, who can decide nothing meanwhile'),
      ...testsIn(SUSPEND, 'takes two people to %s'),
    ],
  },
  {
    point: 'Suspension of a colleague',
    attack: 'A thief suspends the only other admin, to count as a sole admin.',
    message: 'the role change waits as a proposal',
    audit: '`staff.change.propose`',
    tests: testsIn(SUSPEND, 'keeps counting the suspended person where a rule asks for a second one'),
  },
  {
    point: 'Suspension of a colleague',
    attack: 'Two admins suspend each other at the same time.',
    message: 'one of the two is suspended',
    audit: '`staff.suspend`',
    tests: testsIn(SUSPEND, 'lets one of two people pass who suspend each other at the same time'),
  },
]
