import type { TransferKind } from '../../ledger/index.ts'

/** What this module posts. */
export const nftTransfers = {
  nftPurchase: {
    cause: 'nft_purchase',
    pairs: [
      ['depositWallet', 'SYS-SALES USD'],
      ['nativeWallet', 'SYS-COIN COIN'],
      ['icoWallet', 'SYS-COIN COIN'],
    ],
  },
  nftPurchaseUndone: {
    cause: 'nft_purchase',
    pairs: [
      ['SYS-SALES USD', 'depositWallet'],
      ['SYS-COIN COIN', 'nativeWallet'],
      ['SYS-COIN COIN', 'icoWallet'],
    ],
  },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    nfts: keyof typeof nftTransfers
  }
}
