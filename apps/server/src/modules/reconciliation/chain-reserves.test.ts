import { randomBytes } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { chainUsd, readStatement } from '@tizara/contract/balance-proof/proof-statement'
import { reserveText, verifySignatures } from '@tizara/contract/balance-proof/verify-signature'
import { addr, eip191Signer } from 'micro-eth-signer'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../../test/chain/anvil.ts'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { depositAddresses } from '../../gateways/chain/deposit-address.ts'
import { keySigner } from '../../gateways/chain/index.ts'
import { runOnce } from '../../jobs/run-worker.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { trustJobs, trustRoutes } from '../trust/index.ts'
import { chainReserves, type ReserveChain } from './chain-reserves.ts'

const { db } = await testDatabase()
const chain = await startChain()
afterAll(() => chain.stop())

const TOKEN = 10n ** 18n

it('[I21] publishes the reserves on the chain at one block once a day, signed with the key of the hot wallet', async () => {
  const instance = await testApp(db, { routes: trustRoutes })
  const wallet = keySigner(randomBytes(32))
  const [sweptKey, coldKey] = [keySigner(randomBytes(32)), keySigner(randomBytes(32))]
  const swept = sweptKey.address
  const xpub = HDKey.fromMasterSeed(randomBytes(32)).publicExtendedKey
  const addressAt = depositAddresses(xpub)
  const [unswept, other, foreign] = [addressAt(1), addressAt(2), `0x${'66'.repeat(20)}`]
  for (const [index, address] of [unswept, other, foreign].entries())
    await sql`insert into chain_address (address, key_index) values (${address}, ${index + 1})`.execute(db)
  await sql`insert into chain_transfer (chain_id, tx_hash, address, ordinal, token, exact_amount, amount, block, block_time, state)
    values (${chain.chainId}, '0x01', ${unswept}, 0, ${chain.token}, ${String(5n * TOKEN)}::numeric, 500000000, 1, now(), 'FINAL')`.execute(
    db,
  )
  const ports: ReserveChain = {
    chainId: chain.chainId,
    rpcUrl: chain.url,
    usd: { token: chain.token, decimals: 18 },
    xpub,
    signer: () => Promise.resolve(wallet),
    sweptTo: () => Promise.resolve(swept),
  }
  const run = (more: Partial<ReserveChain> = {}) => runOnce(db, instance.deps, trustJobs(chainReserves({ ...ports, ...more })))
  const published = async () => (await instance.call('GET', '/trust')).body.data.proof
  await chain.send(wallet.address, 7n * TOKEN)
  // Fractions below one unit are left out.
  await chain.send(swept, 5n * TOKEN + 1n)
  await chain.send(unswept, 3n * TOKEN)
  await chain.send(other, 2n * TOKEN)
  await chain.send(foreign, 100n * TOKEN)
  await chain.send(coldKey.address, 11n * TOKEN)
  await chain.mine()
  await run()
  const first = await published()
  expect(readStatement(first.text).reserves).toEqual({
    chainId: chain.chainId,
    block: expect.any(Number),
    holdings: [
      { role: 'payouts', address: wallet.address, token: chain.token, usd: 700_000_000n, signature: null },
      { role: 'swept', address: swept, token: chain.token, usd: 500_000_000n, signature: null },
    ],
    // The address that does not derive from the deposit branch is not counted.
    deposits: { unswept: 1, inTurn: 1, all: 3, usd: 500_000_000n },
  })
  for (const address of [unswept, other, foreign]) expect(first.text).not.toContain(address)
  expect(first.signer).toBe(wallet.address)
  expect(eip191Signer.verify(first.signature, first.text, addr.addChecksum(wallet.address))).toBe(true)
  // The collected deposits do not count: their key has signed nothing.
  expect(chainUsd(readStatement(first.text).reserves)).toBe(1_200_000_000n)
  await run()
  expect(await published()).toEqual(first)

  instance.clock.advance(DAY_MS)
  const textOf = (address: string) => reserveText(instance.deps.config.brandName, chain.chainId, address)
  const signed = async (key: typeof wallet) => ({ address: key.address, signature: await key.signText(textOf(key.address)) })
  await run({ addresses: [await signed(coldKey), await signed(sweptKey), await signed(wallet)] })
  const second = await published()
  const { reserves } = readStatement(second.text)
  expect(typeof reserves === 'string' ? reserves : reserves.holdings).toMatchObject([
    { role: 'payouts', address: wallet.address, usd: 700_000_000n, signature: null },
    { role: 'swept', address: swept, usd: 500_000_000n, signature: expect.any(String) },
    { role: 'cold', address: coldKey.address, usd: 1_100_000_000n, signature: expect.any(String) },
  ])
  expect(chainUsd(reserves)).toBe(2_800_000_000n)
  expect(() => verifySignatures(second)).not.toThrow()

  instance.clock.advance(DAY_MS)
  const stranger = keySigner(randomBytes(32))
  const lying = { ...wallet, signText: (text: string) => stranger.signText(text) }
  await run({ signer: () => Promise.resolve(lying) }).catch(() => undefined)
  expect(await published()).toMatchObject({ signer: null, signature: null })
  // A new key does not sign a statement that contains the address of the old one: verifiers would refuse the history for ever.
  await run({ signer: () => Promise.resolve(stranger) }).catch(() => undefined)
  expect(await published()).toMatchObject({ signer: null, signature: null })
  await run()
  expect(await published()).toMatchObject({ signer: wallet.address })

  // Nor is a day published with the signature of another address.
  instance.clock.advance(DAY_MS)
  const { text } = await published()
  const { signature } = await signed(coldKey)
  await run({ addresses: [{ address: foreign, signature }] }).catch(() => undefined)
  expect(await published()).toMatchObject({ text })
  await run()
  expect((await published()).text).not.toBe(text)

  instance.clock.advance(DAY_MS)
  await run({ rpcUrl: 'http://127.0.0.1:1' })
  expect(readStatement((await published()).text).reserves).toBe('unreachable')
  instance.clock.advance(DAY_MS)
  await run({ usd: undefined })
  expect(readStatement((await published()).text).reserves).toBe('no-usd-token')
  expect((await published()).signer).toBe(wallet.address)
})
