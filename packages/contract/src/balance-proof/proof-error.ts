/** Reasons why a proof or a history is refused. All verifiers print the same codes (docs/proof.md). */
export const proofErrors = {
  format: 'This is not a complete proof in format 1',
  member: 'This proof belongs to another member',
  leaves: 'The proof does not contain four different leaves in each tree',
  amount: 'An amount is not a whole number of units',
  negative: 'An amount is negative',
  overflow: 'A sum exceeds 2^63 - 1 units',
  path: 'A path does not have the length for its position: it does not begin at a leaf',
  root: 'A path does not lead to the published root',
  sums: 'The sums of a path differ from the published sums',
  statement: 'The statement of the proof is not the published one of its day',
  digest: 'A row of the history does not have its digest',
  chain: 'A row of the history is missing, or does not follow the row before it',
  signature: 'A statement is not signed by the key that it names',
  address: 'A reserve address is not signed by its key',
  seen: 'The history contradicts a row that this device has seen before',
} as const satisfies Record<string, string>

export type ProofErrorCode = keyof typeof proofErrors

/** Thrown when a proof or a history is refused. The message is a sentence for members. */
export class ProofError extends Error {
  readonly code: ProofErrorCode

  constructor(code: ProofErrorCode) {
    super(proofErrors[code])
    this.code = code
  }
}
