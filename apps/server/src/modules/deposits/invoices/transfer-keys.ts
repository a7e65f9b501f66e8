/**
 * Returns the chain key of a transfer row. A transfer has one row per possible credit. If the transfer is mined again after a reversal of
 * its credit, the next row has the same key with `#2`, `#3` and so on.
 */
export const chainKeyOf = (rowKey: string): string => rowKey.split('#', 1)[0] ?? rowKey

/** Returns true if a row follows the transfer's reversed credit. */
export const isCreditedAgain = (rowKey: string): boolean => rowKey.includes('#')

/** Returns a transfer's creditable row key, after those with reversed credits. */
export function openRowKey(chainKey: string, reversed: ReadonlySet<string>): string {
  let [key, row] = [chainKey, 1]
  while (reversed.has(key)) key = `${chainKey}#${(row += 1)}`
  return key
}
