import * as v from 'valibot'
import { amount, answerId, id, moment } from './fields.ts'
import { asset, walletKeys } from './wallet-keys.ts'

/* Separate from the wallet routes, so that staff pages load only this module. */

/** An amount's source or destination: member wallet, system account or external address. */
const party = v.object({ label: v.string(), wallet: v.optional(v.picklist(walletKeys)), address: v.optional(v.string()) })

/** Common receipt fields. */
export const receiptFields = {
  id,
  title: v.string(),
  status: v.optional(v.string()),
  asset,
  amount,
  from: party,
  to: party,
  /** The reader's wallet balance before and after the movement. */
  balanceBefore: v.optional(amount),
  balanceAfter: v.optional(amount),
  /** The movement's rule in a sentence, with the programme or settings version in force. */
  rule: v.optional(v.string()),
  ruleVersion: v.optional(v.string()),
  /** Applied price or rate in units, and its meaning: `USD for one coin`, `percent`. */
  rate: v.optional(amount),
  rateUnit: v.optional(v.string()),
  /** Amount that the rate applies to, and its label. */
  base: v.optional(amount),
  baseLabel: v.optional(v.string()),
  baseAsset: v.optional(asset),
  fee: v.optional(amount),
  level: v.optional(v.number()),
  /** Member, purchase, stake or NFT that caused the movement. */
  sourceMember: v.optional(v.string()),
  sourceId: v.optional(answerId),
  sourceLabel: v.optional(v.string()),
  rounding: v.optional(v.string()),
  transferId: v.optional(answerId),
  txHash: v.optional(v.string()),
  /** Block explorer URL. */
  txUrl: v.optional(v.string()),
  createdAt: moment,
  settledAt: v.optional(moment),
  /** Additional display lines. Amounts (`asset`, else the receipt's) and times are typed separately. */
  lines: v.array(
    v.object({ label: v.string(), value: v.string(), amount: v.optional(amount), asset: v.optional(asset), at: v.optional(moment) }),
  ),
}
