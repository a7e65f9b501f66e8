import type { TransferKind } from '../../ledger/index.ts'

/** What this module posts. */
export const ownTransfers = {
  exchange: { cause: 'wallet_exchange', pairs: [['newIcoWallet', 'icoWallet']] },
  swapNative: { cause: 'member', pairs: [['nativeWallet', 'icoWallet']] },
  nftToDeposit: { cause: 'member', pairs: [['nftWallet', 'depositWallet']] },
  userToUser: { cause: 'member', pairs: [['depositWallet', 'depositWallet']] },
  convertToMyWallet: {
    cause: 'setting',
    pairs: [
      ['nftWallet', 'SYS-CONVERT USD'],
      ['SYS-COIN COIN', 'icoWallet'],
    ],
  },
  myWalletToUsd: {
    cause: 'setting',
    pairs: [
      ['icoWallet', 'SYS-COIN COIN'],
      ['SYS-CONVERT USD', 'depositWallet'],
    ],
  },
  rcmToUsd: {
    cause: 'setting',
    pairs: [
      ['rcmWallet', 'SYS-COIN COIN'],
      ['SYS-CONVERT USD', 'depositWallet'],
    ],
  },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    transfers: keyof typeof ownTransfers
  }
}
