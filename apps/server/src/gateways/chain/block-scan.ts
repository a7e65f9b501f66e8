import { type Cursor, saveBlocks, moveCursor, moveFinal } from './chain-cursor.ts'
import { MIN_AMOUNT, recordFinal, recordTransfers, seenIn, sightingsOf } from './chain-transfers.ts'
import { type Header, isTooWide, type Receipt, type TokenLog } from './chain-node.ts'
import { findDifferingBalances } from './verify-balances.ts'
import type { Watch } from './chain-watch.types.ts'
import { unitsOf } from './token-amount.ts'

/** Maximum blocks per range, and ranges per run, so that other jobs get their turn. */
const MAX_BLOCK_RANGE = 200
const MAX_RANGES = 100

/** Thrown if two sources disagree about a transaction before its credit. */
class SourcesDiffer extends Error {}

/** Walks over blocks in ranges as wide as the node allows. Stops at the first range not yet consistent. */
async function inRanges(from: number, to: number, take: (range: { from: number; to: number }) => Promise<boolean>): Promise<void> {
  let width = MAX_BLOCK_RANGE
  for (let next = from, done = 0; next <= to && done < MAX_RANGES;) {
    const end = Math.min(to, next + width - 1)
    try {
      if (!(await take({ from: next, to: end }))) return
      next = end + 1
      done += 1
      width = Math.min(MAX_BLOCK_RANGE, width * 2)
    } catch (error) {
      if (end === next || !isTooWide(error)) throw error
      width = Math.ceil((end - next + 1) / 2)
    }
  }
}

/**
 * Reads transfers up to the head. The server shows these transfers but never credits them, because a node may omit logs at the head
 * (docs/decisions/0014-two-chain-scans.md).
 * @returns the number of recorded transfers, and the last block read
 */
export async function scanToHead(watch: Watch, cursor: Cursor, head: number): Promise<{ moved: number; block: number }> {
  const { lease, node, chainId } = watch
  const tokens = addressesOf(watch)
  let moved = 0
  let at: Pick<Header, 'number' | 'hash'> = { number: cursor.block, hash: cursor.hash }
  await inRanges(cursor.block + 1, head, async (range) => {
    const found = await toPlatform(watch, await node.transfers(tokens, range))
    const headers = await headersOf(watch, [range.from, ...found.map(({ block }) => block), range.to])
    const last = headers?.get(range.to)
    if (headers === null || last === undefined || headers.get(range.from)?.parentHash !== at.hash) return false
    if (found.some(({ block, blockHash }) => headers.get(block)?.hash !== blockHash)) return false
    await lease.inTransaction(async (tx) => {
      moved += await recordTransfers(tx, watch, sightingsOf(watch, found, headers))
      await saveBlocks(tx, chainId, [...headers.values()])
      await moveCursor(tx, chainId, last)
    })
    at = last
    return true
  })
  return { moved, block: at.number }
}

/**
 * Reads final blocks again: all logs of the range in every source, and the receipt of every known transaction. Adds transfers that the
 * scan to the head missed, marks missing transfers as gone and all others as final.
 * @param done last block of the previous final scan
 * @param upTo newest block that is final in every source
 * @returns the number of transfers that became final or gone
 * @throws SourcesDiffer
 */
export async function scanFinalized(watch: Watch, done: number, upTo: number): Promise<number> {
  const { lease, node, chainId } = watch
  const tokens = addressesOf(watch)
  let moved = 0
  await inRanges(done + 1, upTo, async (range) => {
    const all = await node.transfers(tokens, range)
    const found = await toPlatform(watch, all)
    const before = await lease.read((db) => seenIn(db, chainId, range))
    const omitted = await omittedHashes(watch, range, found)
    const hashes = [...new Set([...found.map(({ txHash }) => txHash), ...omitted, ...before])]
    const receipts = await node.receipts(hashes, tokens)
    // The receipt of the first source proves the payment. Without one, the sources have different chains, and the block is read again.
    if (omitted.some((hash) => receipts[hashes.indexOf(hash)] === null))
      throw new SourcesDiffer(`only the second source has a payment in the blocks ${range.from} to ${range.to}`)
    if (found.some(({ txHash }) => receipts[hashes.indexOf(txHash)] === null)) return false
    const successful = receipts.filter((receipt): receipt is Receipt => receipt?.succeeded === true)
    const logs = (
      await toPlatform(
        watch,
        successful.flatMap(({ transfers }) => transfers),
      )
    ).filter(({ block }) => block >= range.from && block <= range.to)
    const headers = await headersOf(watch, [range.to, ...logs.map(({ block }) => block)])
    if (headers === null || logs.some(({ block, blockHash }) => headers.get(block)?.hash !== blockHash)) return false
    await assertConfirmed(watch, logs, headers)
    const differing = await differingBalances(watch, logs, all)
    await lease.inTransaction(async (tx) => {
      moved += await recordFinal(tx, watch, { range, sightings: sightingsOf(watch, logs, headers, differing) })
      // Saves the hashes at the end of the range, so that the start of a later reorg is found above every final transfer.
      await saveBlocks(tx, chainId, [...headers.values()])
      await moveFinal(tx, chainId, range.to)
    })
    return true
  })
  return moved
}

/** Returns transactions that pay the platform by the logs of the second source only. The first source may omit logs. */
async function omittedHashes(watch: Watch, range: { from: number; to: number }, found: readonly TokenLog[]): Promise<string[]> {
  if (watch.secondNode === undefined) return []
  const known = new Set(found.map(({ txHash }) => txHash))
  const others = await toPlatform(watch, await watch.secondNode.transfers(addressesOf(watch), range))
  return others.flatMap(({ txHash }) => (known.has(txHash) ? [] : [txHash]))
}

/** Compares the balances of both sources. Payments of dust are left out, because they are never credited. */
async function differingBalances({ node, secondNode, ...watch }: Watch, logs: readonly TokenLog[], all: readonly TokenLog[]) {
  const decimals = new Map(watch.tokens.map((token) => [token.address, token.decimals]))
  const payments = logs.filter(({ token, amount }) => unitsOf(amount, decimals.get(token) ?? 0) >= MIN_AMOUNT)
  const differing = await findDifferingBalances(secondNode === undefined ? [node] : [node, secondNode], payments, [...all, ...logs])
  if (differing.size > 0) watch.deps.log.error({ chain: watch.chainId, balances: [...differing] }, 'balances differ from their transfers')
  return differing
}

const addressesOf = ({ tokens }: Pick<Watch, 'tokens'>): string[] => tokens.map(({ address }) => address)

/** Selects transfers to platform addresses. */
async function toPlatform({ lease }: Watch, logs: readonly TokenLog[]): Promise<TokenLog[]> {
  const paid = logs.filter(({ amount }) => amount > 0n)
  if (paid.length === 0) return []
  const receivers = [...new Set(paid.map(({ to }) => to))]
  const known = await lease.read((db) =>
    db
      .selectFrom('chain_address')
      .select('address')
      .where('address', '=', (eb) => eb.fn.any(eb.val(receivers)))
      .execute(),
  )
  const addresses = new Set(known.map(({ address }) => address))
  return paid.filter(({ to }) => addresses.has(to))
}

/** Returns headers by number, or null if the node does not have all of them. */
async function headersOf({ node }: Watch, numbers: readonly number[]): Promise<Map<number, Header> | null> {
  const wanted = [...new Set(numbers)]
  const headers = await node.headers(wanted)
  const found = headers.filter((header): header is Header => header !== null)
  return found.length < wanted.length ? null : new Map(found.map((header) => [header.number, header]))
}

/**
 * Compares transfers and block times with the second source, if configured.
 * @throws SourcesDiffer
 */
async function assertConfirmed(
  { secondNode, ...watch }: Watch,
  logs: readonly TokenLog[],
  headers: ReadonlyMap<number, Header>,
): Promise<void> {
  if (secondNode === undefined || logs.length === 0) return
  // Compares block times, because they decide between an automatic credit and a manual decision.
  const blocks = [...new Set(logs.map(({ block }) => block))]
  for (const [index, header] of (await secondNode.headers(blocks)).entries()) {
    const known = headers.get(blocks[index] ?? -1)
    if (header?.hash !== known?.hash || header?.time.getTime() !== known?.time.getTime())
      throw new SourcesDiffer(`the second source disagrees about block ${blocks[index]}`)
  }
  const addresses = new Set(logs.map(({ to }) => to))
  const hashes = [...new Set(logs.map(({ txHash }) => txHash))]
  const receipts = await secondNode.receipts(hashes, addressesOf(watch))
  for (const [index, hash] of hashes.entries()) {
    const receipt = receipts[index]
    const confirmed = receipt?.succeeded === true ? receipt.transfers.filter(({ to, amount }) => amount > 0n && addresses.has(to)) : []
    if (linesOf(confirmed) !== linesOf(logs.filter(({ txHash }) => txHash === hash)))
      throw new SourcesDiffer(`the second source disagrees about ${hash}`)
  }
}

const linesOf = (logs: readonly TokenLog[]): string =>
  logs.map(({ token, to, amount, blockHash }) => `${token} ${to} ${amount} ${blockHash}`).join('\n')
