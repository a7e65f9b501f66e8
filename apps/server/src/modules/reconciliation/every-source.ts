import { type WalletNode, chainNode } from '../../gateways/chain/index.ts'

/** Balances at addresses, from the source with the least favourable answer. */
export type Balances = Pick<WalletNode, 'tokenOf' | 'nativeBalanceOf' | 'tokensOf' | 'nativeBalancesOf'>

/**
 * Queries every node, so that one node alone cannot hide a deposit or an outflow.
 * @returns the lowest balance for wallets, and the highest for invoice addresses. Calls throw NodeUnavailable, NodeError.
 */
export function everySource(urls: readonly (string | undefined)[]): Balances & { nodes: readonly WalletNode[] } {
  const nodes = urls.flatMap((url) => (url === undefined ? [] : [chainNode(url)]))
  const minimum = (balances: readonly bigint[]) => balances.reduce((one, other) => (other < one ? other : one))
  const maximum = (balances: readonly bigint[]) => balances.reduce((one, other) => (other > one ? other : one))
  const highest = async (addresses: readonly string[], balancesIn: (node: WalletNode) => Promise<bigint[]>) => {
    const answers = await Promise.all(nodes.map(balancesIn))
    return addresses.map((_, index) => maximum(answers.map((balances) => balances[index] ?? 0n)))
  }
  return {
    nodes,
    tokenOf: async (token, address) => minimum(await Promise.all(nodes.map((node) => node.tokenOf(token, address)))),
    nativeBalanceOf: async (address) => minimum(await Promise.all(nodes.map((node) => node.nativeBalanceOf(address)))),
    tokensOf: (token, addresses) => highest(addresses, (node) => node.tokensOf(token, addresses)),
    nativeBalancesOf: (addresses) => highest(addresses, (node) => node.nativeBalancesOf(addresses)),
  }
}
