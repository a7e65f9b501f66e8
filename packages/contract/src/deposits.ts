import * as v from 'valibot'
import {
  amount,
  answerId,
  coinInput,
  extra,
  id,
  idParams,
  looseAmount,
  maxAmount,
  maybeText,
  minAmount,
  moment,
  payoutAddress,
  usdInput,
} from './fields.ts'
import { DEPOSIT_MAX, DEPOSIT_MIN } from './limits.ts'
import { listOf, listQueryEntries, ownList } from './paging.ts'
import { returnable } from './returnable.ts'
import { memberAct, memberRead, nothing, route } from './route.ts'
import { asset } from './wallet-keys.ts'
import { rowExtras } from './wallets.ts'

export const createPayment = memberAct({
  name: 'createPayment',
  path: '/pay/create-payment',
  money: true,
  summary: 'Creates a USDT invoice at the payment provider (API-33, MF-01).',
  body: v.object({ amount: v.pipe(usdInput, minAmount(DEPOSIT_MIN), maxAmount(DEPOSIT_MAX)) }),
  reply: v.object({ invoice_url: v.string(), invoice_id: extra(id) }),
  errors: ['TOO_MANY_OPEN_INVOICES', 'PAYMENT_PROVIDER_DOWN'],
})

export const createInvoice = memberAct({
  name: 'createInvoice',
  path: '/autoPayRoutes/create-invoice',
  money: true,
  summary: 'Creates an in-app invoice in the token or in USDT (API-35, MF-02). Its id is in `data.data` (API-12).',
  body: v.object({
    amount: v.pipe(coinInput, minAmount(DEPOSIT_MIN), maxAmount(DEPOSIT_MAX)),
    /** Asset sent on-chain; defaults to the token. */
    asset: v.optional(v.picklist(['coin', 'usd'])),
  }),
  reply: v.object({ data: v.object({ invoice_id: answerId }) }),
  errors: ['TOO_MANY_OPEN_INVOICES', 'PAYMENT_PROVIDER_DOWN'],
})

/** Deposit request (EN-25). Sums include only `APPROVE`. */
export const depositRequestRow = v.object({
  status: v.string(),
  amount,
  createdAt: extra(moment),
  ...rowExtras('deposit'),
})

export const depositRequests = ownList({
  name: 'depositRequests',
  path: '/deposit-request',
  history: 'deposit',
  summary: "Lists the member's deposit requests. `meta.sumByStatus.APPROVE` is the total in USD (API-60).",
  reply: listOf(depositRequestRow),
})

/** Payment record (EN-43). */
export const paymentRow = v.object({
  createdAt: moment,
  user: v.nullish(v.object({ name: v.nullish(v.string()) })),
  orderId: v.nullish(v.union([v.string(), v.number()])),
  priceAmount: looseAmount,
  payAmountNum: looseAmount,
  desc: maybeText,
  status: maybeText,
  ...rowExtras('deposit'),
})

export const myDeposits = memberRead({
  name: 'myDeposits',
  path: '/pay/get-my-depsit',
  history: 'deposit',
  summary: "Lists the member's payments. `userId` is ignored; the token identifies the member (API-74, API-75).",
  query: v.object({ ...listQueryEntries, userId: v.optional(v.string()) }),
  reply: listOf(paymentRow),
})

export const myReturnable = memberRead({
  name: 'myReturnable',
  path: '/pay/deposits/:id/returns',
  summary: "Lists uncredited payments of the member's in-app invoice that can be returned, by asset.",
  params: idParams,
  reply: v.object({ returnable: v.array(returnable) }),
  errors: ['NOT_FOUND'],
})

export const requestReturn = memberAct({
  name: 'requestReturn',
  path: '/pay/deposits/:id/returns',
  limited: true,
  summary:
    "Asks staff to return the uncredited payments of one asset to a BEP20 address in the member's address book, less the network fee. Two people decide. A later request replaces the address of an open one.",
  params: idParams,
  body: v.object({ asset, address: payoutAddress }),
  reply: nothing,
  errors: [
    'NOT_FOUND',
    'NOT_APPROVED',
    'CHANGE_OUTDATED',
    'ALREADY_DECIDED',
    'INVALID_ADDRESS',
    'INVALID_AMOUNT',
    'PAYOUTS_STOPPED',
    'PAYOUT_HELD',
    'PAYOUT_NEEDS_PROOF',
    'ADDRESS_FORGED',
  ],
})

export const getInvoice = route({
  name: 'getInvoice',
  method: 'GET',
  path: '/invoice/:id',
  base: 'invoice',
  access: 'public',
  summary: 'Returns the data of the invoice page (API-95, EN-54).',
  params: idParams,
  bare: true,
  reply: v.object({
    wallet_address: v.string(),
    amount: looseAmount,
    token_name: v.string(),
    created_at: moment,
    expires_at: extra(moment),
    /** Server time, the countdown's reference. */
    server_time: extra(moment),
    /** Received so far, in token units. */
    received: extra(amount),
    confirmations: extra(v.number()),
    required_confirmations: extra(v.number()),
    /** For the QR code (EIP-681). */
    chain_id: extra(v.number()),
    token_address: extra(v.string()),
    token_decimals: extra(v.number()),
    /** True if the invoice can be paid with test money. */
    sandbox: extra(v.boolean()),
  }),
  errors: ['NOT_FOUND'],
})

export const getPaymentStatus = route({
  name: 'getPaymentStatus',
  method: 'GET',
  path: '/payments/:id',
  base: 'invoice',
  access: 'public',
  summary: 'Returns the state of an invoice (API-94). `completed` with status false: paid; with status true: processing; otherwise unpaid.',
  params: idParams,
  bare: true,
  reply: v.object({
    status: v.nullish(v.boolean()),
    payment_status: v.nullish(v.string(), 'pending'),
    /** awaiting, partial, confirming, settled, expired or closed; also none, underpaid, overpaid or late. */
    state: extra(v.string()),
    reason: extra(v.string()),
    confirmations: extra(v.number()),
    received: extra(amount),
    expires_at: extra(moment),
    server_time: extra(moment),
    /**
     * Reason for a wait, apart from the confirmations: no recent reading of the chain, the chain's final block, or more blocks for a large
     * payment.
     */
    waits_for: extra(v.object({ reason: v.picklist(['CHAIN_SILENT', 'FINAL_BLOCK', 'MORE_BLOCKS']), blocks: extra(v.number()) })),
    /** Received amounts without automatic credit: other token, after the monitored time, with another amount at the address, or too small. */
    not_counted: extra(v.object({ other_token: amount, too_late: amount, balance_differs: extra(amount), dust: amount })),
  }),
  errors: ['NOT_FOUND'],
})

export const paymentNotice = route({
  name: 'paymentNotice',
  method: 'POST',
  path: '/pay/notice',
  access: 'public',
  summary: "Receives the payment provider's signed webhook, which only triggers a query to the provider.",
  body: v.record(v.string(), v.unknown()),
  bare: true,
  reply: v.object({ ok: v.boolean() }),
  errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
})

export const payInSandbox = route({
  name: 'payInSandbox',
  method: 'POST',
  path: '/sandbox/invoices/:id/pay',
  base: 'invoice',
  access: 'public',
  summary: 'Pays an invoice with play money. Exists only in the sandbox.',
  params: idParams,
  body: v.object({ outcome: v.picklist(['exact', 'half', 'double', 'two', 'late', 'wrong']) }),
  bare: true,
  reply: v.object({ ok: v.boolean() }),
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})
