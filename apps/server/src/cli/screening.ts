/**
 * `npm run screening -- check FILE`: checks a list of names and addresses (docs/staff.md) and changes nothing. Prints the number of its
 * entries and its hash. Needs no database.
 * `npm run screening -- propose FILE`: also stores the list, and proposes it to a second admin.
 * `npm run screening -- approve HASH`: approves the proposal with this hash as the second admin. The worker then compares all members.
 * `propose` and `approve` use the session of `npm run staff -- sign-in`. Exits with 0, with 1 and the reason of a refusal, and with 2 for
 * an unreadable file.
 */
import { readFileSync, statSync } from 'node:fs'
import { proposeChange } from '@tizara/contract/staff-changes'
import { assertListSize, readScreeningList, type ScreeningList, stageScreeningList } from '../modules/screening/index.ts'
import { printable } from '../platform/config/printable.ts'
import { inTransaction } from '../platform/db/database.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import { shellCommand } from '../platform/runtime/release.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { commandLine } from './command-line.mjs'
import { withDatabase } from './process/with-database.ts'
import { approveByHash } from './staff/approve-by-hash.ts'
import { configuredPlatform } from './staff/configured-platform.ts'
import { CommandError } from './staff/errors.ts'
import { send } from './staff/session.ts'

const [verb, input = ''] = commandLine('screening').positionals

function read(): Promise<ScreeningList> {
  // A file that is too large is not read at all.
  assertListSize(statSync(input).size)
  return readScreeningList(readFileSync(input))
}

const linesOf = ({ entries, hash }: ScreeningList) => [`entries: ${entries.length}`, `hash: ${hash}`]

async function propose(): Promise<string[]> {
  const list = await read()
  await withDatabase((db, deps) => inTransaction(db, (tx) => stageScreeningList(tx, list, deps.clock.now())))
  const body = { subject: 'screening-list', value: { hash: list.hash }, reason: 'Screening list' }
  const { message } = await send(configuredPlatform(), { ...proposeChange, body })
  return [
    ...linesOf(list),
    message,
    `A second admin checks the same file, then approves: ${shellCommand(`screening approve ${list.hash}`)}`,
  ]
}

const approve = async () => [await approveByHash('screening-list', input), 'The worker compares all members.']

try {
  const ways = { check: async () => linesOf(await read()), propose, approve }
  console.log(printable((await ways[verb as keyof typeof ways]()).join('\n')))
} catch (error) {
  console.error(printable(errorText(error, input)))
  process.exitCode = error instanceof CommandError || error instanceof AppError ? 1 : 2
}
