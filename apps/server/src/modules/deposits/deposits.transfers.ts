import type { MovingKind } from '../wallets/index.ts'

export const depositTransfers = {
  deposit: {
    cause: 'deposit',
    pairs: [['SYS-DEPOSIT USD', 'depositWallet']],
    bringsNewMoney: true,
    receipt: { title: 'Deposit', group: 'deposit', list: 'deposit' },
  },
  tokenDeposit: {
    cause: 'deposit',
    pairs: [['SYS-DEPOSIT COIN', 'nativeWallet']],
    receipt: { title: 'Coin deposit', group: 'deposit', list: 'deposit' },
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    deposits: keyof typeof depositTransfers
  }
}
