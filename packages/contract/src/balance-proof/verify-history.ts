import { ProofError } from './proof-error.ts'
import { digestOf, NO_DIGEST, type ProofStatement, readStatement } from './proof-statement.ts'

/** A published day: its statement, and the digest under which it was announced. */
export interface HistoryRow {
  text: string
  digest: string
}

/** A row of the published history, with its signature (EIP-191), if there is one. */
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

/** A verified place in the history. */
export interface HistoryPlace {
  number: number
  digest: string
}

/** The place before the first day. */
export const HISTORY_START: HistoryPlace = { number: 0, digest: NO_DIGEST }

/**
 * Verifies that rows follow each other and a known place without a gap.
 * @param after place that the first row follows
 * @param seen digests by number that the caller saw earlier
 * @throws ProofError `digest`, `chain` or `seen`
 */
export async function verifyHistory(
  rows: readonly HistoryRow[],
  after: HistoryPlace = HISTORY_START,
  seen: ReadonlyMap<number, string> = new Map(),
): Promise<{ place: HistoryPlace; statements: ProofStatement[] }> {
  let place = after
  const statements: ProofStatement[] = []
  for (const { text, digest } of rows) {
    if ((await digestOf(text)) !== digest) throw new ProofError('digest')
    const statement = readStatement(text)
    if (statement.number !== place.number + 1 || statement.previous !== place.digest) throw new ProofError('chain')
    if ((seen.get(statement.number) ?? digest) !== digest) throw new ProofError('seen')
    place = { number: statement.number, digest }
    statements.push(statement)
  }
  const missing = [...seen.keys()].some((number) => number > place.number)
  if (missing) throw new ProofError('seen')
  return { place, statements }
}
