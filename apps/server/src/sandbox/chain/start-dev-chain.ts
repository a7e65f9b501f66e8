import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { HDKey } from '@scure/bip32'
import * as v from 'valibot'
import { branchKeys, keySigner } from '../../gateways/chain/index.ts'
import { type Anvil, anvilProgram, startAnvil } from './anvil.ts'
import { DEV_CHAIN_ID, connectDevNode, type DevNode } from './dev-node.ts'
import { readRunning, type RunningChain, runningFile } from './running-chain.ts'

/** Seconds between two state files. A crash loses younger blocks, as in a reorganisation. */
const STATE_SECONDS = '5'
/** The hot wallet's initial balance in units of 10^-18, enough for a demo instance. */
const FLOAT = { usd: 1_000_000n * 10n ** 18n, coin: 100_000_000n * 10n ** 18n } as const
const GAS = `0x${(100n * 10n ** 18n).toString(16)}`

/** Keys and tokens of one development chain. The file stores the keys in plain text, because they hold only test money. */
const savedChain = v.object({ seed: v.string(), password: v.string(), coin: v.string(), usd: v.string(), firstBlock: v.string() })
type SavedChain = v.InferOutput<typeof savedChain>

export interface DevChain {
  node: DevNode
  stop(): Promise<void>
}

/** Thrown if no development chain can run. The message explains why. */
export class DevChainError extends Error {}

/**
 * Starts or continues the development chain of a data folder, which stores its state, keys and tokens. The first start deploys a test USD
 * and a test coin and funds the hot wallet.
 * @param now the platform's time
 * @throws DevChainError without the program, or if the chain state does not match the folder
 */
export async function startDevChain(folder: string, now: Date, program: string | undefined = anvilProgram()): Promise<DevChain> {
  mkdirSync(folder, { recursive: true })
  await endOrphan(folder)
  if (program === undefined) throw new DevChainError('there is no program anvil for this machine')
  const options = ['--prune-history', '--state', path.join(folder, 'state.json'), '--state-interval', STATE_SECONDS]
  const start = () => startAnvil(program, { chainId: DEV_CHAIN_ID, home: folder, at: now, more: options })
  if (!existsSync(savedFile(folder))) await begin(folder, await start())
  const anvil = await start()
  try {
    const node = connectDevNode(anvil.url)
    const keys = await readSaved(folder, node)
    const { coin, usd, password } = keys
    const keystore = { file: path.join(folder, 'hot-wallet.json'), password }
    const branch = { file: path.join(folder, 'branch.json'), password }
    const digest = { file: path.join(folder, 'digest-key.json'), password }
    await makeDigestKey(digest, node)
    const xpub = branchOf(keys.seed).publicExtendedKey
    const note: RunningChain = { pid: anvil.pid, instance: process.pid, rpcUrl: anvil.url, coin, usd, xpub, keystore, branch, digest }
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
 * Stops a chain whose instance was killed, because this chain would overwrite the state of the next one.
 * @throws DevChainError while the instance that started it still runs
 */
async function endOrphan(folder: string): Promise<void> {
  const before = readRunning(folder)
  if (before === undefined) return
  // Process ids are reused, so the process is the recorded one only if its address still serves the chain of this folder.
  const isOurs = await connectDevNode(before.rpcUrl)
    .call<string>('eth_getCode', before.coin, 'latest')
    .then(
      (code) => code.length > 2,
      () => false,
    )
  if (isOurs && isAlive(before.instance)) throw new DevChainError(`process ${before.instance} runs it already`)
  rmSync(runningFile(folder), { force: true })
  if (!isOurs) return
  try {
    process.kill(before.pid, 'SIGTERM')
    for (let attempts = 0; attempts < 100; attempts += 1) {
      process.kill(before.pid, 0)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    process.kill(before.pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** HD branch for invoice addresses. */
const branchOf = (seed: string) => HDKey.fromMasterSeed(Buffer.from(seed, 'hex')).derive("m/44'/60'/0'")

const savedFile = (folder: string) => path.join(folder, 'chain.json')

/** @throws DevChainError if the state belongs to another chain, which lacks the transfers in this database */
async function readSaved(folder: string, node: DevNode): Promise<SavedChain> {
  const keys = v.parse(savedChain, JSON.parse(readFileSync(savedFile(folder), 'utf8')))
  if ((await hashOf(node, 1)) === keys.firstBlock) return keys
  throw new DevChainError(`the chain in ${folder} has been replaced; delete DATA_DIR to start again`)
}

/** Deploys the tokens and creates the keys. The key file is written last, after the state, so that an interrupted start begins again. */
async function begin(folder: string, anvil: Anvil): Promise<void> {
  const node = connectDevNode(anvil.url)
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
  const keys: SavedChain = { seed, password, coin, usd, firstBlock: await hashOf(node, 1) }
  await anvil.stop()
  writeFileSync(savedFile(folder), JSON.stringify(keys))
}

/** Creates the key of the address that publishes digests, unless the folder has one, and sends gas to the address. */
async function makeDigestKey({ file, password }: { file: string; password: string }, node: DevNode): Promise<void> {
  const { openKeystore, writeKeystore } = await import('../../gateways/chain/sending/keystore.ts')
  if (!existsSync(file)) writeFileSync(file, writeKeystore(randomBytes(32), password, { N: 1024, r: 8, p: 1 }))
  // A crash can lose the state with an earlier gift.
  await node.call('anvil_setBalance', keySigner(openKeystore(readFileSync(file, 'utf8'), password)).address, GAS)
}

async function hashOf(node: DevNode, block: number): Promise<string> {
  const found = await node.call<{ hash: string } | null>('eth_getBlockByNumber', `0x${block.toString(16)}`, false)
  return found?.hash ?? ''
}
