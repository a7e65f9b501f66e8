import { A_RETURN, irreversible, reversible } from '../../ledger/index.ts'
import type { MovingKind } from '../wallets/index.ts'

const REJECT_UNDER_PAYOUTS = irreversible('reject the request under Payouts')
const PAID = irreversible('the payment was sent; a payout that failed on the chain is returned under Payouts')
const FEES = [
  ['SYS-HOLD USD', 'SYS-FEE USD'],
  ['SYS-HOLD COIN', 'SYS-FEE COIN'],
] as const

const ONE_TO_ONE = { rule: '1 to 1, without a fee' }

/** Declares the transfer kinds of this module: holds, payouts with fees, returned amounts, and transfers between members. */
export const withdrawalTransfers = {
  userToUser: {
    cause: 'member',
    pairs: [['depositWallet', 'depositWallet']],
    receipt: { title: 'Transfer between members', group: 'transfer', terms: ONE_TO_ONE },
    reversal: reversible('New money that the receiver still has goes back to the sender with it.'),
  },
  transferHeld: {
    cause: 'payout_request',
    pairs: [['depositWallet', 'SYS-HOLD USD']],
    receipt: { title: 'Transfer between members, on hold', staffTitle: 'Transfer, on hold', group: 'transfer', terms: ONE_TO_ONE },
    reversal: irreversible('the member cancels the transfer, or it is returned if it is not confirmed'),
  },
  transferReleased: {
    cause: 'payout_request',
    pairs: [['SYS-HOLD USD', 'depositWallet']],
    bringsNewMoney: true,
    receipt: { title: 'Transfer between members, hold ended', staffTitle: 'Transfer, hold ended', group: 'transfer' },
    reversal: A_RETURN,
  },
  withdrawal: {
    cause: 'payout_request',
    pairs: [['depositWallet', 'SYS-HOLD USD']],
    receipt: { title: 'Withdrawal', staffTitle: 'Payout requested, on hold', group: 'withdrawal', list: 'withdrawal' },
    reversal: REJECT_UNDER_PAYOUTS,
  },
  bridge: {
    cause: 'payout_request',
    pairs: [['icoWallet', 'SYS-HOLD COIN']],
    receipt: { title: 'Bridge transfer', staffTitle: 'Bridge requested, on hold', group: 'withdrawal', list: 'bridge' },
    reversal: REJECT_UNDER_PAYOUTS,
  },
  payout: {
    cause: 'payout_request',
    pairs: [
      ['SYS-HOLD USD', 'SYS-WITHDRAW USD'],
      ['SYS-HOLD COIN', 'SYS-BRIDGE COIN'],
    ],
    reversal: PAID,
  },
  platformFee: { cause: 'payout_request', pairs: FEES, reversal: PAID },
  networkFee: { cause: 'payout_request', pairs: [['SYS-HOLD USD', 'SYS-FEE USD']], reversal: PAID },
  payoutReturned: {
    cause: 'payout_request',
    bringsNewMoney: true,
    pairs: [
      ['SYS-WITHDRAW USD', 'depositWallet'],
      ['SYS-BRIDGE COIN', 'icoWallet'],
    ],
    receipt: { title: 'Payout returned', staffTitle: 'Payout cancelled, refunded', group: 'withdrawal' },
    reversal: A_RETURN,
  },
  payoutFeeReturned: {
    cause: 'payout_request',
    bringsNewMoney: true,
    pairs: [
      ['SYS-FEE USD', 'depositWallet'],
      ['SYS-FEE COIN', 'icoWallet'],
    ],
    receipt: { title: 'Payout fee returned', staffTitle: 'Payout fee, refunded', group: 'withdrawal' },
    reversal: A_RETURN,
  },
  /** A payment that was not credited came in and leaves again, less its network fee. */
  paymentReturned: {
    cause: 'payment_return',
    pairs: [
      ['SYS-DEPOSIT USD', 'SYS-WITHDRAW USD'],
      ['SYS-DEPOSIT COIN', 'SYS-BRIDGE COIN'],
    ],
    reversal: irreversible('the payment was sent; cancel the return under Deposits'),
  },
  returnFee: {
    cause: 'payment_return',
    pairs: [
      ['SYS-DEPOSIT USD', 'SYS-FEE USD'],
      ['SYS-DEPOSIT COIN', 'SYS-FEE COIN'],
    ],
    reversal: irreversible('it ends with the return of its payment; cancel that one under Deposits'),
  },
  paymentReturnReversed: {
    cause: 'payment_return',
    pairs: [
      ['SYS-WITHDRAW USD', 'SYS-DEPOSIT USD'],
      ['SYS-BRIDGE COIN', 'SYS-DEPOSIT COIN'],
    ],
    reversal: A_RETURN,
  },
  returnFeeReversed: {
    cause: 'payment_return',
    pairs: [
      ['SYS-FEE USD', 'SYS-DEPOSIT USD'],
      ['SYS-FEE COIN', 'SYS-DEPOSIT COIN'],
    ],
    reversal: A_RETURN,
  },
  /** Network fee of the operator's own transaction, which the operator pays externally. */
  networkCost: { cause: 'network_cost', pairs: [['SYS-OPERATOR USD', 'SYS-GAS USD']], reversal: irreversible('the network has taken it') },
  /** Money of the sales fund that is sent to the operator (docs/decisions/0054-proceeds-of-sales.md). */
  proceeds: {
    cause: 'proceeds_payout',
    pairs: [['SYS-SALES USD', 'SYS-WITHDRAW USD']],
    reversal: irreversible('it is a payout to the operator; one person cancels it under Hot wallet while it waits'),
  },
  proceedsReturned: { cause: 'proceeds_payout', pairs: [['SYS-WITHDRAW USD', 'SYS-SALES USD']], reversal: A_RETURN },
  withdrawalRejected: {
    cause: 'payout_request',
    pairs: [['SYS-HOLD USD', 'depositWallet']],
    bringsNewMoney: true,
    receipt: { title: 'Withdrawal returned', staffTitle: 'Payout rejected, refunded', group: 'withdrawal' },
    reversal: A_RETURN,
  },
  bridgeRejected: {
    cause: 'payout_request',
    pairs: [['SYS-HOLD COIN', 'icoWallet']],
    receipt: { title: 'Bridge transfer returned', staffTitle: 'Bridge rejected, refunded', group: 'withdrawal' },
    reversal: A_RETURN,
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    withdrawals: keyof typeof withdrawalTransfers
  }
}
