import type { TransferKind } from '../../ledger/index.ts'

export const depositTransfers = {
  deposit: { cause: 'deposit', pairs: [['SYS-DEPOSIT USD', 'depositWallet']], bringsNewMoney: true },
  tokenDeposit: { cause: 'deposit', pairs: [['SYS-DEPOSIT COIN', 'nativeWallet']] },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    deposits: keyof typeof depositTransfers
  }
}
