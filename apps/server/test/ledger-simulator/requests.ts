import type { AccountRef, WalletKind } from '../../src/ledger/chart-of-accounts.ts'
import type { Posting, Transfer } from '../../src/ledger/posting.ts'
import type { World } from './world.ts'

/** A member's request, its key, and the results received so far. */
export interface Request {
  posting: Posting
  answers: string[]
}

type Maker = (world: World, owner: bigint, amount: bigint) => Transfer[]

const wallet = (owner: bigint, kind: WalletKind): AccountRef => ({ owner, kind })
const system = {
  deposits: { system: 'SYS-DEPOSIT', asset: 'USD' },
  coinDeposits: { system: 'SYS-DEPOSIT', asset: 'COIN' },
  sales: { system: 'SYS-SALES', asset: 'USD' },
  stock: { system: 'SYS-COIN', asset: 'COIN' },
  budget: { system: 'SYS-REWARD', asset: 'COIN' },
  operator: { system: 'SYS-OPERATOR', asset: 'COIN' },
  fees: { system: 'SYS-FEE', asset: 'USD' },
} as const satisfies Record<string, AccountRef>

/** Movements in the product's money flows. Small balances make many fail. */
const makers: Record<string, Maker> = {
  deposit: (_, owner, amount) => [{ from: system.deposits, to: wallet(owner, 'depositWallet'), amount: amount * 2n }],
  coinDeposit: (_, owner, amount) => [{ from: system.coinDeposits, to: wallet(owner, 'nativeWallet'), amount }],
  userTransfer: (world, owner, amount) => {
    const others = world.members.filter((member) => member !== owner)
    return [{ from: wallet(owner, 'depositWallet'), to: wallet(world.random.pick(others), 'depositWallet'), amount }]
  },
  buyToken: (_, owner, amount) => [
    { from: system.stock, to: wallet(owner, 'newIcoWallet'), amount: amount * 3n },
    { from: wallet(owner, 'depositWallet'), to: system.sales, amount },
  ],
  sellCoin: (_, owner, amount) => [
    { from: wallet(owner, 'icoWallet'), to: system.stock, amount: amount * 3n },
    { from: system.sales, to: wallet(owner, 'depositWallet'), amount: amount - 1n > 0n ? amount - 1n : 1n },
  ],
  exchange: (_, owner, amount) => [{ from: wallet(owner, 'newIcoWallet'), to: wallet(owner, 'icoWallet'), amount }],
  stake: (_, owner, amount) => [{ from: wallet(owner, 'nativeWallet'), to: wallet(owner, 'stakeWallet'), amount }],
  maturity: (_, owner, amount) => [{ from: wallet(owner, 'stakeWallet'), to: wallet(owner, 'nativeWallet'), amount }],
  fund: (_, __, amount) => [{ from: system.operator, to: system.budget, amount: amount * 4n }],
  reward: (_, owner, amount) => [{ from: system.budget, to: wallet(owner, 'nativeWallet'), amount }],
  bigBuy: (world, owner) => [{ from: system.stock, to: wallet(owner, 'icoWallet'), amount: world.oracle.balance(system.stock) / 2n + 1n }],
  job: (_, __, amount) => [{ from: system.fees, to: { system: 'SYS-OPERATOR', asset: 'USD' }, amount }],
}
const kinds = Object.keys(makers)

/** Draws a random request. */
export function draw(world: World, number: number): Request {
  const { random } = world
  const kind = random.pick(number < 3 ? ['deposit', 'fund', 'coinDeposit'] : kinds)
  const maker = makers[kind]
  if (maker === undefined) throw new Error(`no flow ${kind}`)
  const transfers = maker(world, random.pick(world.members), BigInt(1 + random.below(40)))
  const key = `request-${number}`
  return { posting: { kind: 'test', cause: { type: 'simulator', id: `${kind} ${key}` }, at: world.now(), key, transfers }, answers: [] }
}
