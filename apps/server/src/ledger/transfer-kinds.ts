import { accountOf, type AnySystemKind, type Asset, assetOf, systemAccountId, type WalletKind, WALLETS } from './chart-of-accounts.ts'

/** One side of a kind of transfer: a member's wallet, or a system account in one asset. */
export type Side = WalletKind | `${AnySystemKind} ${Asset}`

/** Reversibility of a kind by staff: what follows a reversal, or the alternative. */
export type ReversalRule = { can: boolean; text: string }

/** A reversible transfer has known follow-ups, reversed with it (staff/proposals/kinds/transfer-reversal.ts). */
export const reversible = (text: string): ReversalRule => ({ can: true, text })
/** A kind with another way back, or with follow-ups already paid, is irreversible. */
export const irreversible = (text: string): ReversalRule => ({ can: false, text })
export const A_RETURN = irreversible('it is a return itself')
export const PURCHASE_REVERSAL = irreversible('reverse the purchase under the member, while its rewards are on hold')

export interface TransferKind {
  /** Table type of the cause. */
  cause: string
  /** Permitted pairs of debited and credited account. A transfer between other accounts is not of this kind. */
  pairs: readonly (readonly [Side, Side])[]
  /** True if the transfer may bring new money from a system account (RW-01): a deposit, or a return to the wallet. */
  bringsNewMoney?: true
}

/**
 * Closed list of transfer kinds. Each module declares its kinds in `<name>.transfers.ts` and adds their names here (`declare
 * module`), so an undeclared kind is a type error. main/all-checks.ts passes the declarations to the audit, which reports any other
 * kind in the ledger.
 */
export interface DeclaredTransfers {
  ledger: keyof typeof ledgerTransfers
}
export type TransferKindName = DeclaredTransfers[keyof DeclaredTransfers]

/** Kinds of the ledger itself. `shardMove` moves money between two shards of one system account and has the cause of its posting. */
export const ledgerTransfers = {
  issue: {
    cause: 'supply',
    pairs: [['SYS-ISSUE COIN', 'SYS-COIN COIN']],
    reversal: irreversible('the supply was issued once and for all'),
  },
  /** Covers the spent part of a lost deposit, before its reversal (reversals.ts). */
  depositLoss: {
    cause: 'reversal',
    pairs: [
      ['SYS-LOSS USD', 'depositWallet'],
      ['SYS-LOSS COIN', 'nativeWallet'],
    ],
    receipt: { title: 'Lost deposit, covered by the platform', staffTitle: 'Loss of a deposit, covered', group: 'correction' },
    reversal: irreversible('it covers a lost deposit'),
  },
  /** Reversal of any transfer that can be reversed (reversals.ts). */
  reversal: {
    cause: 'reversal',
    pairs: [
      ['depositWallet', 'SYS-DEPOSIT USD'],
      ['nativeWallet', 'SYS-DEPOSIT COIN'],
      ['rcmWallet', 'SYS-REWARD COIN'],
      ['depositWallet', 'depositWallet'],
      ['depositWallet', 'nftWallet'],
      ['icoWallet', 'nativeWallet'],
    ],
    receipt: { title: 'Reversal by staff', staffTitle: 'Reversed by staff', group: 'correction' },
    reversal: irreversible('it is a reversal itself; make the transfer again'),
  },
} as const satisfies Record<
  string,
  TransferKind & { reversal: ReversalRule; receipt?: { title: string; staffTitle?: string; group: 'correction' } }
>

/**
 * Returns the number of a side, equal to the result of `sideSql`: the wallet's number in the chart, or the system account without the
 * shard.
 */
export function sideNumber(side: Side): bigint {
  if (side in WALLETS) return WALLETS[side as WalletKind].number
  const [system, asset] = side.split(' ') as [AnySystemKind, Asset]
  return systemAccountId(system, asset) / 100n
}

/**
 * Returns the side of a number of `sideSql`.
 * @throws RangeError when the chart has no such account
 */
export function sideOfNumber(number: bigint): Side {
  const account = accountOf(number > 0n ? 16n + number : number * 100n)
  return 'system' in account ? `${account.system} ${account.asset}` : account.kind
}

/** Returns the asset of a side. */
export const assetOfSide = (side: Side): Asset => assetOf(accountOf(side in WALLETS ? 16n + sideNumber(side) : sideNumber(side) * 100n))

/** SQL for the side of an account id, without its owner or shard. */
export const sideSql = (account: string) => `case when ${account} > 0 then ${account} % 16 else ${account} / 100 end`

/** SQL for the account of a fact's member. */
export const walletSql = (owner: string, wallet: WalletKind) => `(${owner} * 16 + ${WALLETS[wallet].number})`

/** SQL for a system account, any shard. */
export const systemSql = (system: AnySystemKind, asset: Asset) => `(${systemAccountId(system, asset)})::bigint`

/** SQL for an account, a system account without its shard. */
export const accountSql = (account: string) => `case when ${account} > 0 then ${account} else ${account} / 100 * 100 end`
