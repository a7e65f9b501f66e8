import * as v from 'valibot'
import { answerId, moment } from './fields.ts'
import { asset } from './wallet-keys.ts'

/** Entries of a cold move, proceeds or a payment return: its receiver, and how far the hot wallet has sent it. */
export const sendingView = {
  id: answerId,
  asset,
  address: v.string(),
  state: v.picklist(['QUEUED', 'SIGNED', 'MINED', 'DONE', 'FAILED', 'CANCELLED']),
  createdAt: moment,
  endedAt: v.optional(moment),
  problem: v.optional(v.string()),
  /** True if a cancellation was requested and the chain has not decided yet. */
  cancelling: v.boolean(),
  txHash: v.optional(v.string()),
  txUrl: v.optional(v.string()),
}
