/**
 * `npm run verify-proof -- proof.json …`: verifies proofs of balances that members downloaded (docs/proof.md). It needs neither a
 * database nor a network.
 * `--member ID`: also checks that the proof belongs to this member. `--history FILE`: also checks that the statement is in this
 * history, the reply of `GET /trust/history`, and that the history is an unbroken chain with valid signatures.
 * Prints a line for each file. Ends with 0 if all proofs hold, with 1 otherwise, and with 2 for a file that it cannot read.
 */
import { readFileSync } from 'node:fs'
import { ProofFault } from '@tizara/contract/balance-proof/proof-fault'
import { digestOf } from '@tizara/contract/balance-proof/proof-statement'
import { readHistoryFile, verifyHistory } from '@tizara/contract/balance-proof/verify-history'
import { verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import { addr, eip191Signer } from 'micro-eth-signer'
import { formatUnits } from '@tizara/money'
import { commandLine } from './command-line.mjs'

const { values, positionals } = commandLine('verify-proof')

/** Reads JSON. The reply of a call has the data inside. */
function readJson(file: string): unknown {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : parsed
}

/** Verifies a history and its signatures, and returns its digests. */
async function digestsOf(file: string): Promise<Set<string>> {
  const rows = readHistoryFile(readJson(file))
  await verifyHistory(rows)
  for (const { text, signer, signature } of rows)
    if (signer !== null && signature !== null && !isSignedBy(signer, signature, text)) throw new ProofFault('signature')
  return new Set(rows.map(({ digest }) => digest))
}

/** Returns false for a text that is no signature, too. */
function isSignedBy(signer: string, signature: string, text: string): boolean {
  try {
    return eip191Signer.verify(signature, text, addr.addChecksum(signer))
  } catch {
    return false
  }
}

const amountOf = ({ usd, coin }: { usd: bigint; coin: bigint }) => `${formatUnits(usd)} USD and ${formatUnits(coin)} coin`

async function verify(file: string, digests: Set<string> | undefined): Promise<string> {
  const { member, statement, text, owed, promised } = await verifyProof(readJson(file), values.member)
  if (digests !== undefined && !digests.has(await digestOf(text))) throw new ProofFault('statement')
  return `${file}: ok ${member} ${statement.day}: owed ${amountOf(owed)}, promised ${amountOf(promised)}`
}

try {
  const digests = values.history === undefined ? undefined : await digestsOf(values.history)
  for (const file of positionals) {
    try {
      console.log(await verify(file, digests))
    } catch (error) {
      if (!(error instanceof ProofFault)) throw error
      console.log(`${file}: refused ${error.code}: ${error.message}`)
      process.exitCode = 1
    }
  }
} catch (error) {
  if (error instanceof ProofFault) {
    console.log(`${values.history}: refused ${error.code}: ${error.message}`)
    process.exitCode = 1
  } else {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  }
}
