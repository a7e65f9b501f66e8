import type { TransferKind } from '../../ledger/index.ts'

/** What this module posts. */
export const coinTransfers = {
  buyToken: {
    cause: 'coin_purchase',
    pairs: [
      ['depositWallet', 'SYS-SALES USD'],
      ['SYS-COIN COIN', 'newIcoWallet'],
      ['SYS-COIN COIN', 'icoWallet'],
      ['SYS-COIN COIN', 'nativeWallet'],
    ],
  },
  buyTokenUndone: {
    cause: 'coin_purchase',
    pairs: [
      ['SYS-SALES USD', 'depositWallet'],
      ['newIcoWallet', 'SYS-COIN COIN'],
      ['icoWallet', 'SYS-COIN COIN'],
      ['nativeWallet', 'SYS-COIN COIN'],
    ],
  },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    coin: keyof typeof coinTransfers
  }
}
