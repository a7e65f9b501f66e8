import { formatUnits } from '@tizara/money'
import { ProofError } from './proof-error.ts'
import { digestOf } from './proof-statement.ts'
import { readHistoryFile, verifyHistory } from './verify-history.ts'
import { verifyProof } from './verify-proof.ts'
import { verifySignatures } from './verify-signature.ts'

/** A file to check: the name for the result, and the content. */
export interface ProofFile {
  name: string
  text: string
}

/** Result for one file: a line of text that begins with the name and `ok` or `refused CODE`. */
export interface FileResult {
  holds: boolean
  line: string
}

/**
 * Checks downloaded proofs without a network. The command and the checker page print the results.
 * @param options.member public id that all proofs must belong to
 * @param options.history reply of `GET /trust/history`; its chain and signatures are checked, and each proof must be of one of its days
 * @returns one result for each proof, or a single one if the history is refused
 */
export async function checkFiles(
  proofs: readonly ProofFile[],
  { member, history }: { member?: string | undefined; history?: ProofFile | undefined } = {},
): Promise<FileResult[]> {
  const days = new Set<string>()
  if (history !== undefined) {
    const result = await resultOf(history.name, async () => {
      const rows = readHistoryFile(readJson(history.text))
      await verifyHistory(rows)
      for (const row of rows) {
        verifySignatures(row)
        days.add(row.digest)
      }
      return ''
    })
    if (!result.holds) return [result]
  }
  const results: FileResult[] = []
  for (const { name, text } of proofs)
    results.push(
      await resultOf(name, async () => {
        const proof = await verifyProof(readJson(text), member)
        const digest = await digestOf(proof.text)
        if (history !== undefined && !days.has(digest)) throw new ProofError('statement')
        const owed = `owed ${amountOf(proof.owed)}, promised ${amountOf(proof.promised)}`
        return `${proof.member} ${proof.statement.day}: ${owed}; digest ${digest}`
      }),
    )
  return results
}

/** Runs a check. Returns a line with the result, or with the code and message of the refusal. */
async function resultOf(name: string, check: () => Promise<string>): Promise<FileResult> {
  try {
    return { holds: true, line: `${name}: ok ${await check()}` }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { holds: false, line: `${name}: refused ${error.code}: ${error.message}` }
  }
}

/** Reads JSON. The reply of a call has the data inside. */
function readJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : parsed
  } catch {
    throw new ProofError('format')
  }
}

const amountOf = ({ usd, coin }: { usd: bigint; coin: bigint }): string => `${formatUnits(usd)} USD and ${formatUnits(coin)} coin`
