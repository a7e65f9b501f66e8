import { mkdtempSync, rmSync } from 'node:fs'
import { PRODUCTION } from '../../test/production-environment.ts'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HDKey } from '@scure/bip32'
import { ONE } from '@tizara/money'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../test/chain/anvil.ts'
import { testApp } from '../../test/app.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember, type TestMember } from '../../test/members.ts'
import { chainIncidents, type ChainSettings, chainJobs, createEvmChain } from '../gateways/chain/index.ts'
import { unusedProvider } from '../../test/unused-provider.ts'
import { balancesOf } from '../ledger/index.ts'
import { depositJobs, depositRoutes, wakeInvoices } from '../modules/deposits/index.ts'
import { readConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/db/database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restored-addresses-'))
const chain = await startChain({ at: new Date('2026-03-02T09:00:00Z') })
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const SECRETS = { TOKEN_SECRET: PRODUCTION.TOKEN_SECRET, DATA_KEY: PRODUCTION.DATA_KEY }
const command = (name: string, url: string | undefined, file: string) =>
  startEntry(name, { ...PRODUCTION, DATABASE_URL: direct(url ?? '') }, file).ended

const settings: ChainSettings = {
  chainId: chain.chainId,
  token: chain.token,
  decimals: 18,
  xpub: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'").publicExtendedKey,
  rpcUrl: chain.url,
  secondRpcUrl: undefined,
  addressGap: 20,
}

/** Starts the product on a database, at the time of the chain. */
async function startOn(db: Db) {
  const ports = { provider: unusedProvider, chain: createEvmChain(settings, readConfig({ NODE_ENV: 'test', ...SECRETS })), noticeUrl: '' }
  const instance = await testApp(db, {
    routes: (bind) => depositRoutes(bind, ports),
    jobs: [...chainJobs(settings, wakeInvoices), ...depositJobs(ports)],
    env: SECRETS,
  })
  /** Advances the chain and the clock, and runs the worker. */
  const pass = async (seconds: number, blocks = 1) => {
    const { timestamp } = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    await chain.call('evm_setNextBlockTimestamp', Number(timestamp) + seconds)
    await chain.mine(blocks)
    const newest = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    instance.clock.advance(Number(newest.timestamp) * 1000 - instance.clock.now().getTime())
    await instance.runJobs()
  }
  const open = async (member: TestMember) => {
    const { token } = await instance.signIn(member.id)
    const reply = await instance.call('POST', '/autoPayRoutes/create-invoice', { token, body: { amount: 777 } })
    if (reply.status !== 200) return reply.status
    const id: string = reply.body.data.data.invoice_id
    return (await instance.call('GET', `/invoice-api/invoice/${id}`)).body.wallet_address as string
  }
  const coin = async (member: TestMember) => (await balancesOf(db, member.id)).nativeWallet
  return { pass, open, coin }
}

it('[I8] credits no member for a payment to an address that a lost part of the database showed to another member', async () => {
  const [before, after] = [await testDatabase(), await emptyDatabase()]
  const [ada, bruno] = [await createTestMember(before.db), await createTestMember(before.db)]
  const lost = await startOn(before.db)
  await lost.pass(1)
  const backedUp = String(await lost.open(ada))
  const file = path.join(folder, 'backup.dump')
  expect(await command('backup', before.url, file)).toBe(0)
  const forgotten = String(await lost.open(ada))
  expect(await command('restore', after.url, file)).toBe(0)

  const restored = await startOn(after.db)
  await restored.pass(1)
  // The hour of the restore gives no address, because the lost part may have given it.
  expect(await restored.open(bruno)).toBe(503)
  expect(await after.db.selectFrom('deposit').select('id').execute()).toHaveLength(1)
  await restored.pass(3_600)
  await restored.pass(1)
  const next = String(await restored.open(bruno))
  expect(next).toMatch(/^0x/)
  expect([backedUp, forgotten]).not.toContain(next)
  for (const address of [backedUp, forgotten]) await chain.send(address, 777n * 10n ** 18n)
  await restored.pass(1, 13)
  await restored.pass(1)
  expect([await restored.coin(ada), await restored.coin(bruno)]).toEqual([777n * ONE, 0n])
  expect(
    (await chainIncidents(after.db)).map(({ kind, transfers }) => [kind, transfers.length, transfers[0]?.includes(forgotten)]),
  ).toEqual([['UNCLAIMED', 1, true]])
})
