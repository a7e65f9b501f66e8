import { type Attack, NO_ENTRY_RULE } from './attack.ts'
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

${NO_ENTRY_RULE}

| Point | Attack | Message or result | Audit entry | Tests |
|---|---|---|---|---|
${played.join('\n')}
`
}

/** Replaces the section of the attacks in the text of docs/security.md. */
export function withAttacks(page: string): string {
  const start = page.indexOf(`\n${HEADING}\n`)
  const end = page.indexOf('\n## ', start + 1)
  if (start === -1 || end === -1) throw new Error(`docs/security.md has no section "${HEADING}" before another one`)
  return `${page.slice(0, start + 1)}${attacksSection()}${page.slice(end)}`
}
