import { type Attack, SRC, NO_ENTRY, replayed, testsIn } from './attack.ts'

const DEVICES = `${SRC}/modules/auth/sessions/known-devices.test.ts`
const LOCKOUT = `${SRC}/modules/auth/lockout.test.ts`
const CONFIG = `${SRC}/platform/config/config.test.ts`
const DOCTOR = `${SRC}/cli/doctor.test.ts`
const FOLDER = `${SRC}/platform/embedded/private-folder.test.ts`

/** Attacks on sign-in and settings. */
export const signInAttacks: readonly Attack[] = [
  {
    point: 'New devices',
    attack: 'A thief signs in with the password and a copied User-Agent.',
    message: 'the device is new: the owner gets a mail, and payouts are frozen',
    audit: '`auth.login`',
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
    audit: '`auth.step-up`',
    tests: replayed('of a thief with the password gets the small sum of 24 hours at most, also with a copied User-Agent'),
  },
  {
    point: 'New devices',
    attack: 'A thief plants a device cookie in the owner’s browser, or sends the owner’s cookie from another site.',
    message: 'the device is new, and gets a token of the server',
    audit: NO_ENTRY.accepted,
    tests: testsIn(
      DEVICES,
      'gets a new token from the server when its cookie was planted by an attacker',
      'is not the one of a page of another site',
    ),
  },
  {
    point: 'New devices',
    attack: 'A thief signs in from 101 devices, once or several times on each, to push out the owner’s device.',
    message: 'the owner’s device stays trusted until the new ones are trusted too; the owner gets a mail for each',
    audit: NO_ENTRY.accepted,
    tests: testsIn(DEVICES, 'are at most 100; 101 new devices that sign in %s times do not replace a trusted one'),
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
    audit: '`auth.login` for each guess',
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
    audit: '`auth.step-up` for each guess',
    tests: testsIn(LOCKOUT, 'within one session do not block confirmation in another session', 'on confirmation counts sessions'),
  },
  {
    point: 'Lockout',
    attack: 'A stranger enters more than 100 wrong passwords from all networks, then the right one.',
    message: '`EMAIL_NOT_VERIFIED` until the mailed code is entered',
    audit: '`auth.login`',
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
    audit: NO_ENTRY.busy,
    tests: testsIn(LOCKOUT, 'are not counted when a right password meets a busy server'),
  },
  {
    point: 'Lockout',
    attack: 'A right password, recovery code, code of the app or passkey meets a busy server within a session.',
    message: '503, which is not counted as a wrong proof',
    audit: NO_ENTRY.busy,
    tests: testsIn(LOCKOUT, 'is not counted as wrong, and is accepted later: %s, limit of the %s'),
  },
  {
    point: 'Settings of production',
    attack: 'A production server starts with missing, malformed or conflicting settings.',
    message: 'it names all faults at once and ends',
    audit: NO_ENTRY.offline,
    tests: [
      ...replayed('on weak settings starts no production server, which names all faults'),
      ...testsIn(CONFIG, 'are all reported at once: unreadable ones, incomplete groups and those that production lacks'),
    ],
  },
  {
    point: 'Settings of production',
    attack: 'Production sends payments over plain http to a public host, or allows the origins `null`, `*` or plain http.',
    message: 'it names the setting and ends',
    audit: NO_ENTRY.offline,
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
    message: 'the doctor names the setting, and so does the log of each start',
    audit: NO_ENTRY.accepted,
    tests: [
      ...replayed('on a weak setting is named once in the log of a production server'),
      ...testsIn(CONFIG, 'of production are named: %s=%s, and not %s'),
      ...testsIn(DOCTOR, 'warns about settings that the product accepts: weak secrets, no proxy, no metrics'),
    ],
  },
  {
    point: 'Settings of production',
    attack: 'A process starts without its settings file, or with a misspelled setting.',
    message: 'it names the file or the setting, and ends',
    audit: NO_ENTRY.offline,
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
    audit: NO_ENTRY.offline,
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
    audit: NO_ENTRY.offline,
    tests: testsIn(`${SRC}/platform/db/migrate.test.ts`, 'names the lost note of the schema, deleted or emptied, and changes nothing'),
  },
]
