import type { ReplyOf } from '@tizara/contract'
import { ProofFault, proofFaults } from '@tizara/contract/balance-proof/proof-fault'
import type { ProofStatement } from '@tizara/contract/balance-proof/proof-statement'
import { verifyHistory } from '@tizara/contract/balance-proof/verify-history'
import { trustHistory } from '@tizara/contract/trust'
import { call } from '../lib/api.ts'
import { readStored, storageKeys, writeStored } from '../lib/storage.ts'

type Row = ReplyOf<typeof trustHistory>[number]

/** Result of checking the published history on this device. */
export interface CheckedHistory {
  /** Oldest first; empty if the history is refused. */
  statements: ProofStatement[]
  /** Digests of the rows, in the same order. */
  digests: string[]
  /** Number of the newest row that this device had seen before; 0 for none. */
  seenBefore: number
  /** Reason for refusing the history; null if it holds. */
  fault: string | null
}

/** Returns the newest row that this device has seen. It stays after signing out: its digest is public. */
function readSeen(): { number: number; digest: string } | undefined {
  const [, number, digest] = /^(\d+) ([0-9a-f]{64})$/.exec(readStored(storageKeys.seenProof) ?? '') ?? []
  return number === undefined || digest === undefined ? undefined : { number: Number(number), digest }
}

/** Loads all pages of the history, checks that they form a chain, and compares them with the row that this device has seen. */
export async function readHistory(signal?: AbortSignal): Promise<CheckedHistory> {
  const rows: Row[] = []
  for (;;) {
    const { data } = await call(trustHistory, { query: { after: rows.length }, ...(signal && { signal }) })
    rows.push(...data)
    if (data.length < PAGE_ROWS) break
  }
  const seen = readSeen()
  try {
    const { place, statements } = await verifyHistory(rows, undefined, new Map(seen === undefined ? [] : [[seen.number, seen.digest]]))
    if (place.number > 0) writeStored({ [storageKeys.seenProof]: `${place.number} ${place.digest}` })
    return { statements, digests: rows.map(({ digest }) => digest), seenBefore: seen?.number ?? 0, fault: null }
  } catch (error) {
    const fault = error instanceof ProofFault ? error.message : proofFaults.format
    return { statements: [], digests: [], seenBefore: seen?.number ?? 0, fault }
  }
}

/** Rows per page of the server. */
const PAGE_ROWS = 400
