import type { DataKeys } from '../crypto/encrypt.ts'
import type { EncryptedColumn } from '../crypto/encrypted-column.ts'
import { isMacOf, macOf } from '../crypto/row-mac.ts'

/** The first of two approvers, and the time of the approval. */
export interface FirstApproval {
  by: bigint
  at: Date
}

/** The approved values. A text may contain line breaks. */
type Facts = readonly (string | number | bigint | null)[]

const lines = ({ by, at }: FirstApproval, facts: Facts) => [by, at.toISOString(), JSON.stringify(facts.map(String))]

/**
 * Computes the MAC of a first approval or proposal. An attacker who can only execute SQL can neither insert a first approver nor reuse an
 * approval for other values.
 */
export const macOfFirstApproval = (keys: DataKeys, { purpose }: EncryptedColumn, first: FirstApproval, facts: Facts): Buffer =>
  macOf(keys, purpose, lines(first, facts))

/** Returns true if the given person approved these values at the given time. */
export const isFirstApproval = (
  keys: DataKeys,
  { purpose }: EncryptedColumn,
  mac: Buffer | null,
  first: FirstApproval,
  facts: Facts,
): boolean => mac !== null && isMacOf(keys, purpose, mac, lines(first, facts))
