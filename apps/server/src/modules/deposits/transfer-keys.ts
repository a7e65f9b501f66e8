/**
 * The key of a transfer on the chain, from that of its row. A transfer has one row for each time that it may be credited: where its credit was
 * reversed after a reorganisation, and it is mined again, the next row has the same key with `#2`, `#3` and so on.
 */
export const chainKeyOf = (rowKey: string): string => rowKey.split('#', 1)[0] ?? rowKey

/** Whether a row is one of a transfer whose earlier credit was reversed. */
export const isCreditedAgain = (rowKey: string): boolean => rowKey.includes('#')

/** The key of a transfer's row that may still be credited: behind those whose credit was reversed while they were gone. */
export function openRowKey(chainKey: string, reversed: ReadonlySet<string>): string {
  let [key, row] = [chainKey, 1]
  while (reversed.has(key)) key = `${chainKey}#${(row += 1)}`
  return key
}
