/**
 * The chart of accounts (RW-13): all accounts, their ids, and their floors. The id of an account is computed from its owner and kind, so
 * that a posting needs no look-up. `ledger_account_number()` in the database applies the same rule and rejects other ids.
 */

/** Assets of the ledger. Amounts are units of 10^-8. */
export type Asset = 'USD' | 'COIN'

/** The seven wallets of a member. `number` is part of the account id and never changes. */
export const WALLETS = {
  depositWallet: { number: 1n, asset: 'USD' },
  nativeWallet: { number: 2n, asset: 'COIN' },
  icoWallet: { number: 3n, asset: 'COIN' },
  newIcoWallet: { number: 4n, asset: 'COIN' },
  stakeWallet: { number: 5n, asset: 'COIN' },
  nftWallet: { number: 6n, asset: 'USD' },
  rcmWallet: { number: 7n, asset: 'COIN' },
} as const satisfies Record<string, { number: bigint; asset: Asset }>

export type WalletKind = keyof typeof WALLETS

/** The names of the seven wallets, in the order of the chart. */
export const walletKinds = Object.keys(WALLETS) as readonly WalletKind[]

/**
 * The system accounts. An account with many shards is spread over as many rows, so that transfers do not queue for one.
 * - SYS-ISSUE: origin of the 15 B coin; at most 15 B negative (invariant I9).
 * - SYS-DEPOSIT: external payments; negative by the amount received.
 * - SYS-WITHDRAW, SYS-BRIDGE: USD and coin paid out.
 * - SYS-FEE: fees; never below zero.
 * - SYS-SALES: the sales fund. It receives what members pay for coin and NFTs, and pays for coin that members sell. It never
 *   falls below zero (docs/decisions/0035-sales-fund.md).
 * - SYS-COIN: the coin stock; never below zero.
 * - SYS-CONVERT: USD against coin. No transfer kind uses it; it stays at zero.
 * - SYS-REWARD: the reward budget; never below zero. The first row holds it, except for amounts that reward workers are
 *   paying out from rows of their own.
 * - SYS-HOLD: amounts of open holds.
 * - SYS-OPERATOR: the operator's external money, which funds the reward budget and network fees.
 * - SYS-GAS: network fees of the platform's own transactions, in USD. The chain's native coin is not an asset here.
 * - SYS-IMPORT: balances of members from another platform. In USD negative by the imported sum, because no payment covers it. In coin
 *   zero, because imported coin comes from the stock.
 * - SYS-LOSS: deposits that left the chain after members spent them; negative by the loss. Two staff members book it.
 */
const SYSTEM_ACCOUNTS = {
  'SYS-ISSUE': { number: 1n, shards: 1n },
  'SYS-DEPOSIT': { number: 2n, shards: 16n },
  'SYS-WITHDRAW': { number: 3n, shards: 16n },
  'SYS-BRIDGE': { number: 4n, shards: 16n },
  'SYS-FEE': { number: 5n, shards: 16n },
  'SYS-SALES': { number: 6n, shards: 16n },
  'SYS-COIN': { number: 7n, shards: 16n },
  'SYS-CONVERT': { number: 8n, shards: 16n },
  'SYS-REWARD': { number: 9n, shards: 1n },
  'SYS-HOLD': { number: 10n, shards: 16n },
  'SYS-OPERATOR': { number: 11n, shards: 1n },
  'SYS-GAS': { number: 12n, shards: 1n },
  'SYS-LOSS': { number: 13n, shards: 1n },
  'SYS-IMPORT': { number: 14n, shards: 1n },
} as const satisfies Record<string, { number: bigint; shards: bigint }>

/** A system account, SYS-HOLD included. */
export type AnySystemKind = keyof typeof SYSTEM_ACCOUNTS

/** A system account open to postings. Only `hold`, `settle` and `release` use SYS-HOLD. */
export type SystemKind = Exclude<AnySystemKind, 'SYS-HOLD'>

/** One side of a transfer: a member's wallet, or a system account in one asset. */
export type AccountRef = { owner: bigint; kind: WalletKind } | { system: SystemKind; asset: Asset }

export type AnyAccountRef = { owner: bigint; kind: WalletKind } | { system: AnySystemKind; asset: Asset }

/** Asset part of a system account's id. SYS-ISSUE and SYS-COIN exist in coin only. */
const ASSET_NUMBER = { USD: 1n, COIN: 2n } as const

/**
 * The account number of a member's wallet.
 * @param owner member id, above 0
 */
export function walletId(owner: bigint, kind: WalletKind): bigint {
  if (owner <= 0n) throw new RangeError(`${owner} is no member id`)
  return owner * 16n + WALLETS[kind].number
}

/**
 * Returns the id of one shard of a system account.
 * @param spread a non-negative number to spread the load, such as the other side's member
 */
export function systemAccountId(system: AnySystemKind, asset: Asset, spread = 0n): bigint {
  if (asset === 'USD' && (system === 'SYS-ISSUE' || system === 'SYS-COIN')) throw new RangeError(`${system} holds coin only`)
  return -(SYSTEM_ACCOUNTS[system].number * 1000n + ASSET_NUMBER[asset] * 100n + (spread % SYSTEM_ACCOUNTS[system].shards))
}

/** Returns the ids of all shards of a system account. */
export function shardsOf(system: AnySystemKind, asset: Asset): bigint[] {
  const first = systemAccountId(system, asset)
  return Array.from({ length: Number(SYSTEM_ACCOUNTS[system].shards) }, (_, shard) => first - BigInt(shard))
}

/** Returns the id of a shard of the reward pool. Shard 0 is the pool itself, the other shards belong to reward workers. */
export const rewardShard = (asset: Asset, shard: number): bigint => systemAccountId('SYS-REWARD', asset) - BigInt(shard)

/** Number of reward budget shards for workers. */
export const REWARD_SHARDS = 7

/** Returns the asset of an account. */
export function assetOf(account: AnyAccountRef): Asset {
  return 'system' in account ? account.asset : WALLETS[account.kind].asset
}

const walletByNumber = new Map<bigint, WalletKind>(walletKinds.map((kind) => [WALLETS[kind].number, kind]))
/** Names of the system accounts, in the order of the chart. */
export const systemKinds = Object.keys(SYSTEM_ACCOUNTS) as readonly AnySystemKind[]
const systemByNumber = new Map<bigint, AnySystemKind>(systemKinds.map((system) => [SYSTEM_ACCOUNTS[system].number, system]))

/**
 * Returns the account of an id.
 * @throws RangeError when the chart has no such account
 */
export function accountOf(number: bigint): AnyAccountRef {
  if (number > 0n) {
    const kind = walletByNumber.get(number % 16n)
    if (kind !== undefined) return { owner: number / 16n, kind }
  } else {
    const system = systemByNumber.get(-number / 1000n)
    if (system !== undefined) return { system, asset: (-number % 1000n) / 100n === 1n ? 'USD' : 'COIN' }
  }
  throw new RangeError(`the chart has no account ${number}`)
}
