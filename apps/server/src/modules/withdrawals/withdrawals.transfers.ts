import type { MovingKind } from '../wallets/index.ts'

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
  },
  transferHeld: {
    cause: 'payout_request',
    pairs: [['depositWallet', 'SYS-HOLD USD']],
    receipt: { title: 'Transfer between members, on hold', group: 'transfer', terms: ONE_TO_ONE },
  },
  transferReleased: {
    cause: 'payout_request',
    pairs: [['SYS-HOLD USD', 'depositWallet']],
    bringsNewMoney: true,
    receipt: { title: 'Transfer between members, hold ended', group: 'transfer' },
  },
  withdrawal: {
    cause: 'payout_request',
    pairs: [['depositWallet', 'SYS-HOLD USD']],
    receipt: { title: 'Withdrawal', group: 'withdrawal', list: 'withdrawal' },
  },
  bridge: {
    cause: 'payout_request',
    pairs: [['icoWallet', 'SYS-HOLD COIN']],
    receipt: { title: 'Bridge transfer', group: 'withdrawal', list: 'bridge' },
  },
  payout: {
    cause: 'payout_request',
    pairs: [
      ['SYS-HOLD USD', 'SYS-WITHDRAW USD'],
      ['SYS-HOLD COIN', 'SYS-BRIDGE COIN'],
    ],
  },
  platformFee: { cause: 'payout_request', pairs: FEES },
  networkFee: { cause: 'payout_request', pairs: [['SYS-HOLD USD', 'SYS-FEE USD']] },
  payoutReturned: {
    cause: 'payout_request',
    bringsNewMoney: true,
    pairs: [
      ['SYS-WITHDRAW USD', 'depositWallet'],
      ['SYS-BRIDGE COIN', 'icoWallet'],
    ],
    receipt: { title: 'Payout returned', group: 'withdrawal' },
  },
  payoutFeeReturned: {
    cause: 'payout_request',
    bringsNewMoney: true,
    pairs: [
      ['SYS-FEE USD', 'depositWallet'],
      ['SYS-FEE COIN', 'icoWallet'],
    ],
    receipt: { title: 'Payout fee returned', group: 'withdrawal' },
  },
  /** A payment that was not credited came in and leaves again, less its network fee. */
  paymentReturned: {
    cause: 'payment_return',
    pairs: [
      ['SYS-DEPOSIT USD', 'SYS-WITHDRAW USD'],
      ['SYS-DEPOSIT COIN', 'SYS-BRIDGE COIN'],
    ],
  },
  returnFee: {
    cause: 'payment_return',
    pairs: [
      ['SYS-DEPOSIT USD', 'SYS-FEE USD'],
      ['SYS-DEPOSIT COIN', 'SYS-FEE COIN'],
    ],
  },
  paymentReturnReversed: {
    cause: 'payment_return',
    pairs: [
      ['SYS-WITHDRAW USD', 'SYS-DEPOSIT USD'],
      ['SYS-BRIDGE COIN', 'SYS-DEPOSIT COIN'],
    ],
  },
  returnFeeReversed: {
    cause: 'payment_return',
    pairs: [
      ['SYS-FEE USD', 'SYS-DEPOSIT USD'],
      ['SYS-FEE COIN', 'SYS-DEPOSIT COIN'],
    ],
  },
  /** Network fee of the operator's own transaction, which the operator pays externally. */
  networkCost: { cause: 'network_cost', pairs: [['SYS-OPERATOR USD', 'SYS-GAS USD']] },
  /** Money of the sales fund that is sent to the operator (docs/decisions/0054-proceeds-of-sales.md). */
  proceeds: { cause: 'proceeds_payout', pairs: [['SYS-SALES USD', 'SYS-WITHDRAW USD']] },
  proceedsReturned: { cause: 'proceeds_payout', pairs: [['SYS-WITHDRAW USD', 'SYS-SALES USD']] },
  withdrawalRejected: {
    cause: 'payout_request',
    pairs: [['SYS-HOLD USD', 'depositWallet']],
    bringsNewMoney: true,
    receipt: { title: 'Withdrawal returned', group: 'withdrawal' },
  },
  bridgeRejected: {
    cause: 'payout_request',
    pairs: [['SYS-HOLD COIN', 'icoWallet']],
    receipt: { title: 'Bridge transfer returned', group: 'withdrawal' },
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    withdrawals: keyof typeof withdrawalTransfers
  }
}
