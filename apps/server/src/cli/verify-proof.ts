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

const { values, positionals } = commandLine('verify-proof')
const open = (name: string) => ({ name, text: readFileSync(name, 'utf8') })

try {
  const history = values.history === undefined ? undefined : open(values.history)
  const results = await checkFiles(positionals.map(open), { member: values.member, history })
  console.log(results.map(({ line }) => line).join('\n'))
  if (results.some(({ holds }) => !holds)) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
