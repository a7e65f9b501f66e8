import type { DataKeys } from '../crypto/seal.ts'
import type { SealedColumn } from '../crypto/sealed-column.ts'
import { isSealedOf, sealOf } from '../crypto/sealed-facts.ts'

/** The first of two people who have to stand behind something, and when. */
export interface FirstApproval {
  by: bigint
  at: Date
}

/** What the first person stood behind; texts may hold line breaks. */
type Facts = readonly (string | number | bigint | null)[]

const lines = ({ by, at }: FirstApproval, facts: Facts) => [by, at.toISOString(), JSON.stringify(facts.map(String))]

/**
 * Stands for what the first of two people has approved or proposed. Whoever writes to the database and nothing else cannot
 * name a first person, so that one of staff is two, nor lend the word of one to something else.
 */
export const macOfFirstApproval = (keys: DataKeys, { purpose }: SealedColumn, first: FirstApproval, facts: Facts): Buffer =>
  sealOf(keys, purpose, lines(first, facts))

/** Whether the person whom a row names stood behind these facts, then. */
export const isFirstApproval = (
  keys: DataKeys,
  { purpose }: SealedColumn,
  sealed: Buffer | null,
  first: FirstApproval,
  facts: Facts,
): boolean => sealed !== null && isSealedOf(keys, purpose, sealed, lines(first, facts))
