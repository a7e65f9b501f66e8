/** Position of a row in a list that is ordered by time and id. */
export interface MomentCursor {
  at: Date
  id: bigint
}

/** Writes a position as text of the contract's `momentCursor`: milliseconds and id. */
export const writeMomentCursor = ({ at, id }: MomentCursor): string => `${at.getTime()}-${id}`

/** Reads a position that the contract's `momentCursor` has checked. */
export function readMomentCursor(text: string): MomentCursor {
  const [ms, id] = text.split('-')
  return { at: new Date(Number(ms)), id: BigInt(id ?? 0) }
}
