import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { HDKey } from '@scure/bip32'
import * as v from 'valibot'
import { branchKeys, keySigner } from '../../gateways/chain/index.ts'
import { type Anvil, anvilProgram, startAnvil } from './anvil.ts'
import { PLAY_CHAIN_ID, playNode, type PlayNode } from './play-node.ts'
import { readRunning, type RunningChain, runningFile } from './running-chain.ts'

/** Seconds between two states on disk: what is younger is lost when somebody pulls the plug, as by a reorganisation. */
const STATE_SECONDS = '5'
/** What the hot wallet of a new chain gets, in units of 10^-18: it pays everything that a demo house owes. */
const FLOAT = { usd: 1_000_000n * 10n ** 18n, coin: 100_000_000n * 10n ** 18n } as const
const GAS = `0x${(100n * 10n ** 18n).toString(16)}`

/** What belongs to one chain for ever. Play money only: whoever reads the folder may have it. */
const kept = v.object({ seed: v.string(), password: v.string(), coin: v.string(), usd: v.string(), firstBlock: v.string() })
type Kept = v.InferOutput<typeof kept>

export interface PlayChain {
  node: PlayNode
  stop(): Promise<void>
}

/** Thrown where there can be no play chain; the message says why, for people. */
export class NoPlayChain extends Error {}

/**
 * Starts the play chain of a data folder, or goes on with it: its state, keys and tokens lie in the folder. The first time
 * it puts a play USD and a play coin on the chain and fills the hot wallet.
 * @param now the house's time
 * @throws NoPlayChain without the program, or where its state is not the one that the folder remembers
 */
export async function startPlayChain(folder: string, now: Date, program: string | undefined = anvilProgram()): Promise<PlayChain> {
  mkdirSync(folder, { recursive: true })
  await endOrphan(folder)
  if (program === undefined) throw new NoPlayChain('there is no program anvil for this machine')
  const more = ['--prune-history', '--state', path.join(folder, 'state.json'), '--state-interval', STATE_SECONDS]
  const start = () => startAnvil(program, { chainId: PLAY_CHAIN_ID, home: folder, at: now, more })
  if (!existsSync(keptFile(folder))) await begin(folder, await start())
  const anvil = await start()
  try {
    const node = playNode(anvil.url)
    const keys = await readKept(folder, node)
    const { coin, usd, password } = keys
    const keystore = { file: path.join(folder, 'hot-wallet.json'), password }
    const branch = { file: path.join(folder, 'branch.json'), password }
    const xpub = branchOf(keys.seed).publicExtendedKey
    const note: RunningChain = { pid: anvil.pid, house: process.pid, rpcUrl: anvil.url, coin, usd, xpub, keystore, branch }
    writeFileSync(runningFile(folder), JSON.stringify(note))
    return {
      node,
      async stop() {
        await anvil.stop()
        rmSync(runningFile(folder), { force: true })
      },
    }
  } catch (error) {
    await anvil.stop('SIGKILL')
    throw error
  }
}

/**
 * A chain whose house was killed goes on without it, and would write over the state of the next one.
 * @throws NoPlayChain while the house that started it is there
 */
async function endOrphan(folder: string): Promise<void> {
  const before = readRunning(folder)
  if (before === undefined) return
  // Only when the address of the note still answers as the chain of this folder the process is the one of the note.
  const isOurs = await playNode(before.rpcUrl)
    .call<string>('eth_getCode', before.coin, 'latest')
    .then(
      (code) => code.length > 2,
      () => false,
    )
  if (isOurs && isAlive(before.house)) throw new NoPlayChain(`process ${before.house} runs it already`)
  rmSync(runningFile(folder), { force: true })
  if (!isOurs) return
  try {
    process.kill(before.pid, 'SIGTERM')
    for (let tries = 0; tries < 100; tries += 1) {
      process.kill(before.pid, 0)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    process.kill(before.pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The branch that addresses of invoices come from. */
const branchOf = (seed: string) => HDKey.fromMasterSeed(Buffer.from(seed, 'hex')).derive("m/44'/60'/0'")

const keptFile = (folder: string) => path.join(folder, 'chain.json')

/** @throws NoPlayChain when the state is another chain's: what this folder's database saw can't be there */
async function readKept(folder: string, node: PlayNode): Promise<Kept> {
  const keys = v.parse(kept, JSON.parse(readFileSync(keptFile(folder), 'utf8')))
  if ((await hashOf(node, 1)) === keys.firstBlock) return keys
  throw new NoPlayChain(`the chain in ${folder} is not the one that it was; delete DATA_DIR to begin again`)
}

/** Deploys the tokens and makes the keys. Noted last, once the state is on disk: a start that is cut off before begins again. */
async function begin(folder: string, anvil: Anvil): Promise<void> {
  const node = playNode(anvil.url)
  const [coin, usd] = [await node.deploy('Play coin', 'COIN'), await node.deploy('Play USD', 'USDT')]
  const [seed, key, password] = [randomBytes(32).toString('hex'), randomBytes(32), randomBytes(32).toString('base64url')]
  const wallet = keySigner(key).address
  const { writeKeystore } = await import('../../gateways/chain/sending/keystore.ts')
  writeFileSync(path.join(folder, 'hot-wallet.json'), writeKeystore(key, password, { N: 1024, r: 8, p: 1 }))
  const branch = branchOf(seed)
  const secret = branch.privateExtendedKey ?? ''
  writeFileSync(path.join(folder, 'branch.json'), writeKeystore(Buffer.from(secret), password, { N: 1024, r: 8, p: 1 }))
  for (const rich of [wallet, branchKeys(secret, branch.publicExtendedKey ?? '').addressAt('gas')])
    await node.call('anvil_setBalance', rich, GAS)
  for (const token of ['usd', 'coin'] as const) await node.send({ usd, coin }[token], wallet, FLOAT[token])
  await node.call('evm_mine')
  const keys: Kept = { seed, password, coin, usd, firstBlock: await hashOf(node, 1) }
  await anvil.stop()
  writeFileSync(keptFile(folder), JSON.stringify(keys))
}

async function hashOf(node: PlayNode, block: number): Promise<string> {
  const found = await node.call<{ hash: string } | null>('eth_getBlockByNumber', `0x${block.toString(16)}`, false)
  return found?.hash ?? ''
}
