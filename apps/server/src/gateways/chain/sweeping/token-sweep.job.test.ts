import { HDKey } from '@scure/bip32'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestChain } from '../../../../../../test/chain/test-chain.ts'
import { tamperingNode } from '../../../../../../test/chain/tampering-node.ts'
import { testDatabase } from '../../../../test/database.ts'
import { runJob } from '../../../jobs/job.ts'
import { testClock } from '../../../platform/runtime/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { randomIds } from '../../../platform/runtime/ids.ts'
import { createLog } from '../../../platform/runtime/log.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import { depositAddresses } from '../deposit-address.ts'
import { chainNode } from '../chain-node.ts'
import { adoptMove } from './adopt-move.ts'
import { keySigner } from '../sending/signer.ts'
import { branchKeys } from './branch-keys.ts'
import { tokenSweepJob } from './token-sweep.job.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') }
const chain = await startTestChain({ at: clock.now() })
const usd = await chain.deployToken()
const node = tamperingNode(chain.url)
afterAll(async () => {
  node.close()
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
const minAmounts = new Map([
  [coin, exact(50n)],
  [usd, exact(20n)],
])
let stopped = false
/** Edits signed transactions as the database owner, because they are append-only. */
const force = (edit: (tx: Db) => Promise<unknown>) =>
  inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await edit(tx)
  })
/** Completed moves with their mined transactions. */
const completed = () =>
  db
    .selectFrom('chain_move as m')
    .innerJoin('signed_transaction as t', (join) => join.onRef('t.move_id', '=', 'm.id').on('t.block', 'is not', null))
const sweepBy = (more: { keys?: typeof keys } = {}) =>
  tokenSweepJob(
    {
      rpcUrl: node.url,
      keys: () => Promise.resolve(more.keys ?? keys),
      to: () => Promise.resolve(TO),
      rules: { chainId, maxGasPrice: 100_000_000_000n, minAmounts },
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

let keyIndexes = 0
/** Creates an address with a final token payment. */
async function paid(amount: bigint, token = usd, at?: string): Promise<string> {
  const keyIndex = keyIndexes
  const address = at ?? addressAt(keyIndex)
  if (at === undefined) {
    keyIndexes += 1
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(keyIndex), invoice_id: `invoice-${keyIndex}` })
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
const bare = chainNode(chain.url)
const held = (address: string, token = usd) => bare.tokenOf(token, address)
const moves = () => db.selectFrom('chain_move').select(['kind', 'wallet', 'nonce', 'state']).orderBy('id').execute()
/** Sets the lowest price of a transaction in the next blocks, in wei per gas unit. */
const setPrice = (price: bigint) => chain.call('anvil_setNextBlockBaseFeePerGas', `0x${price.toString(16)}`)
const fillGas = (whole = 1n) => chain.call('anvil_setBalance', GAS, `0x${exact(whole).toString(16)}`)

describe('balances at invoice addresses', () => {
  it('moves to the target after each address got gas, with the network fees recorded', async () => {
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
    const costs = await completed().select(['m.kind', 'm.state', 't.gas_paid', 't.hash']).execute()
    expect(costs.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(['GAS DONE', 'GAS DONE', 'SWEEP DONE', 'SWEEP DONE'])
    // Total gas costs equal the gas wallet's loss minus the gas still at the addresses.
    const coins = await Promise.all([GAS, first, second].map((address) => bare.nativeBalanceOf(address)))
    expect(costs.reduce((sum, { gas_paid }) => sum + BigInt(gas_paid ?? 0), 0n)).toBe(exact(1n) - coins.reduce((sum, one) => sum + one, 0n))
    for (const { hash } of costs) expect((await bare.receipts([hash]))[0]?.succeeded).toBe(true)
    // The emptied address and the small one receive more.
    await paid(30n, usd, first)
    await paid(1n, usd, little)
    await settle()
    expect(await held(TO)).toBe(exact(150n))
    await settle(2)
    expect(await bare.nonceOf(first)).toBe(2)
  })

  it('moves once when two workers are interrupted anywhere and answers are lost', async () => {
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

  it('stays during an emergency pause, with expensive gas or without gas, and continues afterwards', async () => {
    await fillGas()
    const open = await paid(65n)
    await round()
    await chain.mine(12)
    await round()
    await chain.mine(12)
    // A pause still completes what is mined.
    stopped = true
    await round()
    expect((await moves()).map(({ state }) => state)).not.toContain('SIGNED')
    expect(await held(open)).toBe(0n)
    stopped = false
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

  it('gets gas twice in 24 hours at most when a node hides the balance', async () => {
    await fillGas()
    const address = await paid(100n)
    const gasMoves = async () =>
      (await db.selectFrom('chain_move').select('id').where('address', '=', address).where('kind', '=', 'GAS').execute()).length
    node.tamper = ({ method, params }) => (method === 'eth_getBalance' && params[0] === address ? '0x0' : undefined)
    await settle(5)
    expect(await gasMoves()).toBe(2)
    clock.advance(24 * 3_600_000)
    await round()
    expect(await gasMoves()).toBe(3)
    node.tamper = undefined
    await settle()
    expect(await held(address)).toBe(0n)
  })

  it('is sent again after a forgetful node or a reorganisation, and with a higher fee when the price rose', async () => {
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
    const risen = ((await bare.gasPrice()) * 3n) / 2n
    node.tamper = ({ method }) => (method === 'eth_gasPrice' ? `0x${risen.toString(16)}` : undefined)
    await round()
    node.tamper = undefined
    const [open] = await db.selectFrom('chain_move').select(['id', 'nonce']).where('state', '=', 'SIGNED').execute()
    const transactions = await db
      .selectFrom('signed_transaction')
      .select('gas_price')
      .where('move_id', '=', open?.id ?? 0n)
      .orderBy('made_at')
      .execute()
    const [low, high] = transactions.map(({ gas_price }) => BigInt(gas_price))
    expect(high).toBeGreaterThanOrEqual(((low ?? 0n) * 9n) / 8n)
    await settle()
    expect([await held(address), await held(TO)]).toEqual([0n, before + exact(80n)])
  })

  it('is signed for no foreign address when the database was changed', async () => {
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
      expect(await db.selectFrom('signed_transaction').select('hash').where('move_id', '=', id).execute()).toHaveLength(1)
      await db.updateTable('chain_move').set({ amount }).where('id', '=', id).execute()
      await round()
      await chain.mine(12)
    }
    await round()
    expect([await held(address), await held(thief), await bare.nativeBalanceOf(thief)]).toEqual([0n, 0n, 0n])
    const other = await paid(86n)
    await db.insertInto('chain_address').values({ address: thief, key_index: 1_000_000n, invoice_id: 'invoice-thief' }).execute()
    await db.updateTable('chain_transfer').set({ address: thief }).where('address', '=', other).execute()
    await chain.send(thief, exact(86n), usd)
    await chain.mine()
    await round()
    const [refused] = await db.selectFrom('chain_sweep_problem').select(['address', 'problem']).execute()
    expect(refused).toEqual({ address: thief, problem: 'the address does not derive from the sweep key' })
    expect(await bare.nativeBalanceOf(thief)).toBe(0n)
    await db.deleteFrom('chain_transfer').where('address', '=', thief).execute()
    await db.deleteFrom('chain_sweep_problem').where('address', '=', thief).execute()
    await db.deleteFrom('chain_address').where('address', '=', thief).execute()
  })

  it('is adopted when a move of the restored database took its nonce, which then has the content of the mined one', async () => {
    await fillGas()
    const address = await paid(45n)
    await settle()
    const doneMoves = await completed()
      .select(['m.id', 'm.kind', 'm.amount', 't.hash'])
      .where('m.address', '=', address)
      .orderBy('m.id')
      .execute()
    expect(doneMoves.map(({ kind }) => kind)).toEqual(['GAS', 'SWEEP'])
    // The restored database signed both nonces for another amount.
    const open = { state: 'SIGNED', ended_at: null, check_at: null }
    const unmined = { block: null, block_hash: null, gas_used: null, gas_paid: null }
    for (const { id, hash } of doneMoves) {
      await db
        .updateTable('chain_move')
        .set({ ...open, amount: '7' })
        .where('id', '=', id)
        .execute()
      await force((tx) =>
        tx
          .updateTable('signed_transaction')
          .set({ ...unmined, hash: `${hash} of another` })
          .where('move_id', '=', id)
          .execute(),
      )
    }
    const adopt = (hash: string | null, confirmations: number) =>
      adoptMove((work) => inTransaction(db, work), deps, {
        node: bare,
        chainId,
        hash: hash ?? '',
        xpub: branch.publicExtendedKey ?? '',
        targets: [TO],
        confirmations,
      })
    for (const { hash, kind } of doneMoves) {
      await expect(adopt(hash, 10_000)).rejects.toThrow('not final yet')
      expect(await adopt(hash, 12)).toBe(kind === 'GAS' ? 'gas' : 'sweep')
    }
    await force((tx) => tx.deleteFrom('signed_transaction').where('hash', 'like', '%another').execute())
    await settle(2)
    const adopted = await completed()
      .select(['m.id', 'm.kind', 'm.amount', 't.hash'])
      .where('m.address', '=', address)
      .orderBy('m.id')
      .execute()
    expect(adopted).toEqual(doneMoves)
    const swept = await db.selectFrom('chain_transfer').select('swept_by').where('address', '=', address).execute()
    expect(swept).toEqual([{ swept_by: doneMoves[1]?.id }])
    await expect(adopt(`0x${'7'.repeat(64)}`, 12)).rejects.toThrow('no such transaction')
  })

  /** Deletes a sweep from the database, as a restore does. */
  const lose = async ({ id }: { id: bigint }) => {
    await db.updateTable('chain_transfer').set({ swept_by: null }).where('swept_by', '=', id).execute()
    await force((tx) => tx.deleteFrom('signed_transaction').where('move_id', '=', id).execute())
    await db.deleteFrom('chain_move').where('id', '=', id).execute()
  }
  const sweepsOf = (address: string) =>
    completed().select(['m.id', 'm.nonce', 'm.state', 't.hash']).where('m.wallet', '=', address).orderBy('m.nonce').execute()

  it('[I7] is not signed before a lost sweep of its address is adopted, although the address holds enough of a later payment', async () => {
    await fillGas()
    const before = await held(TO)
    const address = await paid(45n)
    await settle()
    const [lost] = await sweepsOf(address)
    if (lost === undefined) throw new Error('no sweep')
    await lose(lost)
    // The later payment has the same amount and is not final yet.
    await paid(45n, usd, address)
    const ofAddress = () => db.updateTable('chain_transfer').where('address', '=', address)
    const { id: later } = await db
      .selectFrom('chain_transfer')
      .select('id')
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await ofAddress().set({ state: 'SEEN' }).where('id', '=', later).execute()
    await settle()
    const problem = () => db.selectFrom('chain_sweep_problem').select('problem').where('address', '=', address).execute()
    expect([await sweepsOf(address), await problem()]).toEqual([
      [],
      [{ problem: `the chain has 1 transactions of ${address}, this database signed 0` }],
    ])
    const adopted = { node: bare, chainId, hash: lost.hash, xpub: branch.publicExtendedKey ?? '', targets: [TO] }
    expect(await adoptMove((work) => inTransaction(db, work), deps, adopted)).toBe('sweep')
    await settle()
    await ofAddress().set({ state: 'FINAL' }).where('id', '=', later).execute()
    await settle()
    const sweeps = await sweepsOf(address)
    expect(sweeps).toMatchObject([
      { nonce: 0n, state: 'DONE', hash: lost.hash },
      { nonce: 1n, state: 'DONE' },
    ])
    const swept = await db.selectFrom('chain_transfer').select('swept_by').where('address', '=', address).orderBy('id').execute()
    expect(swept.map((row) => row.swept_by)).toEqual(sweeps.map(({ id }) => id))
    expect([await held(TO), await problem()]).toEqual([before + exact(90n), []])
  })

  it('is adopted when the database has only a move with a higher nonce, of another token of the address', async () => {
    await fillGas()
    const address = await paid(45n)
    await settle()
    await paid(60n, coin, address)
    await settle()
    const [lost] = await sweepsOf(address)
    if (lost === undefined) throw new Error('no sweep')
    await lose(lost)
    expect(await sweepsOf(address)).toMatchObject([{ nonce: 1n, state: 'DONE' }])
    const adopted = { node: bare, chainId, hash: lost.hash, xpub: branch.publicExtendedKey ?? '', targets: [TO] }
    const adopt = (confirmations: number) => adoptMove((work) => inTransaction(db, work), deps, { ...adopted, confirmations })
    await expect(adopt(10_000)).rejects.toThrow('not final yet')
    expect([await adopt(12), await adopt(12)]).toEqual(['sweep', 'known'])
    await settle(2)
    const sweeps = await sweepsOf(address)
    expect(sweeps).toMatchObject([
      { nonce: 0n, state: 'DONE', hash: lost.hash },
      { nonce: 1n, state: 'DONE' },
    ])
    const swept = await db.selectFrom('chain_transfer').select('swept_by').where('address', '=', address).orderBy('id').execute()
    expect(swept.map((row) => row.swept_by)).toEqual(sweeps.map(({ id }) => id))
    expect(await db.selectFrom('chain_sweep_problem').selectAll().where('address', '=', address).execute()).toEqual([])
  })

  it('[I7] is not signed while its address or the gas wallet has a pending transaction that this database did not sign', async () => {
    await fillGas()
    const address = await paid(45n)
    const order = { chainId, from: GAS, nonce: await bare.nonceOf(GAS), gasPrice: 2n * (await bare.gasPrice()) }
    const lost = await keys.sign('gas', { ...order, coin: { to: address, amount: 10n ** 15n } })
    await bare.send([lost.raw])
    await expect(round()).rejects.toThrow('this database signed')
    await chain.mine(13)
    const adopted = { node: bare, chainId, hash: lost.hash, xpub: branch.publicExtendedKey ?? '', targets: [TO] }
    expect(await adoptMove((work) => inTransaction(db, work), deps, adopted)).toBe('gas')
    const before = await held(TO)
    await settle()
    expect(await held(TO)).toBe(before + exact(45n))
  })

  it.each(['gas', 'sweep of the unswept token', 'sweep of another token'] as const)(
    '[I7] is adopted while a lost %s is pending below the market price, and the replacement moves it once',
    async (lost) => {
      await fillGas()
      const before = [await held(TO), await held(TO, coin)]
      const address = await paid(45n)
      if (lost === 'sweep of another token') await paid(60n, coin, address)
      const isGas = lost === 'gas'
      const low = await bare.gasPrice()
      const [key, from] = isGas ? (['gas', GAS] as const) : ([keyIndexes - 1, address] as const)
      if (!isGas) await chain.call('anvil_setBalance', address, `0x${exact(1n).toString(16)}`)
      const transfer =
        lost === 'sweep of another token' ? { token: coin, to: TO, amount: exact(60n) } : { token: usd, to: TO, amount: exact(45n) }
      const content = isGas ? { coin: { to: address, amount: 10n ** 15n } } : { transfer }
      const nonce = await bare.nonceOf(from)
      const [signed, foreign, later] = await Promise.all([
        keys.sign(key, { chainId, from, nonce, gasPrice: low, ...content }),
        keys.sign(key, { chainId, from, nonce, gasPrice: low, coin: { to: TO, amount: 1n } }),
        keys.sign(key, { chainId, from, nonce: nonce + 1, gasPrice: low, ...content }),
      ])
      const adopt = ({ hash }: { hash: string }) =>
        adoptMove((work) => inTransaction(db, work), deps, {
          node: bare,
          chainId,
          hash,
          xpub: branch.publicExtendedKey ?? '',
          targets: [TO],
        })
      // Software other than the product signed it.
      await bare.send([foreign.raw])
      await expect(adopt(foreign)).rejects.toThrow('the key was used elsewhere')
      await chain.call('anvil_dropAllTransactions')
      await bare.send([signed.raw, later.raw])
      await expect(adopt(later)).rejects.toThrow(`and ${nonce} comes first`)
      await chain.call('anvil_dropAllTransactions')
      await bare.send([signed.raw])
      await setPrice(3n * low)
      const problem = () => db.selectFrom('chain_sweep_problem').select('problem').where('address', '=', address).executeTakeFirst()
      if (isGas) await expect(round()).rejects.toThrow('this database signed')
      else {
        await round()
        expect((await problem())?.problem).toContain('the chain has 1 transactions of')
      }
      expect([await adopt(signed), await adopt(signed)]).toEqual([isGas ? 'gas' : 'sweep', 'known'])
      const { id } = await db
        .selectFrom('chain_move')
        .select('id')
        .where('wallet', '=', from)
        .where('state', '=', 'SIGNED')
        .executeTakeFirstOrThrow()
      clock.advance(180_000)
      await settle(6)
      await setPrice(low)
      const made = await db
        .selectFrom('signed_transaction')
        .select(['hash', 'block'])
        .where('move_id', '=', id)
        .orderBy('gas_price')
        .execute()
      expect(made.map(({ hash, block }) => [hash === signed.hash, block !== null])).toEqual([
        [true, false],
        [false, true],
      ])
      const coins = lost === 'sweep of another token' ? exact(60n) : 0n
      expect([await held(TO), await held(TO, coin)]).toEqual([(before[0] ?? 0n) + exact(45n), (before[1] ?? 0n) + coins])
      const ended = await db.selectFrom('chain_move').select(['kind', 'state']).where('address', '=', address).orderBy('id').execute()
      expect(ended.every(({ state }) => state === 'DONE')).toBe(true)
      expect(ended.filter(({ kind }) => kind === 'SWEEP')).toHaveLength(coins === 0n ? 1 : 2)
      const swept = await db.selectFrom('chain_transfer').select('swept_by').where('address', '=', address).execute()
      expect(swept.filter(({ swept_by }) => swept_by === null)).toEqual([])
      expect(await problem()).toBeUndefined()
    },
  )

  it('[I7] is adopted in the order of the nonces when two are pending of a gas wallet that this database never used', async () => {
    const address = await paid(1n)
    const other = HDKey.fromMasterSeed(Buffer.alloc(32, 8)).derive("m/44'/60'/0'")
    const [otherKeys, xpub] = [branchKeys(other.privateExtendedKey ?? '', other.publicExtendedKey ?? ''), other.publicExtendedKey ?? '']
    const from = otherKeys.addressAt('gas')
    await chain.call('anvil_setBalance', from, `0x${exact(1n).toString(16)}`)
    const low = await bare.gasPrice()
    const order = { chainId, from, gasPrice: low, coin: { to: address, amount: 10n ** 15n } }
    const [first, second] = await Promise.all([
      otherKeys.sign('gas', { ...order, nonce: 0 }),
      otherKeys.sign('gas', { ...order, nonce: 1 }),
    ])
    await bare.send([first.raw, second.raw])
    await setPrice(3n * low)
    const adopt = ({ hash }: { hash: string }) =>
      adoptMove((work) => inTransaction(db, work), deps, { node: bare, chainId, hash, xpub, targets: [TO] })
    await expect(adopt(second)).rejects.toThrow('its nonce is 1')
    expect(await adopt(first)).toBe('gas')
    await setPrice(low)
    await settle(2)
    expect(await db.selectFrom('chain_move').select(['nonce', 'state']).where('wallet', '=', from).execute()).toEqual([
      { nonce: 0n, state: 'DONE' },
    ])
  })

  it('is adopted after the restore of an old backup, in its order, and swept once', async () => {
    await fillGas()
    const before = await held(TO)
    const address = await paid(45n)
    const backup = await db.selectFrom('chain_move').select('id').execute()
    await settle()
    await paid(30n, usd, address)
    await settle()
    const doneMoves = await completed()
      .select(['m.id', 'm.kind', 't.hash'])
      .where(
        'm.id',
        '>',
        backup.map(({ id }) => id).reduce((one, other) => (one > other ? one : other), 0n),
      )
      .orderBy('m.id')
      .execute()
    expect(doneMoves.map(({ kind }) => kind)).toEqual(['GAS', 'SWEEP', 'SWEEP'])
    const ids = doneMoves.map(({ id }) => id)
    await db.updateTable('chain_transfer').set({ swept_by: null }).where('swept_by', 'in', ids).execute()
    await force((tx) => tx.deleteFrom('signed_transaction').where('move_id', 'in', ids).execute())
    await db.deleteFrom('chain_move').where('id', 'in', ids).execute()
    await round()
    expect(await db.selectFrom('chain_sweep_problem').select('problem').where('address', '=', address).execute()).toEqual([
      { problem: 'the address holds less than arrived' },
    ])
    const [gas, first, second] = doneMoves.map(({ hash }) => hash)
    const adopt = (hash = '', targets = [TO]) =>
      adoptMove((work) => inTransaction(db, work), deps, { node: bare, chainId, hash, xpub: branch.publicExtendedKey ?? '', targets })
    await expect(adopt(second)).rejects.toThrow('and 0 comes first')
    await expect(adopt(first, [])).rejects.toThrow('which is not a sweep target')
    expect([await adopt(gas), await adopt(gas)]).toEqual(['gas', 'known'])
    expect(await adopt(first)).toBe('sweep')
    await expect(adopt(second)).rejects.toThrow('is not complete')
    await round()
    expect(await adopt(second)).toBe('sweep')
    await settle(2)
    const swept = await db
      .selectFrom('chain_transfer')
      .select(['amount', 'swept_by'])
      .where('address', '=', address)
      .orderBy('id')
      .execute()
    const sweeps = (await db.selectFrom('chain_move').select(['id', 'state']).where('address', '=', address).orderBy('id').execute()).slice(
      1,
    )
    expect(sweeps.map(({ state }) => state)).toEqual(['DONE', 'DONE'])
    expect(swept.map(({ swept_by }) => swept_by)).toEqual(sweeps.map(({ id }) => id))
    expect([await held(TO), await bare.nonceOf(address)]).toEqual([before + exact(75n), 2])
    expect(await db.selectFrom('chain_sweep_problem').selectAll().where('address', '=', address).execute()).toEqual([])
    // A transaction of another key, and one that the branch did not make as a sweep.
    const order = { chainId, gasPrice: 2n * (await bare.gasPrice()), coin: { to: TO, amount: 1n } }
    const stranger = keySigner(Buffer.alloc(32, 3))
    await chain.call('anvil_setBalance', stranger.address, '0xde0b6b3a7640000')
    const other = await stranger.sign({ ...order, from: stranger.address, nonce: 0 })
    const foreign = await keys.sign('gas', { ...order, from: GAS, nonce: await bare.nonceOf(GAS) })
    await bare.send([other.raw, foreign.raw])
    await chain.mine()
    expect(await adopt(other.hash)).toBeUndefined()
    await expect(adopt(foreign.hash)).rejects.toThrow('the key was used elsewhere')
  })

  it('stays when the key is of another branch, or the gas key was used elsewhere', async () => {
    const other = HDKey.fromMasterSeed(Buffer.alloc(32, 8)).derive("m/44'/60'/0'")
    expect(() => branchKeys(other.privateExtendedKey ?? '', branch.publicExtendedKey ?? '')).toThrow('does not contain the private key')
    expect(() => branchKeys(branch.publicExtendedKey ?? '', branch.publicExtendedKey ?? '')).toThrow('does not contain the private key')
    const address = await paid(90n)
    await chain.call('anvil_impersonateAccount', GAS)
    await chain.call('eth_sendTransaction', { from: GAS, to: TO, value: '0x1' })
    await chain.mine()
    await expect(round()).rejects.toThrow('this database signed')
    expect(await held(address)).toBe(exact(90n))
  })
})
