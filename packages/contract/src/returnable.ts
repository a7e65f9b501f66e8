import * as v from 'valibot'
import { amount, moment } from './fields.ts'
import { asset } from './wallet-keys.ts'

/** Uncredited payments of one asset, and what arrives after the network fee of their return. */
export const returnable = v.object({
  asset,
  amount,
  networkFee: amount,
  received: amount,
  /** Open request of the payer. */
  requested: v.optional(v.object({ address: v.string(), at: moment })),
})
