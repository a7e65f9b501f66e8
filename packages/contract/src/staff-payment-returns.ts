import * as v from 'valibot'
import { amount, coinInput, idParams, payoutAddress } from './fields.ts'
import { staffAct } from './route.ts'
import { sendingView } from './sending-view.ts'
import { filed, reason } from './staff.ts'
import { asset } from './wallet-keys.ts'

/** Returns of payments that were not credited, in the detail of their deposit (`staffQueueItem`). */

export const paymentReturn = v.object({
  ...sendingView,
  /** Sent amount, without the network fee. */
  received: amount,
  networkFee: amount,
})

export const proposePaymentReturn = staffAct({
  name: 'proposePaymentReturn',
  role: 'money',
  path: '/staff/deposits/:id/returns',
  summary:
    "Proposes to return a deposit's uncredited payments in one asset, less the network fee. `amount`: their sum, as shown. The address must be a BEP20 address in the member's address book, confirmed and past its delay. After another person approves it, the worker sends it like a payout.",
  params: idParams,
  body: v.strictObject({ asset, amount: coinInput, address: payoutAddress, reason }),
  reply: filed,
  errors: [
    'NOT_FOUND',
    'NOT_APPROVED',
    'CHANGE_OUTDATED',
    'INVALID_ADDRESS',
    'INVALID_AMOUNT',
    'PAYOUTS_STOPPED',
    'PAYOUT_HELD',
    'PAYOUT_NEEDS_PROOF',
    'ADDRESS_FORGED',
    'TRANSFER_FORGED',
  ],
})

export const cancelPaymentReturn = staffAct({
  name: 'cancelPaymentReturn',
  role: 'money',
  path: '/staff/payment-returns/:id/cancel',
  summary: 'Cancels the return of a payment. A signed one may still arrive; it ends when its result is final on the chain.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: v.object({ state: v.picklist(['CANCELLED', 'CANCEL_REQUESTED']) }),
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'NOT_APPROVED', 'PAYOUT_AFTER_RESTORE'],
})
