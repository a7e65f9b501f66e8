import type { ReplyOf } from '@tizara/contract'
import { ProofError, proofErrors } from '@tizara/contract/balance-proof/proof-error'
import type { ProofStatement } from '@tizara/contract/balance-proof/proof-statement'
import { verifyHistory } from '@tizara/contract/balance-proof/verify-history'
import { trustHistory } from '@tizara/contract/trust'
import { call } from '../lib/http/api.ts'
import { readStored, storageKeys, writeStored } from '../lib/http/storage.ts'

type Row = ReplyOf<typeof trustHistory>[number]

/** Result of checking the published history on this device. */
export interface CheckedHistory {
  /** Oldest first, with the content of `rows`; empty if the history is refused. */
  statements: ProofStatement[]
  /** Rows as published; empty if the history is refused. */
  rows: Row[]
  /** Number of the newest row that this device had seen before; 0 for none. */
  seenBefore: number
  /** Reason for rejecting the history; null if it holds. */
  error: string | null
}

/** Returns the newest row that this device has seen. It stays after signing out: its digest is public. */
function readSeen(): { number: number; digest: string } | undefined {
  const [, number, digest] = /^(\d+) ([0-9a-f]{64})$/.exec(readStored(storageKeys.seenProof) ?? '') ?? []
  return number === undefined || digest === undefined ? undefined : { number: Number(number), digest }
}

/**
 * Loads all pages of the history, and checks it on this device. Each row must follow the one before, the row that this device has seen must
 * be unchanged, and the signatures of the newest row must be valid.
 */
export async function readHistory(signal?: AbortSignal): Promise<CheckedHistory> {
  // The code of signatures is large. Only this page needs it.
  const { verifySignatures } = await import('@tizara/contract/balance-proof/verify-signature')
  const rows: Row[] = []
  for (;;) {
    const { data } = await call(trustHistory, { query: { after: rows.length }, ...(signal && { signal }) })
    rows.push(...data)
    if (data.length < PAGE_ROWS) break
  }
  const seen = readSeen()
  const seenBefore = seen?.number ?? 0
  try {
    const { head, statements } = await verifyHistory(rows, undefined, new Map(seen === undefined ? [] : [[seen.number, seen.digest]]))
    const newest = rows.at(-1)
    if (newest !== undefined) verifySignatures(newest)
    if (head.number > 0) writeStored({ [storageKeys.seenProof]: `${head.number} ${head.digest}` })
    return { statements, rows, seenBefore, error: null }
  } catch (error) {
    const message = error instanceof ProofError ? error.message : proofErrors.format
    return { statements: [], rows: [], seenBefore, error: message }
  }
}

/** Rows per page of the server. */
const PAGE_ROWS = 400
