import * as v from 'valibot'
import { amount, answerId, id, moment } from './fields.ts'
import { asset, walletKeys } from './wallet-keys.ts'

/* Apart from the calls about wallets: what staff read of receipts loads no more than this. */

/** Where an amount comes from or goes to: a wallet of a member, a house account or an address outside. */
const place = v.object({ label: v.string(), wallet: v.optional(v.picklist(walletKeys)), address: v.optional(v.string()) })

/** What a receipt says of any kind of row. */
export const receiptFacts = {
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
}
