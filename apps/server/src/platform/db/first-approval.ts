import type { DataKeys } from '../crypto/seal.ts'
import type { SealedColumn } from '../crypto/sealed-column.ts'
import { isSealedOf, sealOf } from '../crypto/sealed-facts.ts'

/** The first of two people who have to stand behind something, and when. */
export interface First {
  by: bigint
  at: Date
}

/** What the first person stood behind; texts may hold line breaks. */
type Facts = readonly (string | number | bigint | null)[]

const lines = ({ by, at }: First, facts: Facts) => [by, at.toISOString(), JSON.stringify(facts.map(String))]

/**
 * Stands for what the first of two people has approved or proposed. Whoever writes to the database and nothing else cannot
 * name a first person, so that one of staff is two, nor lend the word of one to something else.
 */
export const sealFirst = (keys: DataKeys, { purpose }: SealedColumn, first: First, facts: Facts): Buffer =>
  sealOf(keys, purpose, lines(first, facts))

/** Whether the person whom a row names stood behind these facts, then. */
export const isFirst = (keys: DataKeys, { purpose }: SealedColumn, sealed: Buffer | null, first: First, facts: Facts): boolean =>
  sealed !== null && isSealedOf(keys, purpose, sealed, lines(first, facts))
