import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A real EVM chain of a test's own, with a token on it. Blocks are made only by `mine`. */
export interface TestChain {
  url: string
  chainId: number
  /** The token that is deployed, and the account that holds all of it. */
  token: string
  holder: string
  /** Makes blocks. */
  mine(count?: number): Promise<void>
  /** Sends tokens from the holder, in units of 10^-18; answers the transaction's hash. Not mined yet. */
  send(to: string, amount: bigint, token?: string): Promise<string>
  /** Sends to several in one transaction. */
  sendMany(to: readonly string[], amounts: readonly bigint[]): Promise<string>
  deployToken(): Promise<string>
  /** Any call of the node. */
  call<T>(method: string, ...params: unknown[]): Promise<T>
  stop(): Promise<void>
}

const LISTENS = /Listening on 127\.0\.0\.1:(\d+)/

const word = (value: bigint | string): string =>
  (typeof value === 'string' ? value.replace(/^0x/, '') : value.toString(16)).padStart(64, '0')
const list = (items: readonly (bigint | string)[]): string => word(BigInt(items.length)) + items.map(word).join('')

function anvilProgram(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const platform = `${process.platform === 'win32' ? 'win32' : process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  return require.resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const port = LISTENS.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${said}`)))
    child.once('error', reject)
  })
}

/** Starts a chain whose clock begins at a moment. */
export async function startChain({ chainId = 31_337, at = new Date() }: { chainId?: number; at?: Date } = {}): Promise<TestChain> {
  const home = mkdtempSync(path.join(tmpdir(), 'chain-'))
  const flags = ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(chainId), '--base-fee', '0', '--no-mining']
  const child = spawn(anvilProgram(), [...flags, '--cache-path', home, '--timestamp', String(Math.floor(at.getTime() / 1000))], {
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = `http://127.0.0.1:${await listening(child)}`
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
  const { bytecode } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'play-token.json'), 'utf8')) as { bytecode: string }
  const deployToken = async () => {
    const hash = await call<string>('eth_sendTransaction', { from: holder, data: bytecode, gas: '0x500000' })
    await mine()
    return (await call<{ contractAddress: string }>('eth_getTransactionReceipt', hash)).contractAddress
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
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** First four bytes of the hash of `transferMany(address[],uint256[])`. */
const SEND_MANY = 'b7fc6612'
