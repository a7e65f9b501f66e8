import * as v from 'valibot'
import { amount, answerId, idParams, moment } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { reason } from './staff.ts'
import { asset } from './wallet-keys.ts'

/** Reversible purchases: coin, stakes (including Omega) and NFTs. */
export const purchaseKinds = ['coin', 'stake', 'nft'] as const
export type PurchaseKind = (typeof purchaseKinds)[number]

export const staffPurchases = staffRead({
  name: 'staffPurchases',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/purchases',
  summary: "Lists a member's purchases and stakes, newest first, and until when each can be reversed.",
  params: idParams,
  query: v.object(listQueryEntries),
  reply: listOf(
    v.object({
      id: answerId,
      kind: v.picklist(purchaseKinds),
      label: v.string(),
      asset,
      amount,
      status: v.string(),
      createdAt: moment,
      /** End of the hold period of its rewards; absent once irreversible. */
      reversibleUntil: v.optional(moment),
    }),
  ),
  errors: ['NOT_FOUND'],
})

export const reversePurchase = staffAct({
  name: 'reversePurchase',
  role: 'money',
  path: '/staff/purchases/:kind/:id/reverse',
  money: true,
  summary: 'Proposes to reverse a purchase. Money and pending rewards return when a second staff member approves.',
  params: v.object({ kind: v.picklist(purchaseKinds, 'Not found'), ...idParams.entries }),
  body: v.strictObject({ reason }),
  reply: v.object({ proposalId: answerId }),
  errors: ['NOT_FOUND', 'PURCHASE_NOT_REVERSIBLE', 'INSUFFICIENT_BALANCE', 'COIN_SOLD_OUT', 'FOUR_EYES'],
})
