import type { BalanceQuery, EvmNode, TokenLog } from './chain-node.ts'
import { NodeUnavailable, NodeError } from './rpc.ts'

/** Source of balances. */
export type BalanceSource = Pick<EvmNode, 'balances' | 'nonces'>

/** Names the balance that a transfer changes. Transfers with the same name are compared together. */
export const balanceName = ({ token, to, block }: Pick<TokenLog, 'token' | 'to' | 'block'>): string => `${token} ${to} ${block}`

interface Change {
  name: string
  query: BalanceQuery & { block: number }
  /** Sum of the block's transfer logs for this address. */
  expected: bigint
}

/**
 * Compares the balance of each paid address before and after the block with the block's transfer logs. The balance differs for a token with
 * a hidden fee, changing balances or false events (docs/decisions/0043-payments-match-balances.md).
 * @param sources nodes to ask; a difference in one node is enough
 * @param payments final transfers to platform addresses
 * @param logs all transfers of the same blocks
 * @returns names of the differing balances, see {@link balanceName}
 * @throws NodeUnavailable, NodeError
 */
export async function findDifferingBalances(
  sources: readonly BalanceSource[],
  payments: readonly TokenLog[],
  logs: readonly TokenLog[],
): Promise<Set<string>> {
  const changes = changesOf(payments, logs)
  if (changes.length === 0) return new Set()
  const found = await Promise.all(sources.map((source) => differingIn(source, changes)))
  return new Set(found.flat())
}

function changesOf(payments: readonly TokenLog[], logs: readonly TokenLog[]): Change[] {
  // Merges logs and payments, because a receipt can contain a log that the node omitted from the range, and vice versa.
  const all = [...new Map([...logs, ...payments].map((log) => [`${log.block} ${log.logIndex}`, log])).values()]
  const sums = new Map<string, bigint>()
  const add = (name: string, amount: bigint) => sums.set(name, (sums.get(name) ?? 0n) + amount)
  for (const log of all) {
    add(balanceName(log), log.amount)
    add(balanceName({ ...log, to: log.from }), -log.amount)
  }
  const named = new Map(payments.map((payment) => [balanceName(payment), payment]))
  return [...named].map(([name, { token, to: address, block }]) => ({
    name,
    query: { token, address, block },
    expected: sums.get(name) ?? 0n,
  }))
}

async function differingIn(source: BalanceSource, changes: readonly Change[]): Promise<string[]> {
  const before = changes.map(({ query }) => ({ ...query, block: query.block - 1 }))
  const balances = await orUndefined(source.balances([...before, ...changes.map(({ query }) => query)]))
  if (balances === undefined) return missingIn(source, changes)
  return changes.flatMap(({ name, expected }, index) =>
    (balances[changes.length + index] ?? 0n) - (balances[index] ?? 0n) === expected ? [] : [name],
  )
}

/**
 * Compares the balances at the head, if the node has deleted the old balances. An address that has sent a transaction is skipped, because
 * its payments may have been moved since.
 */
async function missingIn(source: BalanceSource, changes: readonly Change[]): Promise<string[]> {
  const balances = await source.balances(changes.map(({ query: { token, address } }) => ({ token, address })))
  const nonces = await source.nonces(changes.map(({ query }) => query.address))
  const owed = new Map<string, bigint>()
  for (const { query, expected } of changes) owed.set(holderOf(query), (owed.get(holderOf(query)) ?? 0n) + expected)
  return changes.flatMap(({ name, query }, index) =>
    nonces[index] === 0n && (balances[index] ?? 0n) < (owed.get(holderOf(query)) ?? 0n) ? [name] : [],
  )
}

const holderOf = ({ token, address }: BalanceQuery): string => `${token} ${address}`

/** Returns undefined if the node lacks the answer: it has deleted the block's state, or the token was created later. */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof NodeError || error instanceof NodeUnavailable) return undefined
    throw error
  }
}
