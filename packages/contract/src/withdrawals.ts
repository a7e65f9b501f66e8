import * as v from 'valibot'
import { amount, coinInput, extra, minAmount, moment, payoutAddress, usdInput } from './fields.ts'
import { WITHDRAWAL_MIN, bridgeNetworks } from './limits.ts'
import { listOf, ownList } from './paging.ts'
import { stepUpToken } from './proof.ts'
import { memberAct } from './route.ts'
import { done, rowExtras } from './wallets.ts'

/** Set while a payout awaits confirmation; the payout is returned at that time. */
const waitsUntil = extra(moment)

/** An on-chain payout's progress and explorer URL. */
const sentExtras = { sending: extra(v.picklist(['waiting', 'sent', 'confirming', 'arrived'])), txUrl: extra(v.string()) }

export const withdrawDeposit = memberAct({
  name: 'withdrawDeposit',
  path: '/deposit-wallet/transfer-deposit-wallet',
  money: true,
  needsTerms: false,
  quoted: true,
  summary: 'Requests a payout of USD of the deposit wallet to a BEP(20) address (API-36, MF-03).',
  body: v.object({ amount: v.pipe(usdInput, minAmount(WITHDRAWAL_MIN)), address: payoutAddress, stepUp: stepUpToken }),
  reply: done('withdrawal'),
  errors: [
    'FEE_CHANGED',
    'INVALID_ADDRESS',
    'INVALID_AMOUNT',
    'INSUFFICIENT_BALANCE',
    'PAYOUTS_STOPPED',
    'PAYOUT_DAY_COUNT',
    'PAYOUT_DAY_LIMIT',
    'PAYOUT_NEEDS_PROOF',
    'ADDRESS_FORGED',
    'STEP_UP_REFUSED',
  ],
})

export const bridge = memberAct({
  name: 'bridge',
  path: '/withdrow-request',
  money: true,
  needsTerms: false,
  quoted: true,
  summary: 'Requests a payout of coin of My Wallet (API-37, MF-04). Network 0: BEP(20), 1: ERC(20), 2: TRC(20).',
  body: v.object({
    to: payoutAddress,
    amount: coinInput,
    network: v.optional(v.picklist(Object.values(bridgeNetworks), 'Invalid network'), bridgeNetworks['BEP(20)']),
    stepUp: stepUpToken,
  }),
  reply: done('bridge'),
  errors: [
    'FEE_CHANGED',
    'INVALID_ADDRESS',
    'INVALID_AMOUNT',
    'BELOW_MINIMUM',
    'INSUFFICIENT_BALANCE',
    'PAYOUTS_STOPPED',
    'PAYOUT_DAY_COUNT',
    'PAYOUT_DAY_LIMIT',
    'PAYOUT_NEEDS_PROOF',
    'ADDRESS_FORGED',
    'STEP_UP_REFUSED',
  ],
})

/** Bridge record (EN-42): status null is pending, true paid, anything else rejected; `desc` is the fee. */
export const bridgeRow = v.object({
  createdAt: moment,
  to: v.string(),
  amount,
  desc: v.nullish(v.union([v.string(), v.number()])),
  status: v.nullish(v.union([v.boolean(), v.string(), v.number()])),
  network: extra(v.number()),
  txHash: extra(v.string()),
  ...sentExtras,
  reason: extra(v.string()),
  waitsUntil,
  ...rowExtras('bridge'),
})

export const bridgeHistory = ownList({
  name: 'bridgeHistory',
  path: '/withdrow-request/get-my-withdraw-history',
  history: 'bridge',
  summary: "Lists the member's bridges (API-73).",
  reply: listOf(bridgeRow),
})

/** USD withdrawal (EN-45, LS-37): `fee` is the platform fee, `recived` the net amount. */
export const withdrawalRow = v.object({
  createdAt: moment,
  user: v.object({ email: v.string() }),
  amount,
  fee: amount,
  recived: amount,
  status: v.string(),
  networkFee: extra(amount),
  address: extra(v.string()),
  txHash: extra(v.string()),
  ...sentExtras,
  reason: extra(v.string()),
  waitsUntil,
  ...rowExtras('withdrawal'),
})

export const withdrawalHistory = ownList({
  name: 'withdrawalHistory',
  path: '/deposit-wallet/transfer-history',
  history: 'withdrawal',
  summary: "Lists the member's USD withdrawals (API-77).",
  reply: listOf(withdrawalRow),
})
