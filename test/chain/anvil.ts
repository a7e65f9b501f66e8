import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { anvilProgram, startAnvil } from '../../apps/server/src/sandbox/chain/anvil.ts'
import { connectDevNode, word } from '../../apps/server/src/sandbox/chain/dev-node.ts'

/** One test's EVM chain with a deployed token. Only `mine` creates blocks. */
export interface TestChain {
  url: string
  chainId: number
  /** Deployed token, and the account that holds the supply. */
  token: string
  holder: string
  mine(count?: number): Promise<void>
  /** Sends tokens from the holder, in units of 10^-18; returns the unmined transaction's hash. */
  send(to: string, amount: bigint, token?: string): Promise<string>
  /** Sends to several addresses in one transaction. */
  sendMany(to: readonly string[], amounts: readonly bigint[]): Promise<string>
  deployToken(): Promise<string>
  /** Sends any node call. */
  call<T>(method: string, ...params: unknown[]): Promise<T>
  stop(): Promise<void>
}

const list = (items: readonly (bigint | string)[]): string => word(BigInt(items.length)) + items.map(word).join('')

/** Starts a chain whose clock starts at a given time. */
export async function startChain({ chainId = 31_337, at = new Date() }: { chainId?: number; at?: Date } = {}): Promise<TestChain> {
  const home = mkdtempSync(path.join(tmpdir(), 'chain-'))
  const anvil = await startAnvil(anvilProgram() ?? 'anvil', { chainId, home, at })
  return controlChain(anvil.url, {
    chainId,
    deployToken: () => connectDevNode(anvil.url).deploy('Play coin', 'PLAY'),
    async stop() {
      await anvil.stop('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  })
}

/** Deploys a token on a node with the calls of anvil, and builds the calls of a test. */
export async function controlChain(
  url: string,
  { chainId, deployToken, stop }: Pick<TestChain, 'chainId' | 'deployToken' | 'stop'>,
): Promise<TestChain> {
  const call = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const [holder = ''] = await call<string[]>('eth_accounts')
  const mine = async (count = 1) => {
    await call('anvil_mine', `0x${count.toString(16)}`)
  }
  const token = await deployToken()
  const transact = (to: string, data: string) => call<string>('eth_sendTransaction', { from: holder, to, data, gas: '0x1000000' })
  return {
    url,
    chainId,
    token,
    holder,
    mine,
    call,
    deployToken,
    send: (to, amount, which = token) => transact(which, `0xa9059cbb${word(to)}${word(amount)}`),
    sendMany: (to, amounts) =>
      transact(token, `0x${SEND_MANY}${word(64n)}${word(BigInt(32 * (to.length + 3)))}${list(to)}${list(amounts)}`),
    stop,
  }
}

/** First four bytes of the hash of `transferMany(address[],uint256[])`. */
const SEND_MANY = 'b7fc6612'
