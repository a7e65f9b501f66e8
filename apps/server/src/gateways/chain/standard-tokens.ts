import { CONFIRMATIONS } from './finality.ts'
import type { EvmNode, TokenLog } from './chain-node.ts'
import { orUndefined } from './verify-balances.ts'

/** Number of blocks that the check reads. Nodes store the balances of the last 128 blocks. */
const BLOCKS = 40
/** Receivers checked per token, and the minimum for a result. */
const MAX_RECEIVERS = 20
const MIN_RECEIVERS = 3

/** Source of the check: transfers and balances of one node. */
export type TokenSource = Pick<EvmNode, 'head' | 'transfers' | 'balances'>

/**
 * Finds tokens whose transfer events do not prove a payment, because the token has hidden fees, changing balances or false events. The
 * balances of the latest receivers must change exactly by the transfer events in final blocks. A token is rejected only if more than half
 * of the receivers differ. Some contracts also change a balance without an event, for example when a member wraps native coin.
 * @param tokens token contracts, lower case
 * @returns the rejected tokens, each with its problem. A token is not rejected if the node does not have these balances, or if the token
 * has fewer than three receivers.
 * @throws NodeUnavailable
 */
export async function findRejectedTokens(source: TokenSource, tokens: readonly string[]): Promise<Map<string, string>> {
  const rejected = new Map<string, string>()
  const to = (await source.head()).number - CONFIRMATIONS + 1
  const from = Math.max(0, to - BLOCKS)
  if (to <= from) return rejected
  for (const token of tokens) {
    const { checked, differing } = await differingReceivers(source, token, { from, to })
    const [example] = differing
    if (checked < MIN_RECEIVERS || example === undefined || differing.length * 2 <= checked) continue
    rejected.set(
      token,
      `the balances of token ${token} do not follow its transfers: from block ${from} to ${to}, the balance of ${example.address} ` +
        `changed by ${example.found} smallest units, and its transfers add up to ${example.expected}`,
    )
  }
  return rejected
}

interface DifferingBalance {
  address: string
  expected: bigint
  found: bigint
}

async function differingReceivers(
  source: TokenSource,
  token: string,
  { from, to }: { from: number; to: number },
): Promise<{ checked: number; differing: DifferingBalance[] }> {
  const logs = await orUndefined(source.transfers([token], { from: from + 1, to }))
  if (logs === undefined) return { checked: 0, differing: [] }
  const receivers = [...new Set(logs.flatMap((log) => (log.amount > 0n && !/^0x0+$/.test(log.to) ? [log.to] : [])))].slice(0, MAX_RECEIVERS)
  if (receivers.length < MIN_RECEIVERS) return { checked: 0, differing: [] }
  const before = await balancesAt(source, token, receivers, from)
  const after = await balancesAt(source, token, receivers, to)
  if (before === undefined || after === undefined) return { checked: 0, differing: [] }
  const differing = receivers.flatMap((address, index) => {
    const found = (after[index] ?? 0n) - (before[index] ?? 0n)
    const expected = sumOf(logs, address)
    return found === expected ? [] : [{ address, expected, found }]
  })
  return { checked: receivers.length, differing }
}

/** Returns undefined if the node lacks the balances: it pruned the block, or the token was created later. */
const balancesAt = (source: TokenSource, token: string, addresses: readonly string[], block: number) =>
  orUndefined(source.balances(addresses.map((address) => ({ token, address, block }))))

/** Returns the sum that an address received minus the sum that the address sent. */
const sumOf = (logs: readonly TokenLog[], address: string): bigint =>
  logs.reduce((sum, { from, to, amount }) => sum + (to === address ? amount : 0n) - (from === address ? amount : 0n), 0n)
