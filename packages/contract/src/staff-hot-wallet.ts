import * as v from 'valibot'
import { amount, coinInput, extra, idParams, moment, payoutAddress } from './fields.ts'
import { staffAct, staffRead } from './route.ts'
import { sendingView } from './sending-view.ts'
import { filed, reason } from './staff.ts'
import { asset } from './wallet-keys.ts'

export const staffHotWallet = staffRead({
  name: 'staffHotWallet',
  role: 'all',
  path: '/staff/hot-wallet',
  summary:
    'Returns the hot wallet: its balances and ceilings, the cold addresses, and the newest 20 payouts of the platform: moves to them and proceeds.',
  reply: v.object({
    /** Null if the worker has opened no wallet, and where payouts are sent by hand. */
    wallet: v.nullable(v.string()),
    holdings: v.array(
      v.object({
        asset,
        /** Balance at `readAt`; null before the first hourly comparison. */
        balance: v.nullable(amount),
        /** Null if the settings have none. */
        ceiling: v.nullable(amount),
        surplus: amount,
        readAt: v.nullable(moment),
        aboveSince: v.nullable(moment),
      }),
    ),
    /** Addresses of RESERVE_ADDRESSES. */
    coldAddresses: v.array(v.string()),
    moves: v.array(v.object({ ...sendingView, kind: extra(v.picklist(['cold-move', 'proceeds'])), amount })),
  }),
})

export const proposeColdMove = staffAct({
  name: 'proposeColdMove',
  role: 'money',
  path: '/staff/hot-wallet/moves',
  summary:
    'Proposes to move surplus of the hot wallet to a cold address of the settings. After another person approves it, the worker sends it like a payout.',
  body: v.strictObject({ asset, amount: coinInput, address: payoutAddress, reason }),
  reply: filed,
  errors: ['NOT_APPROVED', 'INVALID_ADDRESS', 'NO_SURPLUS'],
})

export const cancelHotWalletPayout = staffAct({
  name: 'cancelHotWalletPayout',
  role: 'money',
  path: '/staff/hot-wallet/moves/:id/cancel',
  summary: 'Cancels a cold move or proceeds. A signed one may still arrive; it ends when its result is final on the chain.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: v.object({ state: v.picklist(['CANCELLED', 'CANCEL_REQUESTED']) }),
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'NOT_APPROVED', 'PAYOUT_AFTER_RESTORE'],
})
