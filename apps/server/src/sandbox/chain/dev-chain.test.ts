import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { ONE } from '@tizara/money'
import { afterAll, describe, expect, it } from 'vitest'
import { checkSource, chainNode } from '../../gateways/chain/index.ts'
import { openDevChain } from '../open-dev-chain.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { anvilProgram, startAnvil } from './anvil.ts'
import { addPlayExplorer } from './explorer.ts'
import { sandboxWallet } from './sandbox-wallet.ts'
import { DEV_CHAIN_ID, connectDevNode } from './dev-node.ts'
import { chainFolder, isDevChain, readRunning, runningFile, withDevChain } from './running-chain.ts'
import { startDevChain } from './start-dev-chain.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const ADDRESS = `0x${'1'.repeat(40)}`
const dataDir = mkdtempSync(path.join(tmpdir(), 'play-'))
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  rmSync(dataDir, { recursive: true, force: true })
})
const config = (env: Record<string, string> = {}): Config =>
  readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...env })
const open = (of: Config = config()) => openDevChain({ config: of, clock: testClock(NOW) })
const start = async () => {
  const playing = await open()
  ends.push(playing.close)
  return playing
}
const chainOf = ({ chain, payouts }: Config) => {
  if (chain === undefined || payouts === undefined) throw new Error('no chain')
  return { chain, payouts, node: chainNode(chain.rpcUrl), play: connectDevNode(chain.rpcUrl) }
}
const minedHash = async (of: Config): Promise<string> => {
  const { play } = chainOf(of)
  await play.mine(NOW)
  const { transactions } = await play.call<{ transactions: string[] }>('eth_getBlockByNumber', 'latest', false)
  return transactions[0] ?? ''
}

describe('dev chain of a sandbox', () => {
  it('starts with both tokens and a funded hot wallet, and keeps them over a restart', async () => {
    const first = await start()
    const { chain, payouts, node } = chainOf(first.config)
    await expect(checkSource(chain.rpcUrl, chain, NOW)).resolves.toBeUndefined()
    const wallet = `0x${JSON.parse(readFileSync((first.config.payoutSigner as { file: string }).file, 'utf8')).address as string}`
    expect(await node.tokenOf(payouts.usd.token, wallet)).toBe(1_000_000n * 10n ** 18n)
    expect(await node.tokenOf(payouts.coin.token, wallet)).toBe(100_000_000n * 10n ** 18n)
    expect(await node.nativeBalanceOf(wallet)).toBe(100n * 10n ** 18n)
    await sandboxWallet(first.config)?.pay({ to: ADDRESS, token: 'coin', amounts: [ONE, 2n * ONE] })
    await minedHash(first.config)
    // Another instance in the same folder does not touch it.
    expect((await open()).note).toContain(`process ${process.pid} runs it already`)
    await first.close()
    expect(readRunning(chainFolder(config()))).toBeUndefined()

    const again = await start()
    const now = chainOf(again.config)
    expect({ ...now.chain, rpcUrl: '' }).toEqual({ ...chain, rpcUrl: '' })
    expect(await now.node.tokenOf(chain.token, ADDRESS)).toBe(3n * 10n ** 18n)
    await again.close()
  })

  it('stops the chain of a killed product, and continues it', async () => {
    const before = await start()
    const note = runningFile(chainFolder(config()))
    await sandboxWallet(before.config)?.pay({ to: ADDRESS, token: 'usd', amounts: [5n * ONE] })
    await minedHash(before.config)
    const known = JSON.parse(readFileSync(note, 'utf8')) as { pid: number }
    // A process that no longer runs.
    writeFileSync(note, JSON.stringify({ ...known, instance: 2 ** 30 }))
    const after = await start()
    expect(() => process.kill(known.pid, 0)).toThrow('ESRCH')
    const { payouts, node } = chainOf(after.config)
    expect(await node.tokenOf(payouts.usd.token, ADDRESS)).toBe(5n * 10n ** 18n)
    await after.close()
  })

  it('reports why it is missing, and never runs beside a real chain or real money', async () => {
    expect(
      anvilProgram(() => {
        throw new Error('not installed')
      }),
    ).toBeUndefined()
    await expect(startDevChain(path.join(dataDir, 'none'), NOW, '')).rejects.toThrow()
    rmSync(path.join(chainFolder(config()), 'state.json'))
    const lost = await open()
    expect(lost).toMatchObject({ note: expect.stringContaining('delete DATA_DIR'), config: { chain: undefined, payouts: undefined } })
    rmSync(chainFolder(config()), { recursive: true })
    for (const env of [{ SANDBOX_CHAIN: 'off' }, { SANDBOX: 'off' }]) expect(await open(config(env))).not.toHaveProperty('note')
    expect(existsSync(chainFolder(config()))).toBe(false)
  })
})

describe('play money', () => {
  it('exists only if sandbox, chain id and a loopback address agree, and the node confirms it', async () => {
    const { config: playing, close } = await start()
    const { chain, play } = chainOf(playing)
    expect(isDevChain(playing)).toBe(true)
    const others: Partial<Config>[] = [
      { sandbox: false },
      { chain: undefined },
      { chain: { ...chain, chainId: 56 } },
      { chain: { ...chain, rpcUrl: 'http://10.0.0.1:8545' } },
      { chain: { ...chain, rpcUrl: 'http://127.0.0.1.example.org' } },
    ]
    for (const other of others) {
      expect(isDevChain({ ...playing, ...other })).toBe(false)
      expect(sandboxWallet({ ...playing, ...other })).toBeUndefined()
    }
    expect(withDevChain({ ...config(), sandbox: false }).chain).toBeUndefined()
    const foreign = await startAnvil(anvilProgram() ?? '', { chainId: 56, home: dataDir, at: NOW })
    await expect(
      sandboxWallet({ ...playing, chain: { ...chain, rpcUrl: foreign.url } })?.pay({ to: ADDRESS, token: 'coin', amounts: [ONE] }),
    ).rejects.toThrow('not a dev chain')
    await foreign.stop('SIGKILL')
    expect(Number(await play.call('eth_chainId'))).toBe(DEV_CHAIN_ID)
    await close()
  })

  it('sends equal payments at once, from two processes', async () => {
    const { config: playing, close } = await start()
    const wallets = [sandboxWallet(playing), sandboxWallet(playing)]
    const to = `0x${'2'.repeat(40)}`
    const pay = async (index: number) => wallets[index % 2]?.pay({ to, token: 'usd', amounts: [ONE] })
    await Promise.all(Array.from({ length: 100 }, (_, index) => pay(index)))
    await minedHash(playing)
    const { payouts, node } = chainOf(playing)
    expect(await node.tokenOf(payouts.usd.token, to)).toBe(100n * 10n ** 18n)
    await close()
  })

  it('is shown in the explorer by hash, without revealing unknown hashes', async () => {
    const { config: playing, close } = await start()
    await sandboxWallet(playing)?.pay({ to: ADDRESS, token: 'usd', amounts: [(25n * ONE) / 2n] })
    const hash = await minedHash(playing)
    const app = Fastify()
    addPlayExplorer(app, playing)
    const at = (one: string) => app.inject(`/sandbox/chain/tx/${one}`)
    const page = await at(hash)
    expect(page.statusCode).toBe(200)
    for (const part of [hash, 'succeeded', 'Transfer of USDT', '12.5 from', ADDRESS]) expect(page.body).toContain(part)
    for (const unknown of [`0x${'0'.repeat(64)}`, 'x', '<b>']) expect((await at(encodeURIComponent(unknown))).statusCode).toBe(404)
    const real = Fastify()
    addPlayExplorer(real, { ...playing, sandbox: false })
    expect((await real.inject(`/sandbox/chain/tx/${hash}`)).body).not.toContain('dev chain')
    await close()
  })
})
