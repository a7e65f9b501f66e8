import { ProofError } from './proof-error.ts'
import { digestOf, NO_DIGEST, type ProofStatement, readStatement } from './proof-statement.ts'

/** A published day: the statement, and the digest published for it. */
export interface HistoryRow {
  text: string
  digest: string
}

/** A row of the published history, with the signature (EIP-191) if one exists. */
export interface SignedRow extends HistoryRow {
  signer: string | null
  signature: string | null
}

/**
 * Reads a history from a file of any content.
 * @throws ProofError `format`
 */
export function readHistoryFile(rows: unknown): SignedRow[] {
  if (!Array.isArray(rows)) throw new ProofError('format')
  return rows.map((row: unknown) => {
    const { text, digest, signer = null, signature = null } = Object.fromEntries(Object.entries(row ?? {}))
    if (typeof text !== 'string' || typeof digest !== 'string' || !isTextOrNull(signer) || !isTextOrNull(signature))
      throw new ProofError('format')
    return { text, digest, signer, signature }
  })
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** A verified position in the history. */
export interface HistoryHead {
  number: number
  digest: string
}

/** The position before the first day. */
export const HISTORY_START: HistoryHead = { number: 0, digest: NO_DIGEST }

/**
 * Verifies that rows follow a known position and each other without a gap.
 * @param after position that the first row follows
 * @param seen digests by number that the caller saw earlier
 * @throws ProofError `digest`, `chain` or `seen`
 */
export async function verifyHistory(
  rows: readonly HistoryRow[],
  after: HistoryHead = HISTORY_START,
  seen: ReadonlyMap<number, string> = new Map(),
): Promise<{ head: HistoryHead; statements: ProofStatement[] }> {
  let head = after
  const statements: ProofStatement[] = []
  for (const { text, digest } of rows) {
    if ((await digestOf(text)) !== digest) throw new ProofError('digest')
    const statement = readStatement(text)
    if (statement.number !== head.number + 1 || statement.previous !== head.digest) throw new ProofError('chain')
    if ((seen.get(statement.number) ?? digest) !== digest) throw new ProofError('seen')
    head = { number: statement.number, digest }
    statements.push(statement)
  }
  const missing = [...seen.keys()].some((number) => number > head.number)
  if (missing) throw new ProofError('seen')
  return { head, statements }
}
