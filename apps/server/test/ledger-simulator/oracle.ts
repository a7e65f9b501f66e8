/** Plain in-memory ledger with the real one's expected result. For tests and the simulator only. */
import { type AccountRef, type AnyAccountRef, assetOf } from '../../src/ledger/chart-of-accounts.ts'
import type { Posting } from '../../src/ledger/posting.ts'

/** Oracle's result for a posting. */
export type Verdict =
  | 'posted'
  | 'repeated'
  | 'INSUFFICIENT_BALANCE'
  | 'COIN_SOLD_OUT'
  | 'SALES_FUND_SHORT'
  | 'NOT_COVERED'
  | 'IDEMPOTENCY_KEY_REUSED'

/** Ledger without shards, locks and SQL. */
export interface Oracle {
  apply(posting: Posting): Verdict
  balance(account: AnyAccountRef): bigint
  /** Moves money without a check, for holds. */
  move(from: AnyAccountRef, to: AnyAccountRef, amount: bigint): void
  /** Balances other than 0, by `accountKey`. */
  balances(): ReadonlyMap<string, bigint>
  /** Used keys. */
  keys(): ReadonlySet<string>
}

/** Returns an account's name. A system account's shards share one. */
export function accountKey(account: AnyAccountRef): string {
  return 'system' in account ? `${account.system} ${account.asset}` : `${account.owner} ${account.kind}`
}

const MAY_OWE = new Set(['SYS-DEPOSIT', 'SYS-OPERATOR', 'SYS-LOSS', 'SYS-IMPORT'])

const REJECTIONS: Readonly<Record<string, Verdict>> = {
  'SYS-COIN': 'COIN_SOLD_OUT',
  'SYS-SALES': 'SALES_FUND_SHORT',
  'SYS-REWARD': 'NOT_COVERED',
}

const SUPPLY = 1_500_000_000_000_000_000n

/** Starts with the issued coin supply, and 0 everywhere else. */
export function createOracle(): Oracle {
  const balances = new Map<string, bigint>([
    ['SYS-ISSUE COIN', -SUPPLY],
    ['SYS-COIN COIN', SUPPLY],
  ])
  const used = new Map<string, string>()
  const balance = (account: AnyAccountRef) => balances.get(accountKey(account)) ?? 0n
  const add = (account: AnyAccountRef, amount: bigint) => {
    const next = balance(account) + amount
    if (next === 0n) balances.delete(accountKey(account))
    else balances.set(accountKey(account), next)
  }
  const covers = (account: AccountRef, amount: bigint) => ('system' in account && MAY_OWE.has(account.system)) || balance(account) >= amount

  return {
    apply(posting) {
      const shape = JSON.stringify(
        posting.transfers.map((transfer) => [accountKey(transfer.from), accountKey(transfer.to), String(transfer.amount)]),
      )
      const known = posting.key === undefined ? undefined : used.get(posting.key)
      if (known !== undefined) return known === shape ? 'repeated' : 'IDEMPOTENCY_KEY_REUSED'
      const done: Posting['transfers'][number][] = []
      for (const transfer of posting.transfers) {
        if (!covers(transfer.from, transfer.amount)) {
          for (const { from, to, amount } of done) {
            add(from, amount)
            add(to, -amount)
          }
          return ('system' in transfer.from ? REJECTIONS[transfer.from.system] : undefined) ?? 'INSUFFICIENT_BALANCE'
        }
        add(transfer.from, -transfer.amount)
        add(transfer.to, transfer.amount)
        done.push(transfer)
      }
      if (posting.key !== undefined) used.set(posting.key, shape)
      return 'posted'
    },
    balance,
    move(from, to, amount) {
      if (assetOf(from) !== assetOf(to)) throw new Error('the oracle was asked to mix assets')
      add(from, -amount)
      add(to, amount)
    },
    balances: () => balances,
    keys: () => new Set(used.keys()),
  }
}
