import { HDKey } from '@scure/bip32'
import { ONE } from '@tizara/money'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startChain } from '../../../../../../test/chain/anvil.ts'
import { tamperingNode } from '../../../../../../test/chain/tampering-node.ts'
import { testDatabase } from '../../../../test/database.ts'
import { runJob } from '../../../jobs/job.ts'
import { testClock } from '../../../platform/runtime/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { randomIds } from '../../../platform/runtime/ids.ts'
import { createLog } from '../../../platform/runtime/log.ts'
import { depositAddresses } from '../deposit-address.ts'
import { walletNode } from '../sending/wallet-node.ts'
import { branchKeys } from './branch-keys.ts'
import { depositSweep } from './sweep-deposits.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') }
const chain = await startChain({ at: clock.now() })
const usd = await chain.deployToken()
const node = await tamperingNode(chain.url)
afterAll(async () => {
  await node.close()
  await chain.stop()
})
beforeEach(() => {
  node.tamper = undefined
  stopped = false
})

const { chainId, token: coin } = chain
const branch = HDKey.fromMasterSeed(Buffer.alloc(32, 9)).derive("m/44'/60'/0'")
const keys = branchKeys(branch.privateExtendedKey ?? '', branch.publicExtendedKey ?? '')
const addressAt = depositAddresses(branch.publicExtendedKey ?? '')
const [TO, GAS] = [`0x${'ab'.repeat(20)}`, keys.addressAt('gas')]
const exact = (whole: bigint) => whole * 10n ** 18n
const least = new Map([
  [coin, exact(50n)],
  [usd, exact(20n)],
])
let stopped = false
const sweepBy = (more: { keys?: typeof keys } = {}) =>
  depositSweep(
    {
      rpcUrl: node.url,
      keys: () => Promise.resolve(more.keys ?? keys),
      to: () => Promise.resolve(TO),
      rules: { chainId, gasPriceMost: 100_000_000_000n, least },
    },
    () => Promise.resolve(!stopped),
  )
const sweep = sweepBy()
/** Runs one worker round, 16 seconds later. */
const round = (which = sweep, worker = 'worker') => {
  clock.advance(16_000)
  return runJob(db, deps, which, worker)
}
/** Runs rounds and mines the blocks that make each step final. */
const settle = async (steps = 4) => {
  for (let step = 0; step < steps; step += 1) {
    await round()
    await chain.mine(12)
  }
  await round()
}

let places = 0
/** Creates an address with a final token payment. */
async function paid(amount: bigint, token = usd, at?: string): Promise<string> {
  const place = places
  const address = at ?? addressAt(place)
  if (at === undefined) {
    places += 1
    await db
      .insertInto('chain_address')
      .values({ address, place: BigInt(place), invoice_id: `invoice-${place}` })
      .execute()
  }
  const tx_hash = await chain.send(address, exact(amount), token)
  await chain.mine()
  const what = { tx_hash, address, ordinal: 0, token, exact_amount: String(exact(amount)), amount: amount * ONE }
  await db
    .insertInto('chain_transfer')
    .values({ chain_id: BigInt(chainId), ...what, block: 1n, block_time: clock.now(), state: 'FINAL' })
    .execute()
  return address
}
const bare = walletNode(chain.url)
const held = (address: string, token = usd) => bare.tokenOf(token, address)
const moves = () => db.selectFrom('chain_move').select(['kind', 'wallet', 'nonce', 'state']).orderBy('id').execute()
const fillGas = (whole = 1n) => chain.call('anvil_setBalance', GAS, `0x${exact(whole).toString(16)}`)

describe('sweep of deposit addresses', () => {
  it('collects the tokens of each address after sending it gas, and records the network cost', async () => {
    await fillGas()
    const [first, second, little] = [await paid(100n), await paid(60n, coin), await paid(19n)]
    await round()
    await chain.mine(11)
    await round()
    expect((await moves()).map(({ kind, wallet, state }) => [kind, wallet, state])).toEqual([
      ['GAS', GAS, 'SIGNED'],
      ['GAS', GAS, 'SIGNED'],
    ])
    await settle()
    expect([await held(TO), await held(TO, coin)]).toEqual([exact(100n), exact(60n)])
    expect([await held(first), await held(second, coin), await held(little)]).toEqual([0n, 0n, exact(19n)])
    const costs = await db.selectFrom('chain_move').select(['kind', 'state', 'gas_paid', 'mined_hash']).execute()
    expect(costs.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(['GAS DONE', 'GAS DONE', 'SWEEP DONE', 'SWEEP DONE'])
    // Total gas costs equal the gas wallet's loss minus the gas still at the addresses.
    const coins = await Promise.all([GAS, first, second].map((address) => bare.coinOf(address)))
    expect(costs.reduce((sum, { gas_paid }) => sum + BigInt(gas_paid ?? 0), 0n)).toBe(exact(1n) - coins.reduce((sum, one) => sum + one, 0n))
    for (const { mined_hash: hash } of costs) expect((await bare.receipts([hash ?? '']))[0]?.succeeded).toBe(true)
    // The emptied address and the small one receive more.
    await paid(30n, usd, first)
    await paid(1n, usd, little)
    await settle()
    expect(await held(TO)).toBe(exact(150n))
    await settle(2)
    expect(await bare.nonceOf(first)).toBe(2)
  })

  it('collects each deposit once through interruptions, two workers and lost answers', async () => {
    await fillGas()
    const before = await held(TO)
    const addresses = [await paid(40n), await paid(41n), await paid(42n)]
    for (let cut = 1; cut <= 30; cut += 1) {
      let left = cut
      node.tamper = async ({ method }, answer) => {
        left -= 1
        // The transaction arrives, but the answer gets lost.
        if (left === 0 && method === 'eth_sendRawTransaction') await answer()
        if (left === 0) throw new Error('gone')
        return undefined
      }
      await Promise.allSettled([round(sweep, 'one'), round(sweepBy(), 'two')])
      await chain.mine(4)
    }
    node.tamper = undefined
    await settle()
    expect(await held(TO)).toBe(before + exact(123n))
    expect(await Promise.all(addresses.map((address) => held(address)))).toEqual([0n, 0n, 0n])
    expect(await Promise.all(addresses.map((address) => bare.nonceOf(address)))).toEqual([1, 1, 1])
  })

  it('waits while the platform is paused or gas is expensive or missing, and then continues', async () => {
    const address = await paid(70n)
    const count = (await moves()).length
    stopped = true
    await settle(1)
    stopped = false
    node.tamper = ({ method }) => (method === 'eth_gasPrice' ? '0x174876e801' : undefined)
    await settle(1)
    node.tamper = undefined
    await chain.call('anvil_setBalance', GAS, '0x0')
    await settle(1)
    expect(await moves()).toHaveLength(count)
    await fillGas()
    await settle()
    expect(await held(address)).toBe(0n)
  })

  it('sends gas twice a day at most, whatever balance the node reports', async () => {
    await fillGas()
    const address = await paid(100n)
    const given = async () =>
      (await db.selectFrom('chain_move').select('id').where('address', '=', address).where('kind', '=', 'GAS').execute()).length
    node.tamper = ({ method, params }) => (method === 'eth_getBalance' && params[0] === address ? '0x0' : undefined)
    await settle(5)
    expect(await given()).toBe(2)
    clock.advance(24 * 3_600_000)
    await round()
    expect(await given()).toBe(3)
    node.tamper = undefined
    await settle()
    expect(await held(address)).toBe(0n)
  })

  it('resends after a dropped transaction or a reorg, and with a higher fee when stuck', async () => {
    const address = await paid(80n)
    const before = await held(TO)
    await round()
    await chain.call('anvil_dropAllTransactions')
    await round()
    await chain.mine(2)
    await chain.call('anvil_reorg', 2, [])
    await settle(1)
    await round()
    // After minutes without a block, a replacement with the same nonce pays more.
    clock.advance(200_000)
    await round()
    const [open] = await db.selectFrom('chain_move').select(['id', 'nonce']).where('state', '=', 'SIGNED').execute()
    const made = await db
      .selectFrom('chain_move_transaction')
      .select('gas_price')
      .where('move_id', '=', open?.id ?? 0n)
      .orderBy('made_at')
      .execute()
    const [low, high] = made.map(({ gas_price }) => BigInt(gas_price))
    expect(high).toBeGreaterThanOrEqual(((low ?? 0n) * 9n) / 8n)
    await settle()
    expect([await held(address), await held(TO)]).toEqual([0n, before + exact(80n)])
  })

  it('signs for no other address, whatever is written into the database', async () => {
    await fillGas()
    const thief = `0x${'cd'.repeat(20)}`
    const address = await paid(85n)
    const open = () =>
      db.selectFrom('chain_move').select(['id', 'kind', 'to_address', 'amount']).where('state', '=', 'SIGNED').executeTakeFirstOrThrow()
    for (const kind of ['GAS', 'SWEEP']) {
      await round()
      await chain.call('anvil_dropAllTransactions')
      const { id, to_address, amount, ...is } = await open()
      expect(is.kind).toBe(kind)
      await db.updateTable('chain_move').set({ to_address: thief }).where('id', '=', id).execute()
      clock.advance(200_000)
      await round()
      await db
        .updateTable('chain_move')
        .set({ to_address, amount: String(exact(1n)) })
        .where('id', '=', id)
        .execute()
      if (kind === 'GAS') await round()
      expect(await db.selectFrom('chain_move_transaction').select('hash').where('move_id', '=', id).execute()).toHaveLength(1)
      await db.updateTable('chain_move').set({ amount }).where('id', '=', id).execute()
      await round()
      await chain.mine(12)
    }
    await round()
    expect([await held(address), await held(thief), await bare.coinOf(thief)]).toEqual([0n, 0n, 0n])
    const other = await paid(86n)
    await db.insertInto('chain_address').values({ address: thief, place: 1_000_000n, invoice_id: 'invoice-thief' }).execute()
    await db.updateTable('chain_transfer').set({ address: thief }).where('address', '=', other).execute()
    await chain.send(thief, exact(86n), usd)
    await chain.mine()
    await expect(round()).rejects.toThrow('not of the key for sweeping')
    expect(await bare.coinOf(thief)).toBe(0n)
    await db.deleteFrom('chain_transfer').where('address', '=', thief).execute()
    await db.deleteFrom('chain_address').where('address', '=', thief).execute()
  })

  it('refuses a key of another branch, and a key with an unknown transaction', async () => {
    const other = HDKey.fromMasterSeed(Buffer.alloc(32, 8)).derive("m/44'/60'/0'")
    expect(() => branchKeys(other.privateExtendedKey ?? '', branch.publicExtendedKey ?? '')).toThrow('not the private one')
    expect(() => branchKeys(branch.publicExtendedKey ?? '', branch.publicExtendedKey ?? '')).toThrow('not the private one')
    const address = await paid(90n)
    await chain.call('anvil_impersonateAccount', GAS)
    await chain.call('eth_sendTransaction', { from: GAS, to: TO, value: '0x1' })
    await chain.mine()
    await expect(round()).rejects.toThrow('this database signed')
    expect(await held(address)).toBe(exact(90n))
  })
})
