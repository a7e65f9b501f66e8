import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { CHAIN, COIN, minedAt, fakeNode, USD } from '../../../../test/sent-payouts.ts'
import { testClock } from '../../../platform/runtime/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { randomIds } from '../../../platform/runtime/ids.ts'
import { createLog } from '../../../platform/runtime/log.ts'
import { NodeUnavailable, NodeError } from '../rpc.ts'
import { COIN_GAS, GAS_LIMIT, readSigned } from '../sending/transfer-order.ts'
import { type BranchKeys, branchKeys } from './branch-keys.ts'
import { followMoves, replaceMoves, sendMoves } from './follow-moves.ts'
import { signMoves } from './sign-moves.ts'
import { tokenSweepDelays } from './token-sweep-problems.queries.ts'
import type { Sweeper, TokenSweepRules } from './sweeper.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
let problems: string[] = []
/** Owners of transactions that log entries name. */
let owners: unknown[] = []
const note = {
  value(of: { owner?: unknown }, text: string) {
    problems.push(text)
    owners.push(of.owner)
  },
}
const log = Object.create(createLog('silent'), { error: note, warn: note }) as Deps['log']
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log }
const branch = HDKey.fromMasterSeed(Buffer.alloc(32, 9)).derive("m/44'/60'/0'")
const own = branchKeys(branch.privateExtendedKey ?? '', branch.publicExtendedKey ?? '')
const [TO, GAS, THIEF] = [`0x${'ab'.repeat(20)}`, own.addressAt('gas'), `0x${'cd'.repeat(20)}`]
const ENOUGH = GAS_LIMIT * 1_000n
let play = fakeNode()
let coins = new Map<string, bigint>()
let held = new Map<string, bigint>()
let keys: BranchKeys = own
const sweeper = (rules: Partial<TokenSweepRules> = {}, node: object = {}): Sweeper => ({
  lease: { read: (look) => look(db), inTransaction: (work) => inTransaction(db, work) },
  deps,
  node: {
    ...play.node,
    nativeBalanceOf: (address) => Promise.resolve(coins.get(address) ?? 0n),
    tokenOf: (token, address) => Promise.resolve(held.get(`${token} ${address}`) ?? 0n),
    ...node,
  },
  keys,
  rules: {
    chainId: CHAIN,
    to: TO,
    minAmounts: new Map([
      [COIN ?? '', 50n],
      [USD ?? '', 20n],
    ]),
    maxGasPrice: 100_000n,
    ...rules,
  },
  mayMove: () => Promise.resolve(true),
})
beforeEach(async () => {
  ;[problems, owners, play, keys] = [[], [], fakeNode(), own]
  ;[coins, held] = [new Map([[GAS, 10n ** 20n]]), new Map()]
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const table of ['signed_transaction', 'chain_transfer', 'chain_sweep_problem', 'chain_move', 'chain_address'] as const)
      await tx.deleteFrom(table).execute()
  })
})

let hashes = 0
async function came(address: string, amount: bigint, more: object = {}): Promise<void> {
  const row = {
    chain_id: BigInt(CHAIN),
    tx_hash: `0x${(hashes += 1)}`,
    address,
    ordinal: 0,
    token: USD ?? '',
    exact_amount: String(amount),
  }
  await db
    .insertInto('chain_transfer')
    .values({ ...row, amount: 1n, block: 1n, block_time: clock.now(), state: 'FINAL', ...more })
    .execute()
}
/** Creates an address with a final token balance, and gas if it has enough. */
async function lies(
  keyIndex: number,
  amount = 100n,
  { token = USD ?? '', gas = ENOUGH }: { token?: string; gas?: bigint } = {},
): Promise<string> {
  const address = own.addressAt(keyIndex)
  await db
    .insertInto('chain_address')
    .values({ address, key_index: BigInt(keyIndex), invoice_id: `invoice-${keyIndex}` })
    .onConflict((one) => one.doNothing())
    .execute()
  await came(address, amount, { token })
  coins.set(address, gas)
  held.set(`${token} ${address}`, amount)
  return address
}
const rows = async () => ({
  moves: await db.selectFrom('chain_move').selectAll().orderBy('id').execute(),
  made: await db.selectFrom('signed_transaction').selectAll().orderBy('move_id').orderBy('made_at').execute(),
  transfers: await db.selectFrom('chain_transfer').selectAll().orderBy('id').execute(),
})
const short = async () => (await rows()).moves.map(({ kind, address, amount }) => [kind, address, BigInt(amount)])

describe('signing moves', () => {
  it('sweeps the whole final balance of a token at an address, and gives exactly the missing gas first', async () => {
    const [rich, poor] = [await lies(1), await lies(2, 70n, { gas: ENOUGH - 1n })]
    await came(rich, 5n)
    for (const more of [{ token: COIN ?? '' }, { chain_id: 2n }, { state: 'SEEN' }, { state: 'GONE' }]) await came(rich, 9n, more)
    held.set(`${USD} ${rich}`, 105n)
    play.nodeState.nonceOf = (address) => (address === GAS ? 3 : 0)
    const before = await rows()
    expect(await signMoves(sweeper())).toBe(2)
    const { moves, made, transfers } = await rows()
    const at = clock.now()
    const unmined = { ended_at: null, check_at: null }
    const common = { chain_id: BigInt(CHAIN), state: 'SIGNED', made_at: at, ...unmined }
    const [first, second] = moves
    expect(moves).toEqual([
      { ...common, id: first?.id, kind: 'SWEEP', wallet: rich, nonce: 0n, address: rich, to_address: TO, token: USD, amount: '105' },
      { ...common, id: second?.id, kind: 'GAS', wallet: GAS, nonce: 3n, address: poor, to_address: poor, token: null, amount: '2' },
    ])
    expect(transfers).toEqual(
      before.transfers.map((one) =>
        one.address === rich && one.token === USD && one.chain_id === BigInt(CHAIN) && one.state === 'FINAL'
          ? { ...one, swept_by: first?.id }
          : one,
      ),
    )
    const read = made.map(({ raw, hash, move_id, gas_price }) => ({ ...readSigned(raw), hash, move_id, gas_price }))
    expect(read).toMatchObject([
      { move_id: first?.id, from: rich, nonce: 0, gasPrice: 1_000n, gas_price: '1000' },
      { move_id: second?.id, from: GAS, nonce: 3, gasPrice: 1_000n, gas_price: '1000' },
    ])
    expect(await signMoves(sweeper())).toBe(0)
  })

  it('signs one move for each address, and twenty per round', async () => {
    const both = await lies(1)
    await lies(1, 60n, { token: COIN ?? '' })
    expect([await signMoves(sweeper()), await short()]).toEqual([1, [['SWEEP', both, 60n]]])
    for (let keyIndex = 2; keyIndex <= 23; keyIndex += 1) await lies(keyIndex, 60n, { token: COIN ?? '' })
    await lies(24)
    expect(await signMoves(sweeper())).toBe(20)
    expect(await signMoves(sweeper())).toBe(3)
  })

  it('reaches balances behind twenty that cannot be swept, in either token', async () => {
    for (let keyIndex = 1; keyIndex <= 20; keyIndex += 1) held.set(`${COIN} ${await lies(keyIndex, 60n, { token: COIN ?? '' })}`, 0n)
    const behind = [await lies(21, 60n, { token: COIN ?? '' }), await lies(22)]
    expect(await signMoves(sweeper())).toBe(0)
    clock.advance(10_000)
    expect(await signMoves(sweeper())).toBe(2)
    expect((await short()).map(([, address]) => address)).toEqual(behind)
    // The balances that came back are tried again, and the other token of an address is not delayed by the first.
    const other = await lies(1, 30n)
    expect([await signMoves(sweeper()), (await short()).at(-1)]).toEqual([1, ['SWEEP', other, 30n]])
  })

  it('signs the others when a node rejects a call for one balance', async () => {
    const [broken, whole] = [await lies(1), await lies(2)]
    const tokenOf = (token: string, address: string) =>
      address === broken ? Promise.reject(new NodeError('execution reverted')) : Promise.resolve(held.get(`${token} ${address}`) ?? 0n)
    expect([await signMoves(sweeper({}, { tokenOf })), await short(), problems]).toEqual([
      1,
      [['SWEEP', whole, 100n]],
      ['execution reverted'],
    ])
    await expect(signMoves(sweeper({}, { tokenOf: () => Promise.reject(new NodeUnavailable('gone')) }))).rejects.toThrow('gone')
  })

  it('reports a balance that could not be swept for an hour, until its sweep is signed', async () => {
    const [less] = [await lies(1), await lies(2)]
    held.set(`${USD} ${less}`, 99n)
    const since = clock.now()
    await signMoves(sweeper())
    await db.updateTable('chain_move').set({ state: 'DONE', ended_at: clock.now() }).execute()
    expect(await tokenSweepDelays(db, clock.now())).toEqual([])
    clock.advance(3_600_001)
    await signMoves(sweeper())
    expect(await tokenSweepDelays(db, clock.now())).toEqual([{ problem: 'the address holds less than arrived', count: 1, since }])
    held.set(`${USD} ${less}`, 100n)
    const signed = clock.now()
    expect(await signMoves(sweeper())).toBe(1)
    expect(await tokenSweepDelays(db, clock.now())).toEqual([])
    clock.advance(3_600_001)
    expect(await tokenSweepDelays(db, clock.now())).toEqual([{ problem: 'a sweep is in no final block', count: 1, since: signed }])
  })

  it('waits while gas costs more than allowed, which staff see after an hour, and requests no price without a balance', async () => {
    play.nodeState.gasPrice = 1_000n
    expect([await signMoves(sweeper()), play.nodeState.asked]).toEqual([0, []])
    await lies(1)
    const since = clock.now()
    expect(await signMoves(sweeper({ maxGasPrice: 999n }))).toBe(0)
    clock.advance(3_600_001)
    expect(await tokenSweepDelays(db, clock.now())).toEqual([{ problem: 'the gas price is above the maximum', count: 1, since }])
    expect(await signMoves(sweeper({ maxGasPrice: 1_000n }))).toBe(1)
    expect(await tokenSweepDelays(db, clock.now())).toEqual([])
  })

  it('skips a balance that is lower than the received amount, and continues', async () => {
    const [less, whole] = [await lies(1), await lies(2)]
    held.set(`${USD} ${less}`, 99n)
    expect([await signMoves(sweeper()), await short(), problems]).toEqual([
      1,
      [['SWEEP', whole, 100n]],
      ['the address holds less than arrived'],
    ])
  })

  it('gives gas twice in 24 hours at most, and continues', async () => {
    const [given, next] = [await lies(1, 100n, { gas: 0n }), await lies(2)]
    const gave = (seconds: number, nonce: bigint) =>
      db
        .insertInto('chain_move')
        .values({
          chain_id: BigInt(CHAIN),
          kind: 'GAS',
          wallet: GAS,
          nonce,
          address: given,
          to_address: given,
          amount: '1',
          state: 'DONE',
          made_at: new Date(clock.now().getTime() - seconds * 1000),
          ended_at: clock.now(),
        })
        .execute()
    await gave(86_399, 0n)
    await gave(1, 1n)
    await gave(86_400, 2n)
    expect([await signMoves(sweeper()), problems]).toEqual([1, ['the address received gas twice in 24 hours and has too little again']])
    expect((await rows()).moves.at(-1)?.address).toBe(next)
    clock.advance(1000)
    expect(await signMoves(sweeper())).toBe(1)
    expect((await rows()).moves.at(-1)).toMatchObject({ kind: 'GAS', address: given, nonce: 3n })
  })

  it('sweeps addresses with gas while the gas wallet has too little', async () => {
    await lies(1, 100n, { gas: 0n })
    await lies(2)
    const needs = 2n * ENOUGH + COIN_GAS * 1_000n
    coins.set(GAS, needs - 1n)
    const second = own.addressAt(2)
    expect([await signMoves(sweeper()), await short(), problems.length]).toEqual([1, [['SWEEP', second, 100n]], 1])
    coins.set(GAS, needs)
    expect([await signMoves(sweeper()), problems.length]).toEqual([1, 1])
  })

  it('signs by the key of the address, with a nonce that no other transaction used', async () => {
    const [address, beside] = [await lies(1), await lies(2)]
    await db.updateTable('chain_address').set({ key_index: 7n }).where('address', '=', address).execute()
    expect([await signMoves(sweeper()), problems]).toEqual([1, ['the address does not derive from the sweep key']])
    await db.updateTable('chain_address').set({ key_index: 1n }).where('address', '=', address).execute()
    expect(await signMoves(sweeper())).toBe(1)
    await db.updateTable('chain_move').set({ state: 'DONE', ended_at: clock.now() }).execute()
    for (const one of [address, beside]) {
      await came(one, 30n)
      held.set(`${USD} ${one}`, 30n)
    }
    // A used key of one address delays only that address.
    play.nodeState.nonceOf = (one) => (one === address ? 2 : 1)
    expect([await signMoves(sweeper()), problems.at(-1)]).toEqual([1, `the chain has 2 transactions of ${address}, this database signed 1`])
    play.nodeState.nonceOf = () => 0
    expect(await signMoves(sweeper())).toBe(1)
    expect((await rows()).moves.filter(({ wallet }) => wallet === address).map(({ nonce }) => nonce)).toEqual([0n, 1n])
  })

  it('sweeps addresses with gas and then fails when the key of the gas wallet was used elsewhere', async () => {
    const poor = await lies(1, 100n, { gas: 0n })
    await signMoves(sweeper())
    await db.updateTable('chain_move').set({ state: 'DONE', ended_at: clock.now() }).execute()
    const rich = await lies(2)
    play.nodeState.nonceOf = (address) => (address === GAS ? 2 : 0)
    await expect(signMoves(sweeper())).rejects.toThrow(`the chain has 2 transactions of ${GAS}, this database signed 1`)
    expect((await short()).map(([kind, address]) => [kind, address])).toEqual([
      ['GAS', poor],
      ['SWEEP', rich],
    ])
  })

  it.each<[string, string, (address: string) => Promise<unknown>]>([
    ['more arrived', 'has changed', (address) => came(address, 1n)],
    [
      'another worker used the nonce',
      'is already used',
      (wallet) =>
        sql`insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at, ended_at)
          values (${CHAIN}, 'SWEEP', ${wallet}, 0, ${wallet}, ${TO}, ${USD}, 1, 'FAILED', now(), '2026-01-01')`.execute(db),
    ],
  ])('discards a signature when %s meanwhile', async (_, why, happen) => {
    const address = await lies(1)
    keys = {
      ...own,
      sign: async (keyIndex, order) => {
        await happen(address)
        return own.sign(keyIndex, order)
      },
    }
    expect([await signMoves(sweeper()), problems[0]]).toEqual([0, expect.stringContaining(why)])
    const { made, transfers } = await rows()
    expect([made, transfers.map(({ swept_by }) => swept_by).filter((one) => one !== null)]).toEqual([[], []])
  })
})

describe('an open move', () => {
  /** Signs moves for two addresses and returns them with their transfers. */
  async function two() {
    const [first, second] = [await lies(1), await lies(2)]
    await signMoves(sweeper())
    const { moves, made } = await rows()
    const [one, other] = moves
    if (one === undefined || other === undefined) throw new Error('none')
    const hash = made.find(({ move_id }) => move_id === one.id)?.hash ?? ''
    const transfer = { token: USD ?? '', from: first, to: TO, amount: 100n }
    return { first, second, one, other, hash, transfer }
  }
  const check_at = () => new Date(clock.now().getTime() + 60_000)
  /** Rows after the end of a move with one of its transactions. */
  const afterEnd = (before: Awaited<ReturnType<typeof rows>>, id: bigint, hash: string, state: string, mined: object) => ({
    ...before,
    moves: before.moves.map((each) => (each.id === id ? { ...each, state, ended_at: clock.now(), check_at: check_at() } : each)),
    made: before.made.map((each) => (each.hash === hash ? { ...each, ...mined } : each)),
  })
  const again = async (move_id: bigint, hash: string, seconds = 1) =>
    db
      .insertInto('signed_transaction')
      .values({ hash, move_id, raw: '0x', gas_price: '2000', made_at: new Date(clock.now().getTime() + seconds * 1000) })
      .execute()

  it('is done when one of its transactions is twelve blocks deep in the chain', async () => {
    const { one, hash, transfer } = await two()
    await again(one.id, '0xsecond')
    const before = await rows()
    play.nodeState.mined.set('0xsecond', minedAt(90, [transfer], { gasUsed: 7n, gasPrice: 3n }))
    expect([await followMoves(sweeper()), await rows()]).toEqual([0, before])
    play.nodeState.head = 101
    play.nodeState.blockHash = () => '0xother'
    expect([await followMoves(sweeper()), await rows()]).toEqual([0, before])
    play.nodeState.blockHash = (block) => `0xb${block}`
    expect(await followMoves(sweeper())).toBe(1)
    const mined = { block: 90n, block_hash: '0xb90', gas_used: 7n, gas_paid: '21' }
    expect(await rows()).toEqual(afterEnd(before, one.id, '0xsecond', 'DONE', mined))
    expect([await followMoves(sweeper()), problems, hash === '0xsecond']).toEqual([0, [], false])
  })

  it.each<[string, object, object]>([
    ['failed on the chain', { succeeded: false }, {}],
    ['moved another token', {}, { token: COIN }],
    ['moved the tokens of another sender', {}, { from: THIEF }],
    ['moved the tokens to another receiver', {}, { to: THIEF }],
    ['moved a unit less', {}, { amount: 99n }],
  ])('releases only its tokens when it %s', async (_, mined, moved) => {
    const { first, one, hash, transfer } = await two()
    const before = await rows()
    play.nodeState.mined.set(hash, minedAt(80, [{ ...transfer, ...moved }], mined))
    expect([await followMoves(sweeper()), problems]).toEqual([1, ['a sweep failed on the chain']])
    const inBlock = { block: 80n, block_hash: '0xb80', gas_used: 50_000n, gas_paid: '50000000' }
    expect(await rows()).toEqual({
      ...afterEnd(before, one.id, hash, 'FAILED', inBlock),
      transfers: before.transfers.map((each) => (each.address === first ? { ...each, swept_by: null } : each)),
    })
  })

  it('is done when the receipt has other transfers too, and gas has none', async () => {
    const { hash, transfer } = await two()
    await lies(3, 100n, { gas: 0n })
    await signMoves(sweeper())
    const gas = (await rows()).made.at(-1)?.hash ?? ''
    play.nodeState.mined.set(hash, minedAt(80, [{ ...transfer, amount: 1n }, transfer]))
    play.nodeState.mined.set(gas, minedAt(80, []))
    expect(await followMoves(sweeper())).toBe(2)
    expect((await rows()).moves.map(({ state }) => state)).toEqual(['DONE', 'SIGNED', 'DONE'])
  })

  it.each<[string, (second: ReturnType<typeof fakeNode>, hash: string) => void]>([
    ['has no receipt', ({ nodeState }, hash) => nodeState.mined.delete(hash)],
    ['has another block at its height', ({ nodeState }) => (nodeState.blockHash = () => '0xother')],
    ['calls its block not final', ({ nodeState }) => (nodeState.head = 90)],
    ['saw no transfer', ({ nodeState }, hash) => nodeState.mined.set(hash, minedAt(80, []))],
    ['says that it failed', ({ nodeState }, hash) => nodeState.mined.set(hash, minedAt(80, [], { succeeded: false }))],
  ])('stays open while the second source %s', async (_, tell) => {
    const { hash, transfer } = await two()
    const second = fakeNode()
    for (const { nodeState } of [play, second]) nodeState.mined.set(hash, minedAt(80, [transfer]))
    tell(second, hash)
    const before = await rows()
    const both = { ...sweeper(), secondNode: second.node }
    expect([await followMoves(both), await rows()]).toEqual([0, before])
    Object.assign(second.nodeState, { ...fakeNode().nodeState, mined: play.nodeState.mined })
    expect(await followMoves(both)).toBe(1)
  })

  it('stays open and is logged when the receipt has more gas than signed', async () => {
    const { one, hash, transfer } = await two()
    play.nodeState.mined.set(hash, minedAt(80, [transfer], { gasUsed: GAS_LIMIT + 1n }))
    const before = await rows()
    expect([await followMoves(sweeper()), await rows(), problems]).toEqual([0, before, ['the node reports more gas than signed']])
    expect(owners).toEqual([`move ${one.id}`])
  })

  it('ends once, and without open moves the node gets no calls', async () => {
    expect([await followMoves(sweeper()), await replaceMoves(sweeper()), await sendMoves(sweeper()), play.nodeState.asked]).toEqual([
      0,
      0,
      0,
      [],
    ])
    const { one, hash, transfer } = await two()
    play.nodeState.mined.set(hash, minedAt(80, [transfer]))
    const ended = { state: 'FAILED', ended_at: new Date(0) }
    const node = {
      blockHashes: async (numbers: readonly number[]) => {
        await db.updateTable('chain_move').set(ended).where('id', '=', one.id).execute()
        return play.node.blockHashes(numbers)
      },
    }
    expect(await followMoves(sweeper({}, node))).toBe(0)
    expect((await rows()).moves[0]).toMatchObject(ended)
  })

  it('sends its newest transaction at once, and every fifteen seconds until it is mined', async () => {
    const { one, other } = await two()
    await again(one.id, '0xsecond')
    const raws = (await rows()).made.filter(({ move_id, hash }) => move_id === other.id || hash === '0xsecond').map(({ raw }) => raw)
    expect([await sendMoves(sweeper()), play.nodeState.sent]).toEqual([2, raws])
    const sent = clock.now()
    expect((await rows()).made.map(({ hash, sent_at }) => (hash === '0xsecond' || sent_at !== null ? sent_at : hash))).toEqual([
      (await rows()).made[0]?.hash,
      sent,
      sent,
    ])
    clock.advance(14_999)
    expect(await sendMoves(sweeper())).toBe(0)
    expect(problems).toEqual([])
    clock.advance(1)
    play.nodeState.outcome = (raw) => (raw === raws[0] ? 'no gas' : { refused: 'no' })
    expect([await sendMoves(sweeper()), problems]).toEqual([2, Array(2).fill('the node rejects a sweep')])
    problems = []
    clock.advance(15_000)
    play.nodeState.outcome = (raw) => (raw === raws[0] ? 'nonce used' : 'underpriced')
    expect([await sendMoves(sweeper()), problems]).toEqual([2, []])
  })
})

describe('replacing an unmined move', () => {
  const STUCK = 180_000
  const late = () => clock.advance(STUCK + 1)

  it('logs the move when the signer refuses it', async () => {
    await lies(1, 100n, { gas: ENOUGH * 5n })
    await signMoves(sweeper())
    play.nodeState.gasPrice = 1_001n
    late()
    keys = { ...own, sign: () => Promise.reject(new Error('not by the rules')) }
    const [move] = (await rows()).moves
    expect([await replaceMoves(sweeper()), problems, owners]).toEqual([0, ['the signer does not sign a replacement'], [`move ${move?.id}`]])
  })

  const signedTransactions = async () =>
    (await rows()).made.map(({ raw, gas_price }) => ({ gas_price, from: readSigned(raw).from, nonce: readSigned(raw).nonce }))

  it('signs it again, by its key, when the market price rose, with a fee above the one before', async () => {
    const address = await lies(1, 100n, { gas: ENOUGH * 5n })
    await lies(2, 100n, { gas: 0n })
    await signMoves(sweeper())
    play.nodeState.asked = []
    clock.advance(STUCK - 1)
    expect([await replaceMoves(sweeper()), play.nodeState.asked]).toEqual([0, []])
    clock.advance(1)
    // At an unchanged price, the stored transaction suffices and is sent again.
    expect([await replaceMoves(sweeper()), await sendMoves(sweeper())]).toEqual([0, 2])
    play.nodeState.gasPrice = 1_001n
    expect(await replaceMoves(sweeper({ maxGasPrice: 1_124n }))).toBe(0)
    expect(await replaceMoves(sweeper({ maxGasPrice: 1_125n }))).toBe(2)
    late()
    play.nodeState.gasPrice = 5_000n
    expect(await replaceMoves(sweeper())).toBe(2)
    late()
    play.nodeState.gasPrice = 4_000n
    expect(await replaceMoves(sweeper())).toBe(0)
    const of = (from: string) => ['1000', '1125', '5000'].map((gas_price) => ({ gas_price, from, nonce: 0 }))
    expect(await signedTransactions()).toEqual([...of(address), ...of(GAS)])
    expect(problems).toEqual([])
  })

  it('gives the address gas for the higher fee while the sweep is open, once, and then replaces it', async () => {
    const address = await lies(1)
    await signMoves(sweeper())
    late()
    play.nodeState.gasPrice = 3_000n
    expect(await replaceMoves(sweeper())).toBe(1)
    expect((await short()).at(-1)).toEqual(['GAS', address, 2n * 2n * ENOUGH])
    expect([await replaceMoves(sweeper()), problems]).toEqual([0, []])
    await db.updateTable('chain_move').set({ state: 'DONE', ended_at: clock.now() }).where('kind', '=', 'GAS').execute()
    coins.set(address, 5n * ENOUGH)
    expect(await replaceMoves(sweeper())).toBe(1)
    expect((await signedTransactions()).filter(({ from }) => from === address)).toEqual(
      ['1000', '3000'].map((gas_price) => ({ gas_price, from: address, nonce: 0 })),
    )
  })

  it('sends a cheaper transaction again when the address can pay only that, and signs nothing while it suffices', async () => {
    const address = await lies(1, 100n, { gas: 3n * ENOUGH })
    await signMoves(sweeper())
    late()
    play.nodeState.gasPrice = 3_000n
    await replaceMoves(sweeper())
    coins.set(address, ENOUGH)
    late()
    play.nodeState.gasPrice = 1_000n
    expect([await replaceMoves(sweeper()), (await short()).length]).toEqual([0, 1])
    const [cheap, dear] = (await rows()).made.map(({ raw }) => raw)
    play.nodeState.outcome = (raw) => (raw === dear ? 'no gas' : 'taken')
    play.nodeState.sent = []
    expect([await sendMoves(sweeper()), play.nodeState.sent]).toEqual([1, [dear, cheap]])
  })

  it.each<[string, 'SWEEP' | 'GAS', object, boolean]>([
    ['tokens for a foreign address', 'SWEEP', { to_address: THIEF }, false],
    ['gas for a foreign address', 'GAS', { to_address: THIEF }, false],
    ['more gas than allowed', 'GAS', { amount: String(2n * GAS_LIMIT * 100_000n + 1n) }, false],
    ['as much gas as allowed', 'GAS', { amount: String(2n * GAS_LIMIT * 100_000n) }, true],
  ])('signs it again only for a permitted receiver: %s', async (_, kind, change, ours) => {
    await lies(1, 100n, { gas: kind === 'GAS' ? 0n : 5n * ENOUGH })
    await signMoves(sweeper())
    play.nodeState.gasPrice = 1_001n
    await db.updateTable('chain_move').set(change).execute()
    late()
    expect([await replaceMoves(sweeper()), problems.length]).toEqual(ours ? [1, 0] : [0, 1])
  })

  it('skips only the wallets whose balance the node refuses, and asks once for each', async () => {
    const [refused, replaced] = [await lies(1, 100n, { gas: 5n * ENOUGH }), await lies(2, 100n, { gas: 5n * ENOUGH })]
    await lies(3, 100n, { gas: 0n })
    await lies(4, 100n, { gas: 0n })
    await signMoves(sweeper())
    play.nodeState.gasPrice = 1_001n
    late()
    const asked: string[] = []
    const nativeBalanceOf = (address: string) => {
      asked.push(address)
      return address === refused ? Promise.reject(new NodeError('too many calls')) : Promise.resolve(coins.get(address) ?? 0n)
    }
    const nativeBalancesOf = (addresses: readonly string[]) => Promise.all(addresses.map(nativeBalanceOf))
    expect([await replaceMoves(sweeper({}, { nativeBalanceOf, nativeBalancesOf })), problems]).toEqual([3, ['too many calls']])
    expect(asked).toEqual([refused, replaced, GAS])
    const again = (await signedTransactions()).filter(({ gas_price }) => gas_price === '1125').map(({ from }) => from)
    expect(again.toSorted()).toEqual([replaced, GAS, GAS].toSorted())
    expect(await sendMoves(sweeper())).toBe(4)
  })

  it('stores no replacement of a move that was mined meanwhile', async () => {
    await lies(1, 100n, { gas: 5n * ENOUGH })
    await lies(2, 100n, { gas: 5n * ENOUGH })
    await signMoves(sweeper())
    play.nodeState.gasPrice = 1_001n
    late()
    const first = (await rows()).moves[0]?.id ?? 0n
    const ended = { state: 'DONE', ended_at: clock.now() }
    keys = {
      ...own,
      sign: async (keyIndex, order) => {
        if (keyIndex === 1) await db.updateTable('chain_move').set(ended).where('id', '=', first).execute()
        return own.sign(keyIndex, order)
      },
    }
    await replaceMoves(sweeper())
    const counts = Map.groupBy((await rows()).made, ({ move_id }) => move_id === first)
    expect([counts.get(true)?.length, counts.get(false)?.length]).toEqual([1, 2])
  })
})
