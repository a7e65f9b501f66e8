import { createHash, randomBytes } from 'node:crypto'
import type { ChainGateway, ChainTransfer, TokenAsset } from '../../gateways/chain/index.ts'

/** Time per block in ms. */
const BLOCK_MS = 1_000
/** Confirmations are counted up to here. */
const DEEPEST = 1_000_000
const CHAIN_ID = 31_337
const TOKEN = '0x7a1a2a0000000000000000000000000000001201'
const USD = '0x7a1a2a0000000000000000000000000000001202'

/** A simulated chain for the payments of the demo story, from before the development chain. */
export interface PastChain extends ChainGateway {
  /** Adds a mined transfer at a time, in a block with the same or another time. */
  pay(payment: { address: string; amount: bigint; asset?: TokenAsset; minedAt: Date; blockTime?: Date }): string
}

/**
 * Simulated chain for the demo's past. Confirmations grow by one per second of the instance's clock. The chain exists only in this process.
 */
export function pastChain(): PastChain {
  const paid: (Omit<ChainTransfer, 'confirmations' | 'key'> & { minedAt: Date })[] = []
  return {
    chainId: CHAIN_ID,
    tokens: { COIN: { address: TOKEN, decimals: 18 }, USD: { address: USD, decimals: 18 } },
    awaited: () => Promise.resolve(undefined),
    dustAt: () => Promise.resolve(0n),
    newAddress: (_, invoiceId) => Promise.resolve(`0x${createHash('sha256').update(`address ${invoiceId}`).digest('hex').slice(0, 40)}`),
    isGiven: () => Promise.resolve(true),
    isAlive: () => Promise.resolve(true),
    scan: (_, addresses, now) =>
      Promise.resolve({
        scannedTo: now,
        transfers: paid
          .filter(({ address, minedAt }) => addresses.includes(address) && minedAt <= now)
          .map(({ minedAt, ...transfer }) => ({
            ...transfer,
            key: `${CHAIN_ID}:${transfer.txHash}:${TOKEN}:${transfer.address}:0`,
            confirmations: Math.min(DEEPEST, 1 + Math.floor((now.getTime() - minedAt.getTime()) / BLOCK_MS)),
          })),
      }),
    pay({ address, amount, asset = 'COIN', minedAt, blockTime = minedAt }) {
      const txHash = `0x${randomBytes(32).toString('hex')}`
      paid.push({ address, asset, amount, txHash, minedAt, blockTime, balanceFits: true })
      return txHash
    },
  }
}
