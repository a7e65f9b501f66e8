import type { Tests } from './proof-tests.ts'

/** Security control, with its tests. */
export interface Control {
  /** Control number. The prefix F marks a fault of the same goals. */
  id: string
  control: string
  tests: Tests
  /** Open points, or the alternative way to meet the control. Required without tests. */
  note?: string
}

/** The 120 security controls and two faults. `npm run docs:make` writes them into docs/security.md. */
export const CONTROLS: readonly Control[] = [
  {
    id: '1',
    control: 'Token and session lifetimes are defined and enforced',
    tests: {
      'apps/server/src/modules/auth/access-token.test.ts': ['expires after the configured time'],
      'apps/server/src/modules/auth/refresh-session.test.ts': [
        'ends a session after 7 idle days, and any session after 30 days',
        'ends a staff session after 15 idle minutes, and after 8 hours',
      ],
    },
  },
  {
    id: '2',
    control: 'A member has at most ten sessions',
    tests: {
      'apps/server/src/modules/auth/sign-in.test.ts': ['accepts twelve parallel sign-ins of one member, and keeps the ten newest sessions'],
    },
  },
  {
    id: '3',
    control: 'The server checks every token',
    tests: { 'apps/server/src/modules/auth/access-token.test.ts': ['is answered 401 for every forged or malformed token'] },
  },
  {
    id: '4',
    control: 'Tokens are random and stored as digests',
    tests: { 'apps/server/src/modules/auth/register.test.ts': ['stores neither password, code nor token'] },
  },
  {
    id: '5',
    control: 'Each sign-in and verification opens a new session',
    tests: {
      'apps/server/src/modules/auth/verify-email.test.ts': ['verifies with the six-digit code, and replaces the session'],
    },
  },
  {
    id: '6',
    control: 'The server limits idle time and lifetime of sessions',
    tests: {
      'apps/server/src/modules/auth/refresh-session.test.ts': ['ends a session after 7 idle days, and any session after 30 days'],
    },
  },
  {
    id: '7',
    control: 'A log-out ends access and refresh tokens at once',
    tests: {
      'apps/server/src/modules/auth/refresh-session.test.ts': ['ends access and refresh at once and clears the cookie'],
    },
  },
  {
    id: '8',
    control: "Blocking a member ends all of the member's sessions",
    tests: {
      'apps/server/src/modules/staff/members/members.test.ts': [
        'blocks at once, ends sessions, shows it in the profile, and needs two approvals to unblock',
      ],
    },
  },
  {
    id: '9',
    control: 'A changed password or second factor ends the other sessions',
    tests: {
      'apps/server/src/modules/auth/recovery.test.ts': [
        'sets the password by the link, ends every session and notifies the member',
        'requires the old password, ends the other sessions and notifies the member',
      ],
      'apps/server/src/modules/auth/second-factor.test.ts': [
        'is enabled by a first code, which ends other sessions and notifies the member',
      ],
      'apps/server/test/properties/security/session-revocation-race.test.ts': [
        'changes nothing after that, at any step: $name, by $end',
        'opens no session with a fact that changed, at any step: %s',
      ],
    },
  },
  {
    id: '10',
    control: "Staff can end a member's sessions",
    tests: { 'apps/server/src/modules/staff/members/members.test.ts': ['ends all sessions of a member'] },
  },
  {
    id: '11',
    control: 'Changing the password or second factor requires the password again',
    tests: {
      'apps/server/src/modules/auth/recovery.test.ts': ['requires the old password, ends the other sessions and notifies the member'],
      'apps/server/src/modules/auth/second-factor.test.ts': ['is disabled with password and code together'],
      'apps/server/src/modules/withdrawals/guard.test.ts': [
        "adds an address without a proof, and starts its delay after the member's confirmation",
      ],
    },
  },
  {
    id: '12',
    control: 'Members can see and end their sessions',
    tests: {
      'apps/server/src/modules/auth/own-sessions.test.ts': [
        'are listed with device and location, newest first, with the current one marked',
        'can be ended by their owner only',
      ],
    },
  },
  {
    id: '13',
    control: 'Payouts and transfers to others require step-up authentication',
    tests: {
      'apps/server/src/modules/withdrawals/withdrawals.test.ts': [
        'freezes a %s for 24 hours after a password reset, whenever it was requested',
      ],
      'apps/server/src/modules/transfers/outflow.test.ts': [
        'is posted at once up to the small sum of 24 hours and held above it',
        'sends nothing to an accomplice after the owner stopped payouts, in one sum or in parts',
        'gets at most the small sum of 24 hours, from several sessions, in one batch and around midnight',
      ],
      'apps/server/src/modules/auth/known-devices.test.ts': ['is a new one after the hours of the payout freeze'],
      'apps/server/test/properties/security/outflow-routes.test.ts': ['keeps %s from moving value out of a member who stopped payouts'],
      'apps/server/src/modules/withdrawals/guard.test.ts': [
        'is accepted, held and pending, and waits for its member before staff see it',
        'is refused when the proof is for another request, member or session, or expired',
        'lets payouts to an entry skip the confirmation after its delay, on its network only, until it is removed',
        'stop returns all payouts, ends sessions, and blocks payouts until a password reset by mail',
      ],
      'apps/server/src/modules/withdrawals/payout-mac.test.ts': [
        'is neither confirmed nor approved, whichever field was changed, and the audit reports it',
      ],
    },
    note: '[0030](decisions/0030-one-guard-for-outflows.md): small transfers need no step-up. [0037](decisions/0037-devices-by-cookie.md): the password counts on trusted devices.',
  },
  {
    id: '14',
    control: 'Tokens use one algorithm; all others are refused',
    tests: { 'apps/server/src/modules/auth/access-token.test.ts': ['is answered 401 for every forged or malformed token'] },
  },
  {
    id: '15',
    control: 'The server takes no key from a token',
    tests: { 'apps/server/src/modules/auth/access-token.test.ts': ['is answered 401 for every forged or malformed token'] },
  },
  {
    id: '16',
    control: 'Expiry and start time of tokens are checked',
    tests: {
      'apps/server/src/modules/auth/access-token.test.ts': [
        'is answered 403 for an expired token of a live session, and 401 once the session has ended',
        'is answered 401 for every forged or malformed token',
      ],
    },
  },
  {
    id: '17',
    control: 'A token works only for its purpose',
    tests: {
      'apps/server/src/modules/auth/access-token.test.ts': [
        'rejects refresh tokens, codes, verification links and reset links as access tokens, and the reverse',
      ],
    },
  },
  {
    id: '18',
    control: 'The browser sends the session cookie over HTTPS only',
    tests: { 'apps/server/src/modules/auth/limits.test.ts': ['the refresh cookie is sent over https only'] },
    note: '[0012](decisions/0012-alternative-controls.md): the contract fixes the name of the cookie.',
  },
  {
    id: '19',
    control: 'Scripts cannot read the session cookie, and bodies do not contain it',
    tests: {
      'apps/server/src/modules/auth/register.test.ts': ['sets the refresh cookie: HttpOnly, Lax, for the auth calls only, 30 days'],
    },
    note: '[0012](decisions/0012-alternative-controls.md): the contract fixes `SameSite=Lax`.',
  },
  {
    id: '20',
    control: "Refresh and log-out work only by POST and from the product's own pages",
    tests: {
      'apps/server/src/modules/auth/refresh-session.test.ts': [
        'ignores the cookie of a cross-site request',
        'keeps the session when another site sends the request',
      ],
      'apps/server/test/properties/security/declared-methods.test.ts': ['no call accepts another method, especially not GET or HEAD: %s'],
    },
  },
  {
    id: '21',
    control: 'Sign-in, codes and resets have rate limits',
    tests: {
      'apps/server/src/modules/auth/sign-in.test.ts': [
        'blocks an account after five failures, twice as long each time, and clears them after a success',
      ],
      'apps/server/src/modules/auth/verify-email.test.ts': ['mails at most ten codes a day'],
      'apps/server/src/modules/auth/recovery.test.ts': ['mails an account at most three times an hour with the same answer'],
      'apps/server/src/modules/withdrawals/guard.test.ts': ['delays password guesses like sign-in, wherever a proof is required'],
      'apps/server/test/properties/security/brute-force.test.ts': ['delay %s after a few wrong ones: %s'],
    },
  },
  {
    id: '22',
    control: 'Every entry point has rate limits',
    tests: {
      'apps/server/test/properties/money/rate-limits.test.ts': ['%s accepts ten calls per address, and then answers how long to wait'],
      'packages/contract/src/routes.test.ts': ['limit the seven calls that could be used for guessing'],
      'apps/server/test/properties/security/brute-force.test.ts': ['are tested for every call that takes one'],
    },
  },
  {
    id: '23',
    control: 'Passwords have a minimum length',
    tests: {
      'apps/server/src/modules/auth/register.test.ts': [
        "rejects a short password, a common one and one made of the member's name or the brand",
      ],
      'apps/server/src/modules/auth/recovery.test.ts': ['checks the new password, and keeps the link valid after a refusal'],
    },
  },
  {
    id: '24',
    control: 'Changing a password requires the old password',
    tests: {
      'apps/server/src/modules/auth/recovery.test.ts': ['requires the old password, ends the other sessions and notifies the member'],
    },
  },
  {
    id: '25',
    control: 'Common passwords and words of the platform or the member are refused',
    tests: { 'apps/server/src/modules/auth/password.rules.test.ts': ['is refused when it is as easy as %s'] },
  },
  {
    id: '26',
    control: 'Passwords may contain any character and are not truncated',
    tests: {
      'apps/server/src/modules/auth/password.rules.test.ts': [
        'distinguishes long passwords by their last character, and keeps every character',
      ],
    },
  },
  {
    id: '27',
    control: 'Credential stuffing is slowed down',
    tests: {
      'apps/server/src/modules/auth/sign-in.test.ts': ['limits calls per address and per account before it checks the password'],
      'apps/server/src/modules/auth/limits.test.ts': ['are counted per account across many addresses'],
      'apps/server/src/modules/auth/lockout.test.ts': [
        'of a stranger do not block the owner on another network',
        "of a stranger in the owner's network do not block the owner's known device",
        'from all networks together require a mailed code in addition to the correct password on a new device, but not on a known one',
        'within one session do not block confirmation in another session',
        'are not counted when a right password meets a busy server',
      ],
    },
    note: '[0031](decisions/0031-no-account-lockout.md): it documents the counted attempts and the waiting times (ASVS 6.1.1).',
  },
  {
    id: '28',
    control: 'The product has no default accounts',
    tests: { 'e2e/entry-points.spec.ts': ['refuses to start in production without secrets, with sandbox payments or with demo accounts'] },
  },
  {
    id: '29',
    control: 'Staff authenticate with a second factor',
    tests: {
      'apps/server/src/modules/staff/members/second-factor.test.ts': ['no staff call of %s succeeds without it'],
      'apps/server/src/modules/auth/passkeys.test.ts': ['requires user verification for staff, and prefers it for members'],
      'apps/server/src/modules/staff/tickets/ticket-desk.test.ts': [
        'a view of a picture is recorded before it is shown, and the member can see it',
      ],
    },
  },
  {
    id: '30',
    control: 'Members get mails about new devices, resets and second factors',
    tests: {
      'apps/server/src/modules/auth/known-devices.test.ts': [
        'is one without a known cookie, also at the first sign-in; the owner gets a mail and payouts are frozen',
        'is recognized by its cookie alone: a copied User-Agent without it is new, another one with it is known',
      ],
      'apps/server/src/modules/auth/recovery.test.ts': ['sets the password by the link, ends every session and notifies the member'],
      'apps/server/src/modules/auth/second-factor.test.ts': [
        'is enabled by a first code, which ends other sessions and notifies the member',
      ],
      'apps/server/src/modules/withdrawals/withdrawals.test.ts': ['mails the member when a payout is requested, paid and rejected'],
    },
  },
  {
    id: '31',
    control: 'Responses do not reveal which accounts exist',
    tests: {
      'apps/server/test/properties/security/account-enumeration.test.ts': [
        'is not revealed by %s',
        'is tested for every call that takes an email address',
      ],
      'apps/server/src/modules/auth/sign-in.test.ts': ['takes about as long for an unknown address as for a wrong password'],
    },
    note: '[0012](decisions/0012-alternative-controls.md): registration reveals that an email address has an account.',
  },
  {
    id: '32',
    control: 'Codes and links expire on first use',
    tests: {
      'apps/server/src/modules/auth/verify-email.test.ts': ['accepts a code once', 'verifies with the link token, once, and signs in'],
      'apps/server/src/modules/auth/recovery.test.ts': ['accepts a link once, also for parallel calls'],
    },
  },
  {
    id: '33',
    control: 'A password reset keeps the second factor; removing a lost one takes two admins',
    tests: {
      'apps/server/src/modules/auth/second-factor.test.ts': ['stays enabled after a password reset'],
      'apps/server/src/modules/staff/members/second-factor.test.ts': [
        '[ASVS 6.4.4] is removed by two other admins when lost, and then required again',
      ],
    },
  },
  {
    id: '34',
    control: "Staff cannot set a member's password",
    tests: { 'packages/contract/src/routes.test.ts': ['let no staff member set a password'] },
  },
  {
    id: '35',
    control: 'A code is valid once, for 10 minutes, and for its account only',
    tests: {
      'apps/server/src/modules/auth/verify-email.test.ts': [
        'accepts the code for 10 minutes and rejects an expired one',
        'mails a new code; the previous code and link stop working',
        'refuses the code of another member',
      ],
    },
  },
  {
    id: '36',
    control: 'Codes are random and stored as keyed hashes',
    tests: { 'apps/server/src/modules/auth/register.test.ts': ['stores neither password, code nor token'] },
  },
  {
    id: '37',
    control: 'Attempts are counted atomically',
    tests: {
      'apps/server/src/modules/auth/verify-email.test.ts': [
        'checks five attempts per code, also for 20 parallel ones, and then invalidates the code',
      ],
    },
  },
  {
    id: '38',
    control: 'Passwords use Argon2id with renewed hashes and a bounded queue',
    tests: {
      'apps/server/src/modules/auth/register.test.ts': ['stores neither password, code nor token'],
      'apps/server/src/modules/auth/sign-in.test.ts': ['rehashes a password of an older cost at sign-in'],
      'apps/server/src/modules/auth/password.rules.test.ts': ['answers BUSY at once when 50 hashes are waiting'],
    },
  },
  {
    id: '39',
    control: 'Sign-in takes the same time for unknown accounts',
    tests: { 'apps/server/src/modules/auth/sign-in.test.ts': ['takes about as long for an unknown address as for a wrong password'] },
  },
  {
    id: '40',
    control: 'The permissions of each call are defined as data',
    tests: {
      'apps/server/src/modules/staff/access/access.test.ts': ['is declared for every call'],
      'packages/contract/src/routes.test.ts': ['restrict the staff calls to staff'],
    },
  },
  {
    id: '41',
    control: 'Access is denied by default',
    tests: {
      'apps/server/src/http/server/app.test.ts': [
        'rejects unverified members with 400 and blocked ones with 401',
        'hides staff routes from members',
      ],
      'apps/server/src/modules/staff/access/access.test.ts': ['%s'],
    },
  },
  {
    id: '42',
    control: 'Members can access only their own rows',
    tests: {
      'apps/server/test/properties/security/object-authorization.postgres.test.ts': [
        'objects of another member answer 404: %s',
        'objects and addresses of another member appear in no list',
      ],
      'apps/server/src/modules/support/support.test.ts': ['answers 404 for tickets and pictures of others'],
      'apps/server/src/modules/deposits/hosted-deposits.test.ts': ["show only the member's payments, whatever userId is sent"],
      'apps/server/src/modules/withdrawals/withdrawals.test.ts': ["shows only the member's requests"],
    },
  },
  {
    id: '43',
    control: 'Writable fields are an allow-list',
    tests: { 'packages/contract/src/bodies.test.ts': ['ignore a key that the call does not declare'] },
  },
  {
    id: '44',
    control: 'The server enforces special rights of members',
    tests: {
      'apps/server/src/modules/transfers/transfers.test.ts': ['allows only special members to withdraw RCM coin'],
    },
  },
  {
    id: '45',
    control: 'Changed rights take effect at once',
    tests: {
      'apps/server/src/modules/staff/members/members.test.ts': ['removes the rights of a blocked staff member at once'],
      'apps/server/src/modules/auth/access-token.test.ts': ['is rejected as soon as the member is blocked'],
      'apps/server/src/main/live.test.ts': ['stops sending staff events when the role changes to %s'],
      'apps/server/src/modules/staff/operations/jobs.test.ts': [
        'are neither readable nor possible after a change to a role without the right',
      ],
    },
  },
  {
    id: '46',
    control: 'Responses contain only declared fields',
    tests: {
      'apps/server/src/modules/deposits/invoices.test.ts': ['shows the payment address and no data of the member'],
      'packages/contract/src/routes.test.ts': ['include no password, hash or key, and a secret only while an authenticator app is set up'],
    },
    note: '[0012](decisions/0012-alternative-controls.md): the code builds responses key by key from the declared types, without a filter at run time.',
  },
  {
    id: '47',
    control: 'Unknown fields are never bound',
    tests: { 'packages/contract/src/bodies.test.ts': ['ignore a key that the call does not declare'] },
  },
  {
    id: '48',
    control: 'Types are validated strictly',
    tests: {
      'apps/server/test/properties/security/amount-boundaries.postgres.test.ts': [
        'is rejected and changes nothing, or is that amount to the unit',
      ],
      'apps/server/src/http/server/app.test.ts': ['refuses %s and changes nothing'],
    },
  },
  {
    id: '49',
    control: 'Prototype keys in JSON have no effect',
    tests: {
      'apps/server/test/properties/security/bad-input.test.ts': ['any route leaves the ledger intact and pollutes no prototype'],
      'apps/server/src/http/server/json.test.ts': ['rejects %s'],
    },
  },
  {
    id: '50',
    control: 'Repeated keys follow one rule',
    tests: { 'apps/server/test/properties/security/bad-input.test.ts': ['the URL of %s is rejected in the error form or answered'] },
  },
  {
    id: '51',
    control: 'Client addresses come from trusted proxies only',
    tests: {
      'apps/server/src/modules/auth/limits.test.ts': [
        'ignore forwarded addresses unless a proxy is configured',
        'trusts the configured number of hops, and nothing that the client wrote before them: %s',
      ],
    },
  },
  {
    id: '52',
    control: 'Outgoing calls follow no redirect and have a timeout',
    tests: {
      'apps/server/src/gateways/payment-provider/payment-provider.test.ts': ['fails on a redirect without following it: %s'],
      'scripts/sources.test.ts': ['follows no redirect in any fetch call of the server'],
      'apps/server/src/modules/deposits/hosted-deposits.test.ts': [
        'a deposit answers within five seconds when the provider accepts connections but never answers',
      ],
    },
  },
  {
    id: '53',
    control: 'Team lists contain only the fields of the contract',
    tests: {
      'apps/server/src/modules/team/team.test.ts': ['returns three levels with counts and volume'],
      'packages/contract/src/routes.test.ts': ['include a phone number only for its member and for staff'],
      'apps/server/src/modules/staff/members/member-pages.test.ts': ['does not reveal masked phone numbers, addresses or people'],
    },
  },
  {
    id: '54',
    control: 'A log-out removes the session from the browser',
    tests: {
      'e2e/shell.spec.ts': ['logs out: calls the server, clears the session, keeps theme and sidebar, opens `/`'],
    },
  },
  {
    id: '55',
    control: 'Responses are not cached',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': [
        'has every security header of production, a type with charset, and no version',
      ],
      'apps/server/test/properties/security/bad-input.test.ts': ['the URL of %s is rejected in the error form or answered'],
    },
  },
  {
    id: '56',
    control: 'The browser stores little data',
    tests: {
      'e2e/shell.spec.ts': ['logs out: calls the server, clears the session, keeps theme and sidebar, opens `/`'],
    },
  },
  {
    id: '57',
    control: 'URLs contain no tokens',
    tests: {
      'e2e/tabs.spec.ts': ['shows a balance that another member changed without a reload, and keeps the token out of the stream’s address'],
    },
    note: 'Exceptions: the mailed links of RT-13 and RT-14, which are valid once and for a short time, and the private URL of a calendar, because calendar programs can only fetch a URL. A new calendar URL replaces the old one. A calendar shows only future days and amounts.',
  },
  {
    id: '58',
    control: 'Metadata is removed from pictures',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'are re-encoded without metadata or trailing bytes, and served without active content',
      ],
    },
  },
  {
    id: '59',
    control: 'Each class of data has a retention period',
    tests: {
      'apps/server/test/properties/operations/retention.test.ts': [
        'are deleted after their retention time in several batches, and not before',
      ],
    },
    note: '[0012](decisions/0012-alternative-controls.md): it lists the classes and their retention periods.',
  },
  { id: '60', control: 'Limits are defined in one place', tests: { 'packages/contract/src/bodies.test.ts': ['[%s] answers %j with %j'] } },
  {
    id: '61',
    control: 'The server enforces every limit',
    tests: {
      'packages/contract/src/bodies.test.ts': ['[%s] answers %j with %j'],
      'apps/server/src/modules/withdrawals/withdrawals.test.ts': ['uses the fee and the minimum of the settings'],
    },
  },
  {
    id: '62',
    control: 'Figures that a client sends must equal those of the server',
    tests: {
      'apps/server/src/modules/coin/coin.test.ts': ["rejects a price or total that differs from the server's"],
      'apps/server/src/modules/nfts/nfts.test.ts': ['rejects an amount that differs from the displayed one'],
    },
  },
  {
    id: '63',
    control: 'Steps of a process happen in their order',
    tests: {
      'apps/server/src/http/server/app.test.ts': ['rejects unverified members with 400 and blocked ones with 401'],
      'apps/server/src/modules/deposits/invoice-state.test.ts': ['never moves backwards with time or with more credits'],
    },
  },
  {
    id: '64',
    control: 'Limits are checked in the transaction',
    tests: {
      'apps/server/src/modules/withdrawals/day-edges.test.ts': [
        'no 24 hours exceed the limits, from any start, per member and in total, however the clock runs',
      ],
      'apps/server/src/modules/transfers/transfers.test.ts': [
        'never moves more than the share of each balance, for any number of parallel calls',
      ],
      'apps/server/src/modules/deposits/invoices.test.ts': [
        'is limited to five open invoices, also for parallel calls, and works again after they expire',
      ],
      'apps/server/src/modules/withdrawals/guard.test.ts': [
        'is limited per member for any number of parallel calls, without returned amounts',
        'is limited in total at approval, and continues when the day is over',
        'is limited in number per member for both kinds, for any number of parallel calls, returned ones included',
      ],
    },
  },
  {
    id: '65',
    control: 'One action is one transaction',
    tests: { 'apps/server/test/properties/faults/fault-points.test.ts': ['process that dies'] },
  },
  {
    id: '66',
    control: 'Sales never exceed the stock',
    tests: { 'apps/server/src/modules/nfts/nfts.test.ts': ['sells exactly the last 7 in 200 parallel purchases'] },
  },
  {
    id: '67',
    control: 'Actions above limits take two people',
    tests: {
      'apps/server/src/modules/staff/duties/staff-links.test.ts': [
        'count as one person before the role from %s and %s: %s',
        'do not decide together about %s, in either order, until two others confirm them',
        'are shown to the approver of the role',
        'are confirmed at the command line only while fewer than two others can, with an audit entry and a mail to all staff',
      ],
      'apps/server/src/modules/staff/people/suspend-colleague.test.ts': [
        'ends the sessions and all staff rights for an hour, and moves nothing else',
        'lets the suspender only stop, answer and read for the hour',
        'by one person is limited to one colleague in 24 hours',
        'takes two people to %s',
        'keeps counting the suspended person where a rule asks for a second one',
      ],
      'apps/server/src/modules/staff/operations/set-up-platform.test.ts': [
        'makes no lasting change once it %s, and records the attempt',
        'opens the registration when %s, and not before',
      ],
      'apps/server/src/modules/auth/register.test.ts': ['refuses everyone and adds no account, until the setup has ended'],
      'apps/server/src/modules/staff/people/removed-power.test.ts': [
        'of $role are removed only by two authorized others when $way',
        'removed by a sole admin are reported to their owner by mail, and new staff wait again',
      ],
      'apps/server/src/modules/staff/duties/single-staff-member.test.ts': ['one staff member alone benefits no account with %s'],
      'apps/server/src/modules/staff/proposals/second-person.test.ts': [
        'a change of %s has two different authorized people who saw the same values',
      ],
      'apps/server/test/properties/faults/approval-tampering.test.ts': [
        'has a MAC in every table that stores one',
        'is void after revocation, use or expiry, even if its row is restored',
        'is void, even if its row is restored: %s',
      ],
      'apps/server/src/modules/staff/proposals/shared/price-change-notice.test.ts': [
        'limits the gain of informed members to 5 % of their turnover, whatever two staff members do',
      ],
      'apps/server/src/modules/staff/requests/requests.test.ts': ['need two people above the limit, the second a different one'],
      'apps/server/src/modules/staff/duties/approval-limits.test.ts': [
        'sum both queues and the funding of the pool',
        'sum dollars and coin by their share of the limit, per staff member and per member',
        'never credit more than the provider reports, or a currency without a known value',
        "accept no approval of a proposal from the proposer's linked account, and no credit to one",
        "are refused for accounts that sign in from a staff member's IP address, but not from a shared network or proxy",
      ],
      'apps/server/test/properties/security/staff-wallets.test.ts': ['is not created from a member who $use, $way'],
      'apps/server/src/modules/staff/proposals/shared/price-change-notice-search.postgres.test.ts': [
        'moves prices by at most 5 % in all within a day unless members were shown it a day before',
      ],
    },
  },
  {
    id: '68',
    control: 'Calls have rate limits',
    tests: {
      'apps/server/test/properties/money/rate-limits.test.ts': ['%s accepts ten calls per address, and then answers how long to wait'],
      'apps/server/src/modules/support/support.test.ts': ['are limited per member, rejected pictures included'],
      'apps/server/src/modules/deposits/hosted-deposits.test.ts': ['is refused above the limit of open orders per member'],
    },
    note: '[0012](decisions/0012-alternative-controls.md): list calls have no rate limit; the size of each response is bounded.',
  },
  {
    id: '69',
    control: 'Duplicate calls without an idempotency key are stopped',
    tests: {
      'apps/server/src/http/calls/duplicate-window.test.ts': [
        'have one effect within 10 seconds; the second one answers 400',
        'have one effect when many arrive at once at two processes',
      ],
    },
    note: '[0012](decisions/0012-alternative-controls.md): there is no minimum delay between different calls.',
  },
  {
    id: '70',
    control: 'Check and action are atomic',
    tests: {
      'apps/server/test/properties/money/spend-limits.test.ts': ['accepts one of 20 parallel spends of 80 from 100 and refuses the others'],
      'apps/server/src/modules/staff/proposals/kinds/purchase-reversal.test.ts': ['reverses a %s once when two people approve in parallel'],
    },
  },
  {
    id: '71',
    control: 'Locks have one order, and every wait has a limit',
    tests: {
      'apps/server/src/ledger/post.test.ts': ['never deadlock when A pays B while B pays A, singly, linked and in batches'],
      'apps/server/src/platform/db/database.test.ts': ['statements have time limits, UTC and no JIT, inside and outside a transaction'],
    },
  },
  {
    id: '72',
    control: 'One member cannot exhaust the connection pool',
    tests: { 'apps/server/src/platform/db/group-commit.test.ts': ['runs as many calls in parallel as allowed'] },
    note: '[0012](decisions/0012-alternative-controls.md): connections have no limit per member.',
  },
  {
    id: '73',
    control: 'Money amounts are whole numbers of units',
    tests: {
      'packages/contract/src/fields.test.ts': ['returns the same units when units are written as JSON and read again'],
      'apps/server/src/modules/transfers/transfers.test.ts': ['gains no unit in any series of conversions'],
    },
  },
  {
    id: '74',
    control: 'Webhooks of the provider are signed',
    tests: {
      'apps/server/src/gateways/payment-provider/payment-provider.test.ts': [
        'is accepted only unchanged, under the current or the previous secret',
      ],
      'apps/server/src/modules/deposits/hosted-deposits.test.ts': ['forged, unsigned or modified: answers 401 and stores nothing'],
    },
  },
  {
    id: '75',
    control: 'Mail addresses have one canonical form',
    tests: { 'packages/contract/src/fields.test.ts': ['normalizes a mailbox to one spelling, and rejects homoglyphs'] },
  },
  {
    id: '76',
    control: 'Text is never interpreted as markup',
    tests: {
      'apps/server/src/gateways/mailer/templates.test.ts': ['contains only its own links, whatever name a member has'],
      'apps/server/src/http/pages/web-files.test.ts': ['inserts the escaped brand name into the prerendered sign-in page'],
    },
  },
  {
    id: '77',
    control: 'Links from data lead to known hosts only',
    tests: { 'apps/server/src/platform/config/config.test.ts': ['reject %j as a list of hosts'] },
  },
  {
    id: '78',
    control: 'SQL uses parameters',
    tests: {
      'apps/server/test/properties/security/bad-input.test.ts': [
        '%s is rejected in the error form or accepted, and never causes a server error',
      ],
    },
  },
  {
    id: '79',
    control: 'The code uses no `eval` and no shell',
    tests: {
      'scripts/sources.test.ts': ['evaluates no text, and starts processes only for backups and the sandbox chain, without a shell'],
    },
  },
  {
    id: '80',
    control: 'Regular expressions are safe',
    tests: {},
    note: '[0012](decisions/0012-alternative-controls.md): no tool checks the expressions.',
  },
  {
    id: '81',
    control: 'CSV files contain no formulas',
    tests: {
      'packages/contract/src/csv.test.ts': [
        'prefixes a formula after white space, invisible characters or a quote, and in full-width form',
      ],
      'apps/server/test/properties/security/output-encoding.postgres.test.ts': ['is no formula or terminal code in a CSV file: %s'],
    },
  },
  {
    id: '82',
    control: 'Text has bounded length and no control characters',
    tests: {
      'packages/contract/src/bodies.test.ts': ['reject or strip control characters and bidirectional overrides in every call'],
      'apps/server/test/properties/security/hostile-text.postgres.test.ts': [
        'is read by its member and by staff without errors, and changes no direction, layout or terminal',
      ],
      'packages/contract/src/fields.test.ts': [
        'trims, normalizes and limits a line, and rejects control characters and line breaks',
        'accepts names of people, and rejects links, invisible characters and bidirectional controls',
      ],
    },
  },
  {
    id: '83',
    control: 'The server fetches no address given by a member',
    tests: {
      'scripts/outbound.test.ts': [
        'imports modules that open connections in the listed files only',
        'loads only listed packages',
        'takes every address from the configuration',
      ],
      'apps/server/test/properties/security/planted-addresses.postgres.test.ts': [
        'the server connects to no address that a member or visitor sent to %s',
        'no later job connects to such an address',
        'the test detects a connection to a planted address',
      ],
    },
  },
  {
    id: '84',
    control: 'Text cannot inject headers',
    tests: {
      'apps/server/src/gateways/mailer/send-mails.test.ts': ['carries no line break or markup of a name in its headers or page'],
      'apps/server/test/properties/security/output-encoding.postgres.test.ts': ['creates no header, link or element in a mail: %s'],
    },
  },
  {
    id: '85',
    control: 'One strict parser reads all bodies',
    tests: {
      'apps/server/src/http/server/app.test.ts': ['refuses %s and changes nothing'],
      'apps/server/src/http/server/json.test.ts': ['parses any JSON like the built-in parser, whitespace included'],
    },
  },
  {
    id: '86',
    control: 'Text has no effect on logs and terminals',
    tests: {
      'apps/server/src/platform/config/printable.test.ts': ['escapes terminal control and invisible characters'],
      'apps/server/test/properties/security/output-encoding.postgres.test.ts': ['changes no direction and adds no command in a statement'],
    },
  },
  {
    id: '87',
    control: 'Picture formats are restricted',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'are accepted with 1048576 bytes and refused with one more',
        'above 4096 × 4096 pixels are refused without decoding',
      ],
    },
  },
  {
    id: '88',
    control: 'A picture has at most 1,048,576 bytes',
    tests: { 'apps/server/src/modules/support/support.test.ts': ['are accepted with 1048576 bytes and refused with one more'] },
  },
  {
    id: '89',
    control: 'Pictures are decoded and encoded again',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'rejects %s',
        'are re-encoded without metadata or trailing bytes, and served without active content',
      ],
    },
  },
  { id: '90', control: 'SVG is refused', tests: { 'apps/server/src/modules/support/support.test.ts': ['rejects %s'] } },
  { id: '91', control: 'Archives are refused', tests: { 'apps/server/src/modules/support/support.test.ts': ['rejects %s'] } },
  {
    id: '92',
    control: 'The amount of pictures is bounded',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'queue up to 20, and refuse more at once until there is room',
        'are limited per member, rejected pictures included',
      ],
    },
    note: '[0012](decisions/0012-alternative-controls.md): picture bytes have no limit per member.',
  },
  {
    id: '93',
    control: 'Pictures have random names and their own headers',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'are re-encoded without metadata or trailing bytes, and served without active content',
      ],
    },
  },
  {
    id: '94',
    control: 'Only the owner and staff can see a picture',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'answers 404 for tickets and pictures of others',
        'serves a picture through the member call only to its member, not to staff',
      ],
      'apps/server/src/modules/staff/tickets/ticket-desk.test.ts': [
        'a view of a picture is recorded before it is shown, and the member can see it',
      ],
    },
  },
  {
    id: '95',
    control: 'Pictures contain no hidden content',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'are re-encoded without metadata or trailing bytes, and served without active content',
      ],
    },
    note: '[0012](decisions/0012-alternative-controls.md): there is no virus scanner.',
  },
  {
    id: '96',
    control: 'Pages have a strict content security policy',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': [
        'the content security policy allows only same-origin files, without inline code or Trusted Types policies',
      ],
      'e2e/support.spec.ts': ['leaves no errors in the browser console'],
    },
  },
  {
    id: '97',
    control: 'Responses have an HSTS header',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': [
        'has every security header of production, a type with charset, and no version',
      ],
    },
  },
  {
    id: '98',
    control: 'Other origins have no access',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': ['is not readable from another origin'],
      'e2e/other-origin.spec.ts': ['rejects calls from any other origin'],
    },
  },
  {
    id: '99',
    control: 'Responses have the other security headers',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': [
        'has every security header of production, a type with charset, and no version',
      ],
    },
  },
  {
    id: '100',
    control: 'Reports of the content security policy are collected',
    tests: {},
    note: '[0012](decisions/0012-alternative-controls.md): the server collects no reports.',
  },
  {
    id: '101',
    control: 'Staff have a separate entry point',
    tests: { 'apps/server/src/http/pages/web-files.test.ts': ['serves a separate entry page for staff'] },
    note: '[0012](decisions/0012-alternative-controls.md): one host serves both entry points.',
  },
  {
    id: '102',
    control: 'Pages load nothing from other hosts',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': [
        'the content security policy allows only same-origin files, without inline code or Trusted Types policies',
      ],
    },
  },
  {
    id: '103',
    control: 'Members can cancel the redirect to the payment page',
    tests: { 'apps/web/src/deposits/deposits.browser.test.tsx': ['stays on the page when the redirect is cancelled'] },
  },
  {
    id: '104',
    control: 'Content types have a charset',
    tests: {
      'apps/server/src/http/server/security-headers.test.ts': [
        'has every security header of production, a type with charset, and no version',
      ],
    },
  },
  {
    id: '105',
    control: 'Routes accept only their declared methods',
    tests: {
      'apps/server/test/properties/security/declared-methods.test.ts': ['no call accepts another method, especially not GET or HEAD: %s'],
    },
  },
  {
    id: '106',
    control: 'Conflicting lengths and long headers are refused',
    tests: { 'apps/server/src/http/server/app.test.ts': ['answers a request in the error form when it %s'] },
  },
  {
    id: '107',
    control: 'TLS protects external and internal connections',
    tests: {},
    note: '[0012](decisions/0012-alternative-controls.md): the operator provides TLS.',
  },
  {
    id: '108',
    control: 'Keys are listed and can be rotated',
    tests: {
      'apps/server/src/main/rotate-secrets.test.ts': [
        'keeps sessions, authenticator apps, mails and codes valid',
        'of pending payouts stays valid: they are approved and signed under the new key',
      ],
      'apps/server/src/platform/config/blank-settings.test.ts': ['counts as missing, in production and outside: %s'],
    },
  },
  {
    id: '109',
    control: 'Public ids are random',
    tests: {
      'apps/server/src/platform/runtime/ids.test.ts': [
        'makes unique public ids of 128 bits and secrets of 256 bits, random at every position',
      ],
      'apps/server/src/modules/deposits/invoices.test.ts': ['assigns a unique address and id'],
    },
  },
  {
    id: '110',
    control: 'Postings and audit rows cannot be changed',
    tests: {
      'apps/server/src/ledger/audit.test.ts': ['the database rejects changes of posted transfers'],
      'apps/server/src/modules/audit/audit.test.ts': ['rejects update, delete and truncate'],
    },
    note: '[0012](decisions/0012-alternative-controls.md): one database role; triggers protect the rows.',
  },
  {
    id: '111',
    control: 'All waits have timeouts',
    tests: {
      'apps/server/src/platform/db/database.test.ts': ['statements have time limits, UTC and no JIT, inside and outside a transaction'],
    },
  },
  {
    id: '112',
    control: 'Production contains no development features',
    tests: {
      'apps/server/test/properties/security/production-pages.test.ts': [
        '%s is served in development and answers 404 in production',
        'are the calls of the contract, the health checks and the web app only',
        'are those of development without its extra pages',
      ],
      'apps/server/src/http/server/health.test.ts': ['shows metrics on the public port only outside production'],
    },
  },
  {
    id: '113',
    control: 'A list of components exists (SBOM)',
    tests: {},
    note: '[0012](decisions/0012-alternative-controls.md): the lock file is the list.',
  },
  {
    id: '114',
    control: 'Package versions are locked',
    tests: {},
    note: '[0012](decisions/0012-alternative-controls.md): few packages have install scripts, and all are listed.',
  },
  {
    id: '115',
    control: 'Expensive work has limits',
    tests: {
      'apps/server/src/modules/auth/password.rules.test.ts': ['answers BUSY at once when 50 hashes are waiting'],
      'apps/server/src/modules/support/support.test.ts': ['queue up to 20, and refuse more at once until there is room'],
      'apps/server/src/modules/team/team.test.ts': ['returns at most 100 people per answer, however wide the team is'],
      'apps/server/src/modules/wallets/statement.test.ts': ['limits waiting statements to five and stored ones to 20 per member'],
    },
  },
  {
    id: '116',
    control: 'Security events have one format',
    tests: {
      'apps/server/src/modules/auth/sign-in.test.ts': ['writes an audit row for each sign-in and refusal, without the password'],
    },
  },
  {
    id: '117',
    control: 'Logs and rows contain no secrets',
    tests: {
      'apps/server/src/modules/auth/register.test.ts': ['stores neither password, code nor token'],
      'e2e/tabs.spec.ts': ['shows a balance that another member changed without a reload, and keeps the token out of the stream’s address'],
    },
    note: 'Open: no test checks the address bar or a log.',
  },
  {
    id: '118',
    control: 'Failed actions are recorded',
    tests: {
      'apps/server/src/modules/auth/sign-in.test.ts': ['writes an audit row for each sign-in and refusal, without the password'],
      'apps/server/src/modules/staff/requests/requests.test.ts': [
        'return the stored answer under a key, record a refusal once, and refuse the key for another request',
      ],
    },
  },
  {
    id: '119',
    control: 'The audit log is a hash chain',
    tests: { 'apps/server/src/modules/audit/audit.test.ts': ['is an unbroken chain, also when 40 rows are appended in parallel'] },
  },
  {
    id: '120',
    control: 'Errors reveal nothing and stop nothing',
    tests: {
      'apps/server/src/http/server/app.test.ts': ['answers a crash with 500 and no detail'],
      'apps/server/test/properties/security/bad-input.test.ts': [
        '%s is rejected in the error form or accepted, and never causes a server error',
      ],
    },
  },
  {
    id: 'F13',
    control: 'Double clicks of a client without idempotency keys',
    tests: { 'apps/server/src/http/calls/duplicate-window.test.ts': ['have one effect when many arrive at once at two processes'] },
  },
  {
    id: 'F37',
    control: 'Migrations under load, and interrupted migrations',
    tests: {
      'apps/server/src/platform/db/migrate.test.ts': [
        'lets other calls pass while it waits for a table lock, and gives up in the end',
        'rolls back a migration that fails midway, and names it',
      ],
    },
  },
]
