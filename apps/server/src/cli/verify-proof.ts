/**
 * `npm run verify-proof -- proof.json …`: verifies proofs of balances that members downloaded (docs/proof.md). It needs neither a
 * database nor a network.
 * `--member ID`: also checks that the proof belongs to this member. `--history FILE`: also checks that the statement is in this
 * history, the reply of `GET /trust/history`, and that the history is an unbroken chain with valid signatures.
 * Prints a line for each file. Exits with 0 if all proofs are valid, with 1 otherwise, and with 2 for an unreadable file.
 */
import { readFileSync } from 'node:fs'
import { checkFiles } from '@tizara/contract/balance-proof/check-files'
import { commandLine } from './command-line.mjs'
import { errorText } from '../platform/runtime/error-text.ts'

const { values, positionals } = commandLine('verify-proof')

function open(name: string): { name: string; text: string } {
  try {
    return { name, text: readFileSync(name, 'utf8') }
  } catch (error) {
    throw new Error(errorText(error, name), { cause: error })
  }
}

try {
  const history = values.history === undefined ? undefined : open(values.history)
  const results = await checkFiles(positionals.map(open), { member: values.member, history })
  console.log(results.map(({ line }) => line).join('\n'))
  if (results.some(({ holds }) => !holds)) process.exitCode = 1
} catch (error) {
  console.error(errorText(error))
  process.exitCode = 2
}
