import type { TransferKind } from '../../ledger/index.ts'

const FEES = [
  ['SYS-HOLD USD', 'SYS-FEE USD'],
  ['SYS-HOLD COIN', 'SYS-FEE COIN'],
] as const

/** What this module posts: a hold, and then a payout with its fees or the way back. */
export const withdrawalTransfers = {
  withdrawal: { cause: 'payout_request', pairs: [['depositWallet', 'SYS-HOLD USD']] },
  bridge: { cause: 'payout_request', pairs: [['icoWallet', 'SYS-HOLD COIN']] },
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
  },
  payoutFeeReturned: {
    cause: 'payout_request',
    bringsNewMoney: true,
    pairs: [
      ['SYS-FEE USD', 'depositWallet'],
      ['SYS-FEE COIN', 'icoWallet'],
    ],
  },
  /** What the network took for a transaction of ours: the operator's, who pays it outside. */
  networkCost: { cause: 'network_cost', pairs: [['SYS-OPERATOR USD', 'SYS-GAS USD']] },
  withdrawalRejected: { cause: 'payout_request', pairs: [['SYS-HOLD USD', 'depositWallet']], bringsNewMoney: true },
  bridgeRejected: { cause: 'payout_request', pairs: [['SYS-HOLD COIN', 'icoWallet']] },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    withdrawals: keyof typeof withdrawalTransfers
  }
}
