import * as v from 'valibot'
import type { HistoryKind } from './all-routes.ts'
import { amount, answerId, extra, id, looseAmount, moment, wholeInQuery } from './fields.ts'
import { memberRead } from './route.ts'

/** The wallets of a member as the wire names them (EN-08), in the order of the dashboard's cards. */
export const walletKeys = ['depositWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet', 'stakeWallet', 'nftWallet', 'rcmWallet'] as const
export type WalletKey = (typeof walletKeys)[number]

/** What is counted: USD with its 8 decimals, or the coin. */
export const asset = v.picklist(['usd', 'coin'])
export type Asset = v.InferOutput<typeof asset>

/** The asset of each wallet (GN-11 to GN-18). */
export const walletAssets: Readonly<Record<WalletKey, Asset>> = {
  depositWallet: 'usd',
  nativeWallet: 'coin',
  icoWallet: 'coin',
  newIcoWallet: 'coin',
  stakeWallet: 'coin',
  nftWallet: 'usd',
  rcmWallet: 'coin',
}

const balanceEntries = {
  depositWallet: amount,
  nativeWallet: amount,
  icoWallet: amount,
  newIcoWallet: amount,
  stakeWallet: amount,
  nftWallet: amount,
  rcmWallet: looseAmount,
}

/** The seven balances (EN-08): USD in depositWallet and nftWallet, coin in the others. */
export const balances = v.object(balanceEntries)
export type Balances = v.InferOutput<typeof balances>

export const userWallet = memberRead({
  name: 'userWallet',
  path: '/user-wallet',
  summary: 'The balances of the seven wallets (API-58).',
  reply: balances,
})

/** A sum that another server may send as a number, as null or as `{_sum: {field: number}}` (EN-28). */
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
  summary: 'Sums of daily rewards, referral rewards and stake-log rewards in coin (API-59).',
  reply: v.object({ dailyBonusCount: sum, transactionHistoryCount: sum, dailyStakeLogsBonus: sum }),
})

export const walletHistory = memberRead({
  name: 'walletHistory',
  path: '/wallets/history',
  summary: 'The seven balances at the end of each UTC day, oldest day first; the last row is now.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.object({ days: v.array(v.object({ day: v.string(), coinPrice: amount, ...balanceEntries })) }),
})

/** What a receipt can be about: a row of a history, or a `transfer` that has none (named by its ledger transfer id). */
export type ReceiptKind = HistoryKind | 'transfer'

/**
 * A kind as it stands in an address. Which kinds there are, the server knows by its histories: a browser that read one
 * list would otherwise load the calls of all of them.
 */
const receiptKind = v.pipe(
  v.string(),
  v.regex(/^[a-z]+(?:-[a-z]+){0,5}$/, 'Not found'),
  v.maxLength(40, 'Not found'),
  v.transform((kind): ReceiptKind => kind as ReceiptKind),
)

/** Names the receipt of a row of one of these kinds. */
const receiptRef = <const Kind extends string>(kinds: readonly Kind[]) => v.object({ kind: v.picklist(kinds), id })

/** The keys that this server adds to a row of these histories. */
/*#__NO_SIDE_EFFECTS__*/
export const rowExtras = <const Kind extends string>(...kinds: Kind[]) => ({ id: extra(id), receipt: extra(receiptRef(kinds)) })

/** The data of a money move: the specification reads only success and message, so anything else is read as none. */
/*#__NO_SIDE_EFFECTS__*/
export const done = <const Kind extends string>(...kinds: Kind[]) =>
  v.fallback(v.nullish(v.object({ receipt: v.optional(receiptRef(kinds)), waitsUntil: extra(moment) })), null)

/** Where an amount comes from or goes to: a wallet of a member, a house account or an address outside. */
const place = v.object({ label: v.string(), wallet: v.optional(v.picklist(walletKeys)), address: v.optional(v.string()) })

/** One movement explained (invariant: every row answers "why"). */
export const receipt = v.object({
  kind: receiptKind,
  id,
  title: v.string(),
  status: v.optional(v.string()),
  asset,
  amount,
  from: place,
  to: place,
  /** Balance of the reader's own wallet around the movement. */
  balanceBefore: v.optional(amount),
  balanceAfter: v.optional(amount),
  /** The rule that made it, in a sentence, and the version of the programme or settings that held. */
  rule: v.optional(v.string()),
  ruleVersion: v.optional(v.string()),
  /** Price or rate used, in units, and what it is: `USD for one coin`, `percent`. */
  rate: v.optional(amount),
  rateUnit: v.optional(v.string()),
  /** The amount that the rate was applied to, and what else it is called. */
  base: v.optional(amount),
  baseLabel: v.optional(v.string()),
  baseAsset: v.optional(asset),
  fee: v.optional(amount),
  level: v.optional(v.number()),
  /** Whose or which purchase, stake or NFT the movement rests on. */
  sourceMember: v.optional(v.string()),
  sourceId: v.optional(answerId),
  sourceLabel: v.optional(v.string()),
  rounding: v.optional(v.string()),
  transferId: v.optional(answerId),
  txHash: v.optional(v.string()),
  /** Where an explorer of the chain shows it. */
  txUrl: v.optional(v.string()),
  createdAt: moment,
  settledAt: v.optional(moment),
  /** Anything else worth saying, ready to show; an amount (`asset`, else the receipt's) and a moment are told apart besides. */
  lines: v.array(
    v.object({ label: v.string(), value: v.string(), amount: v.optional(amount), asset: v.optional(asset), at: v.optional(moment) }),
  ),
})
export type Receipt = v.InferOutput<typeof receipt>

export const getReceipt = memberRead({
  name: 'getReceipt',
  path: '/receipts/:kind/:id',
  summary: "The receipt of one row of the member's own histories.",
  params: v.object({ kind: receiptKind, id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not found')) }),
  reply: receipt,
  errors: ['NOT_FOUND'],
})
