import type { ChainReserves, ReserveHolding } from '@tizara/contract/balance-proof/proof-statement'
import { depositHoldings, NodeUnavailable, type PayoutSigner, signedText, unitsOf, chainNode } from '../../gateways/chain/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { noReserves, type ReserveSource } from '../trust/index.ts'

export interface ReserveChain {
  chainId: number
  rpcUrl: string
  /** Accepted USD token, if any. The platform's own coin is never a reserve. */
  usd: { token: string; decimals: number } | undefined
  /** Extended public key of the deposit addresses. */
  xpub: string
  signer(): Promise<PayoutSigner>
  /** Target of token sweeps in lower case, if known. */
  sweptTo?: (() => Promise<string>) | undefined
  /** Addresses in cold storage, lower case, each with the signature of its key (`reserveText`). */
  addresses?: readonly { address: string; signature: string }[] | undefined
}

/** Addresses per request. */
const BATCH_ADDRESSES = 100

/**
 * Reads reserves from the chain: the USD tokens of the hot wallet, the sweep address, cold storage and deposit addresses, all at one
 * block. The hot wallet signs the statement, other named addresses have a signature of their keys, and deposit addresses derive from
 * the deposit branch. Statements name no deposit address, because it would show a member's payments.
 */
export function chainReserves(chain: ReserveChain): ReserveSource {
  const sign = async (text: string) => {
    const signer = await chain.signer()
    return { signer: signer.address, signature: await signedText(signer, text) }
  }
  if (chain.usd === undefined) return { ...noReserves('no-usd-token'), sign }
  const node = chainNode(chain.rpcUrl)
  const { token, decimals } = chain.usd
  const balancesOf = async (addresses: readonly string[], block: number): Promise<bigint[]> => {
    const balances: bigint[] = []
    for (let from = 0; from < addresses.length; from += BATCH_ADDRESSES)
      balances.push(...(await node.tokensOf(token, addresses.slice(from, from + BATCH_ADDRESSES), block)))
    return balances.map((balance) => unitsOf(balance, decimals))
  }
  return {
    async read(lease, at) {
      const signer = await chain.signer()
      const swept = (await chain.sweptTo?.()) ?? signer.address
      const day = Math.floor(at.getTime() / DAY_MS)
      const deposits = await lease.read((db) => depositHoldings(db, { chainId: chain.chainId, token, xpub: chain.xpub, day }))
      const roles = namedAddresses(signer.address, swept, chain.addresses)
      try {
        const { number: block } = await node.head()
        const named = await balancesOf(
          roles.map(({ address }) => address),
          block,
        )
        const assigned = new Set(roles.map(({ address }) => address))
        const others = [...deposits.unswept, ...deposits.inTurn].filter((address) => !assigned.has(address))
        const found = await balancesOf(others, block)
        const reserves: ChainReserves = {
          chainId: chain.chainId,
          block,
          holdings: roles.map((role, index) => ({ ...role, token, usd: named[index] ?? 0n })),
          deposits: {
            unswept: deposits.unswept.length,
            // The other addresses whose balances are read today; each day reads the next 500.
            inTurn: deposits.inTurn.length,
            all: deposits.all,
            usd: found.reduce((sum, one) => sum + one, 0n),
          },
        }
        return reserves
      } catch (error) {
        if (error instanceof NodeUnavailable) return 'unreachable'
        throw error
      }
    },
    sign,
  }
}

/** Returns the addresses that the statement names, each once. */
function namedAddresses(
  payouts: string,
  swept: string,
  addresses: ReserveChain['addresses'] = [],
): Pick<ReserveHolding, 'role' | 'address' | 'signature'>[] {
  const signatures = new Map(addresses.map(({ address, signature }) => [address, signature]))
  const cold = addresses.filter(({ address }) => address !== payouts && address !== swept)
  return [
    { role: 'payouts', address: payouts, signature: null },
    ...(swept === payouts ? [] : [{ role: 'swept' as const, address: swept, signature: signatures.get(swept) ?? null }]),
    ...cold.map((one) => ({ role: 'cold' as const, ...one })),
  ]
}
