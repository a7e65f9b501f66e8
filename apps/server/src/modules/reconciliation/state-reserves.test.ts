import { randomBytes } from 'node:crypto'
import { ONE } from '@tizara/money'
import { addr, eip191Signer } from 'micro-eth-signer'
import { afterAll, expect, it } from 'vitest'
import { startChain } from '../../../../../test/chain/anvil.ts'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { keySigner } from '../../gateways/chain/index.ts'
import { runJob } from '../../jobs/job.ts'
import { trustRoutes } from '../trust/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { reserveJob } from './state-reserves.job.ts'

const { db } = await testDatabase()
const chain = await startChain()
afterAll(() => chain.stop())

it('[I12] publishes the reserves once a day, signed by the hot wallet key, and rejects other signatures', async () => {
  const instance = await testApp(db, { routes: trustRoutes })
  const wallet = keySigner(randomBytes(32))
  const kept = `0x${'5a'.repeat(20)}`
  const stated = (signer = wallet) =>
    reserveJob({
      chainId: chain.chainId,
      rpcUrl: chain.url,
      tokens: [{ asset: 'coin', token: chain.token, decimals: 18, symbol: 'TIZ' }],
      brand: 'The house',
      signer: () => Promise.resolve(signer),
      sweptTo: () => Promise.resolve(kept),
    })
  const run = (signer?: typeof wallet) => runJob(db, instance.deps, stated(signer), 'worker')
  const told = async () => (await instance.call('GET', '/trust')).body.data.onChain
  expect(await told()).toBeNull()
  await chain.send(wallet.address, 7n * 10n ** 18n)
  // The statement omits fractions below one unit.
  await chain.send(kept, 5n * 10n ** 18n + 1n)
  await chain.mine()
  expect(await run()).toBe(1)
  const first = await told()
  expect(first).toMatchObject({
    chainId: chain.chainId,
    signer: wallet.address,
    holdings: [
      { address: wallet.address, asset: 'coin', amount: 7 },
      { address: kept, asset: 'coin', amount: 5 },
    ],
  })
  expect(first.text).toBe(
    [
      `Reserves of The house on ${instance.clock.now().toISOString()}, chain ${chain.chainId}`,
      `${wallet.address} holds 7 TIZ (${chain.token})`,
      `${kept} holds 5 TIZ (${chain.token})`,
    ].join('\n'),
  )
  expect(eip191Signer.verify(first.signature, first.text, addr.addChecksum(wallet.address))).toBe(true)
  await chain.send(wallet.address, ONE * 10n ** 10n)
  await chain.mine()
  expect(await run()).toBe(0)
  instance.clock.advance(DAY_MS)
  const other = keySigner(randomBytes(32))
  await expect(run({ ...wallet, signText: (text) => other.signText(text) })).rejects.toThrow('signed another text')
  expect(await told()).toEqual(first)
  expect(await run()).toBe(1)
  expect((await told()).holdings[0].amount).toBe(8)
})
