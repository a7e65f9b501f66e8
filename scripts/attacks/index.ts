import type { Attack, Point } from './attack.ts'
import { chainAttacks } from './chain.ts'
import { dataAttacks } from './data.ts'
import { moneyAttacks } from './money.ts'
import { operationAttacks } from './operation.ts'
import { restoreAttacks } from './restore.ts'
import { signInAttacks } from './sign-in.ts'
import { staffAttacks } from './staff.ts'
import { walletAttacks } from './wallets.ts'

/**
 * Attacks on the product, and the tests that play them. `npm run docs:make` prints them in docs/security.md, and `proof-tables.ts` checks
 * that each test exists and passed.
 */

export const ATTACKS: readonly Attack[] = [
  ...moneyAttacks,
  ...staffAttacks,
  ...restoreAttacks,
  ...signInAttacks,
  ...dataAttacks,
  ...operationAttacks,
  ...chainAttacks,
  ...walletAttacks,
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

\`npm run docs:make\` generates this section from \`scripts/attacks\`. Each attack names the error or the result, the entry in the audit
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
