import { type WalletNode, walletNode } from '../../gateways/chain/index.ts'

/** What stands at addresses, as the source that is worst for the house tells it. */
export type Balances = Pick<WalletNode, 'tokenOf' | 'coinOf' | 'tokensOf'>

/**
 * Asks every source: one that hides what came to an address, or what left a wallet, is found out by the other.
 * @returns of a wallet the least that one of them tells, and of invoices' addresses the most. Calls throw NodeAway, NodeRefused.
 */
export function everySource(urls: readonly (string | undefined)[]): Balances {
  const nodes = urls.flatMap((url) => (url === undefined ? [] : [walletNode(url)]))
  const least = (told: readonly bigint[]) => told.reduce((one, other) => (other < one ? other : one))
  const most = (told: readonly bigint[]) => told.reduce((one, other) => (other > one ? other : one))
  return {
    tokenOf: async (token, address) => least(await Promise.all(nodes.map((node) => node.tokenOf(token, address)))),
    coinOf: async (address) => least(await Promise.all(nodes.map((node) => node.coinOf(address)))),
    async tokensOf(token, addresses) {
      const told = await Promise.all(nodes.map((node) => node.tokensOf(token, addresses)))
      return addresses.map((_, place) => most(told.map((balances) => balances[place] ?? 0n)))
    },
  }
}
