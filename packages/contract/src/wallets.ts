import * as v from 'valibot'
import { amount, extra, id, looseAmount, moment, wholeInQuery } from './fields.ts'
import type { HistoryKind } from './history-kinds.ts'
import { receiptFields } from './receipt-fields.ts'
import { memberRead } from './route.ts'
import { type Asset, balanceEntries, balances, type WalletKey } from './wallet-keys.ts'

export { asset, type Asset, balances, type Balances, walletKeys, type WalletKey } from './wallet-keys.ts'

/** Each wallet's asset (GN-11 to GN-18). */
export const walletAssets: Readonly<Record<WalletKey, Asset>> = {
  depositWallet: 'usd',
  nativeWallet: 'coin',
  icoWallet: 'coin',
  newIcoWallet: 'coin',
  stakeWallet: 'coin',
  nftWallet: 'usd',
  rcmWallet: 'coin',
}

export const userWallet = memberRead({
  name: 'userWallet',
  path: '/user-wallet',
  summary: 'Returns the balances of the seven wallets (API-58).',
  reply: balances,
})

/** Sum from other servers: number, null or `{_sum: {field: number}}` (EN-28). */
const sum = v.union([
  looseAmount,
  v.pipe(
    v.object({ _sum: v.record(v.string(), looseAmount) }),
    v.transform((value): bigint => Object.values(value._sum).reduce((total, part) => total + part, 0n)),
  ),
])

export const homeCount = memberRead({
  name: 'homeCount',
  path: '/home/user/count',
  summary: 'Returns the sums of daily, referral and stake-log rewards in coin (API-59).',
  reply: v.object({ dailyBonusCount: sum, transactionHistoryCount: sum, dailyStakeLogsBonus: sum }),
})

/** What a member holds outside the seven wallets: open holds, and running NFTs at the USD price paid. */
const outsideEntries = { heldUsd: amount, heldCoin: amount, nfts: amount }

export const walletHoldings = memberRead({
  name: 'walletHoldings',
  path: '/wallets/holdings',
  summary:
    "Returns the member's assets outside the seven wallets: open holds in USD and coin, and active NFTs at the price paid; and the new money in the deposit wallet.",
  /** `newMoney`: USD in the deposit wallet from deposits, which has not earned a referral reward yet [RW-01]. */
  reply: v.object({ ...outsideEntries, newMoney: extra(amount) }),
})

export const walletHistory = memberRead({
  name: 'walletHistory',
  path: '/wallets/history',
  summary:
    'Returns the seven balances, the open holds and the NFTs at the end of each UTC day, oldest first. The last row is the current state. `change` sums the last 30 days in USD, each flow at the coin price of its day.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.object({
    days: v.array(v.object({ day: v.string(), coinPrice: amount, ...balanceEntries, ...outsideEntries })),
    /** Null on the first day. The rest of the difference is prices, fees and NFTs that ended. */
    change: v.nullable(v.object({ since: v.string(), paidIn: amount, takenOut: amount, earned: amount })),
  }),
})

/** Receipt subject: a history row, or a `transfer` without one (named by its ledger transfer id). */
export type ReceiptKind = HistoryKind | 'transfer'

/** Kind in a URL. Accepts any text and leaves the check to the server; a strict schema would load all list routes. */
const receiptKind = v.pipe(
  v.string(),
  v.regex(/^[a-z]+(?:-[a-z]+){0,5}$/, 'Not found'),
  v.maxLength(40, 'Not found'),
  v.transform((kind): ReceiptKind => kind as ReceiptKind),
)

/** Builds the receipt reference schema for these kinds. */
const receiptRefOf = <const Kind extends string>(kinds: readonly Kind[]) => v.object({ kind: v.picklist(kinds), id })

/** Reference to a receipt of any kind. */
export const receiptRef = v.object({ kind: receiptKind, id })

/** Adds this server's keys to a history row. */
/*#__NO_SIDE_EFFECTS__*/
export const rowExtras = <const Kind extends string>(...kinds: Kind[]) => ({ id: extra(id), receipt: extra(receiptRefOf(kinds)) })

/** Money call data. The specification reads only success and message, so any other value counts as none. */
/*#__NO_SIDE_EFFECTS__*/
export const done = <const Kind extends string>(...kinds: Kind[]) =>
  v.fallback(v.nullish(v.object({ receipt: v.optional(receiptRefOf(kinds)), request: extra(v.string()), waitsUntil: extra(moment) })), null)

/** Explains one movement (invariant: every row answers "why"). */
export const receipt = v.object({ kind: receiptKind, ...receiptFields })
export type Receipt = v.InferOutput<typeof receipt>

export const getReceipt = memberRead({
  name: 'getReceipt',
  path: '/receipts/:kind/:id',
  summary: "Returns the receipt of one row of the member's histories.",
  params: v.object({ kind: receiptKind, id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not found')) }),
  reply: receipt,
  errors: ['NOT_FOUND'],
})
