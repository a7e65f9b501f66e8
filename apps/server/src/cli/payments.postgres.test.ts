import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HDKey } from '@scure/bip32'
import { ONE } from '@tizara/money'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../test/chain/anvil.ts'
import { testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { byOne, createTestMember, fund, PAYOUT_ADDRESS, confirmPayoutAddress } from '../../test/members.ts'
import { branchKeys, keySigner } from '../gateways/chain/index.ts'
import { writeKeystore } from '../gateways/chain/sending/keystore.ts'
import { approvePayout, requestBridge, withdrawalRoutes } from '../modules/withdrawals/index.ts'
import { inTransaction } from '../platform/db/database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'payments-'))
const chain = await startChain({ chainId: 56 })
const [coin, usd] = [chain.token.toLowerCase(), (await chain.deployToken()).toLowerCase()]
/** Starts a provider without payments. */
const provider = createServer((request, reply) => {
  const isList = request.url?.includes('limit=') === true
  reply.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' }).end(isList ? '{"data":[]}' : '{}')
})
await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
afterAll(async () => {
  provider.close()
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const password = randomBytes(16).toString('hex')
const key = randomBytes(32)
const wallet = keySigner(key)
const branch = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'")
const [xprv, xpub] = [branch.privateExtendedKey ?? '', branch.publicExtendedKey ?? '']
const keystore = (name: string, secret: Uint8Array) => {
  const file = path.join(folder, name)
  writeFileSync(file, writeKeystore(secret, password, { N: 1024, r: 8, p: 1 }))
  return file
}
const SETTINGS = {
  DATA_DIR: folder,
  PAYMENT_PROVIDER_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  CHAIN_ID: '56',
  CHAIN_RPC_URL: chain.url,
  CHAIN_SECOND_RPC_URL: chain.url,
  CHAIN_TOKEN: coin,
  CHAIN_USD_TOKEN: usd,
  CHAIN_XPUB: xpub,
  CHAIN_GAS_USD: '600',
  PAYOUTS: 'automatic',
}
const OF_THE_WORKER = {
  PAYOUT_KEYSTORE: keystore('hot-wallet.json', key),
  PAYOUT_KEYSTORE_PASSWORD: password,
  SWEEP_KEYSTORE: keystore('branch.json', Buffer.from(xprv)),
  SWEEP_KEYSTORE_PASSWORD: password,
}

it('runs the documented chain commands, from the first check to a wallet that an old backup lacks', async () => {
  const { db, url } = await testDatabase()
  const typed = new Set<string>()
  const run = async (name: string, env: NodeJS.ProcessEnv, ...args: string[]) => {
    const entry = startEntry(name, { ...SETTINGS, ...env, DATABASE_URL: url }, ...args)
    return { code: await entry.ended, output: entry.output }
  }
  const payments = (what: string, ...about: string[]) => {
    typed.add(what)
    return run('payments', {}, what, ...about)
  }
  const work = async () => expect(await run('worker', OF_THE_WORKER, '--once')).toMatchObject({ code: 0 })

  const first = await payments('doctor')
  expect(first.code).toBe(2)
  expect(first.output).toContain('has not been read yet')
  expect(first.output).toContain('the worker has not opened a hot wallet yet')

  // A payment arrives before the worker's first poll, which starts behind it.
  const address = branchKeys(xprv, xpub).addressAt(0)
  await db.insertInto('chain_address').values({ address, key_index: 0n, invoice_id: 'of before' }).execute()
  await chain.send(address, 5n * 10n ** 18n)
  await chain.mine(20)
  for (const token of [coin, usd]) await chain.send(wallet.address, 1_000n * 10n ** 18n, token)
  await chain.call('anvil_setBalance', wallet.address, '0xde0b6b3a7640000')
  await chain.mine(1)
  await work()
  expect(await payments('doctor')).toMatchObject({ code: 0, output: expect.stringContaining('the hot wallet has enough gas and tokens') })

  // Payments found missing in two rounds are reported. After a rescan they are known.
  await payments('reconcile')
  const missing = await payments('reconcile')
  expect(missing.code).toBe(2)
  expect(missing.output).toContain(`${address} COIN holds 5000000000000000000 on the chain`)
  expect(await payments('rescan', '1')).toMatchObject({
    code: 0,
    output: expect.stringContaining('will read the chain again after block 1'),
  })
  await work()
  expect(await payments('reconcile')).toMatchObject({ code: 0 })

  // A payout that the wallet has paid, and that this restored database still has in its queue.
  const instance = await testApp(db, { routes: withdrawalRoutes, env: SETTINGS })
  const [staff, member] = [await createTestMember(db, { role: 'ADMIN' }), await createTestMember(db)]
  await fund(db, member.id, 'icoWallet', 100n * ONE)
  await confirmPayoutAddress(db, member.id)
  const input = { memberId: member.id, amount: 100n * ONE, address: PAYOUT_ADDRESS, network: 0 as const }
  const { id } = await inTransaction(db, (tx) => requestBridge(tx, instance.deps, input))
  await inTransaction(db, (tx) => approvePayout(tx, instance.deps, { payoutId: id, staffId: staff.id, reason: 'checked', ...byOne }))
  const { to_address: to, exact_amount: exact } = await db.selectFrom('payout_sending').selectAll().executeTakeFirstOrThrow()
  const transfer = { token: coin, to, amount: BigInt(exact) }
  const paid = await wallet.sign({ chainId: 56, from: wallet.address, nonce: 0, gasPrice: 10n ** 10n, transfer })
  await chain.call('eth_sendRawTransaction', paid.raw)
  await chain.mine(12)
  expect((await payments('doctor')).output).toContain('sent 1 transactions that this database does not contain')
  expect(await payments('adopt', `0x${'7'.repeat(64)}`)).toMatchObject({ code: 1, output: expect.stringContaining('no such transaction') })
  expect(await payments('adopt', paid.hash)).toMatchObject({ code: 0, output: expect.stringContaining(`is booked as payout ${id}`) })
  await work()
  expect(await db.selectFrom('payout_sending').select(['state', 'nonce']).execute()).toEqual([{ state: 'DONE', nonce: 0n }])
  expect(await payments('doctor')).toMatchObject({ code: 0 })

  const documented = readFileSync(new URL('../../../../docs/chain.md', import.meta.url), 'utf8').matchAll(/tizara payments ([a-z]+)/g)
  expect([...new Set([...documented].map(([, what]) => what ?? ''))].toSorted()).toEqual([...typed].toSorted())
})

it('reports that no chain is configured, and leaves no job that counts as failing', async () => {
  const { db, url } = await testDatabase()
  for (const args of [
    ['rescan', '1'],
    ['adopt', `0x${'7'.repeat(64)}`],
  ]) {
    const entry = startEntry('payments', { DATA_DIR: folder, DATABASE_URL: url }, ...args)
    expect([await entry.ended, entry.output]).toEqual([1, expect.stringContaining('no chain is configured')])
  }
  expect(await db.selectFrom('job_lease').select('name').execute()).toEqual([])
})
