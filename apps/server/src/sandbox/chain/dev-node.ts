import { readFileSync } from 'node:fs'
import path from 'node:path'
import { connectNode } from '../../gateways/chain/index.ts'

/** Chain id of development chains; no real chain has it. */
export const DEV_CHAIN_ID = 31_337

/** Node with the extra powers of a development chain: it holds the payer's keys and makes blocks on request. */
export interface DevNode {
  call<T>(method: string, ...params: unknown[]): Promise<T>
  /** Deploys a token with 18 decimals, entirely owned by the payer, without making a block. Returns its address. */
  deploy(name: string, symbol: string): Promise<string>
  /** Sends tokens from the payer, in units of 10^-18, without making a block. Returns the transaction hash. */
  send(token: string, to: string, amount: bigint): Promise<string>
  /** Creates a block at the given time, or one second after the newest block if this is later. */
  mine(at: Date): Promise<void>
}

/**
 * Errors of the node for a transaction whose nonce another transaction took at the same time. Nothing was sent; the next call gets another
 * nonce.
 */
const SAME_NONCE = /already imported|replacement transaction underpriced|nonce too low/

/** Maximum attempts to send a transaction. Parallel payments each lose a few. */
const MAX_ATTEMPTS = 100

export const word = (value: bigint | string): string =>
  (typeof value === 'string' ? value.replace(/^0x/, '') : value.toString(16)).padStart(64, '0')
const textWords = (text: string) => word(BigInt(text.length)) + Buffer.from(text).toString('hex').padEnd(64, '0')

/** Returns the token's creation code with two constructor texts of at most 32 characters. */
const creation = (bytecode: string, name: string, symbol: string) => bytecode + word(64n) + word(128n) + textWords(name) + textWords(symbol)

/** Creates a client with full control over the development chain. */
export function connectDevNode(url: string): DevNode {
  const ask = connectNode(url)
  const call = async <T>(method: string, ...params: unknown[]): Promise<T> => (await ask([{ method, params }]))[0] as T
  let payer: Promise<string> | undefined
  const from = () =>
    (payer ??= call<string[]>('eth_accounts').then(([first]) => {
      if (first === undefined) throw new Error('a chain without play accounts')
      return first
    }))
  return {
    call,
    async deploy(name, symbol) {
      const { bytecode } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'play-token.json'), 'utf8')) as { bytecode: string }
      const sender = await from()
      const hash = await call<string>('eth_sendTransaction', { from: sender, data: creation(bytecode, name, symbol), gas: '0x500000' })
      await call('evm_mine')
      const { contractAddress } = await call<{ contractAddress: string }>('eth_getTransactionReceipt', hash)
      return contractAddress.toLowerCase()
    },
    async send(token, to, amount) {
      const transaction = { from: await from(), to: token, data: `0xa9059cbb${word(to)}${word(amount)}`, gas: '0x30000' }
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await call<string>('eth_sendTransaction', transaction)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !(error instanceof Error) || !SAME_NONCE.test(error.message)) throw error
        }
      }
    },
    async mine(at) {
      const { timestamp } = await call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
      await call('evm_setNextBlockTimestamp', Math.max(Number(timestamp) + 1, Math.floor(at.getTime() / 1000)))
      await call('evm_mine')
    },
  }
}
