/**
 * `npm run import -- check FOLDER`: checks the exported members and balances of another platform (docs/import.md) and changes
 * nothing. Prints the totals and one hash over all files. Needs no database.
 * `npm run import -- propose FOLDER`: also stores the rows in the database, and proposes the import to a second admin.
 * `npm run import -- approve HASH`: approves the proposal with this hash as the second admin. The worker then applies the import.
 * `npm run import -- status HASH`: prints whether an import is stored, approved, done or refused, and its progress.
 * `npm run import -- report HASH`: prints the signed report of an applied import. `verify-export` checks its signature.
 * `propose` and `approve` use the session of `npm run staff -- sign-in`. Exits with 0, with 1 and every fault (the first 1,000) or the
 * reason of a refusal, and with 2 for an unreadable folder.
 */
import { proposeChange } from '@tizara/contract/staff-changes'
import { formatUnits } from '@tizara/money'
import {
  type CheckedImport,
  checkImport,
  formatFault,
  ImportRejected,
  MAX_LISTED_FAULTS,
  readImport,
  readProgress,
  readReport,
  stageImport,
  type StagedImport,
  sumOf,
} from '../modules/import/index.ts'
import { inTransaction } from '../platform/db/database.ts'
import { printable } from '../platform/config/printable.ts'
import { systemClock } from '../platform/runtime/clock.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import { shellCommand } from '../platform/runtime/release.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { commandLine } from './command-line.mjs'
import { withDatabase } from './process/with-database.ts'
import { approveByHash } from './staff/approve-by-hash.ts'
import { configuredPlatform } from './staff/configured-platform.ts'
import { CommandError } from './staff/errors.ts'
import { send } from './staff/session.ts'

const [verb, input = ''] = commandLine('import').positionals

/** Returns the totals as lines. @throws CommandError with the faults */
function linesOf({ faults, totals, hash }: CheckedImport): string[] {
  if (faults.count > 0) {
    const more = faults.count > MAX_LISTED_FAULTS ? ` The first ${MAX_LISTED_FAULTS} are listed.` : ''
    throw new CommandError([...faults.listed.map(formatFault), `Faults: ${faults.count}.${more} Nothing can be imported.`].join('\n'))
  }
  const rows: [string, string | number][] = [
    ['members', totals.members],
    ['referrals', totals.referrals],
    ['special members', totals.specialMembers],
    ['members with a rank', totals.ranked],
    ['stakes', totals.stakes],
    ...Object.entries(totals.balances).map(([wallet, sum]): [string, string] => [wallet, formatUnits(sum)]),
    ['promised by stakes', formatUnits(sumOf(totals.promisedCoin))],
    ['NFTs', totals.nfts],
    ['promised by NFTs', formatUnits(sumOf(totals.promisedUsd))],
  ]
  return [...rows.map(([label, value]) => `${label.padEnd(22)}${value}`), `hash: ${hash}`]
}

/** Lists the members whose address an account has. */
const takenLines = ({ taken }: StagedImport): string[] => [
  ...taken
    .slice(0, MAX_LISTED_FAULTS)
    .map((line) => formatFault({ file: 'members.csv', line, column: 'email', message: 'An account of this platform has it already' })),
  ...(taken.length === 0 ? [] : [`Members added without an address: ${taken.length}`]),
]

async function propose(): Promise<string[]> {
  const { lines, hash } = await withDatabase((db, deps) =>
    inTransaction(db, async (tx) => {
      const staged = await stageImport(tx, deps, input)
      return { lines: [...linesOf(staged), ...takenLines(staged)], hash: staged.hash }
    }),
  )
  const body = { subject: 'import', value: { hash }, reason: 'Import of members' }
  const { message } = await send(configuredPlatform(), { ...proposeChange, body })
  return [...lines, message, `A second admin checks the same files, then approves: ${shellCommand(`import approve ${hash}`)}`]
}

async function approve(): Promise<string[]> {
  const message = await approveByHash('import', input)
  return [message, `The worker applies the import. See ${shellCommand(`import status ${input}`)}`]
}

const status = () =>
  withDatabase(async (db) => {
    const { members, usd, coin, status: state, refusal, attempts, withoutAddress } = await readImport(db, input)
    const line = `${state}: ${members} members, ${formatUnits(usd)} USD, ${formatUnits(coin)} coin`
    const missing = withoutAddress.length === 0 ? [] : [`Members without their address: ${withoutAddress.length}`]
    if (state !== 'APPROVED') return [line, ...(refusal === null ? missing : [refusal])]
    const { stage, done, total, isRunning, error } = await readProgress(db, input)
    return [
      line,
      isRunning ? `${stage}: ${done} of ${total} rows, attempt ${attempts}` : 'no worker applies it at the moment',
      ...(error === null ? [] : [`The last attempt failed: ${error}`]),
    ]
  })

try {
  const ways = { check: async () => linesOf(await checkImport(input, systemClock.now())), propose, approve, status }
  // The signature covers every byte of a report.
  if (verb === 'report') process.stdout.write(await withDatabase((db) => readReport(db, input)))
  else console.log(printable((await ways[verb as keyof typeof ways]()).join('\n')))
} catch (error) {
  console.error(printable(errorText(error)))
  process.exitCode = [CommandError, AppError, ImportRejected].some((refusal) => error instanceof refusal) ? 1 : 2
}
