import type { MovingKind } from '../wallets/index.ts'

export const nftTransfers = {
  nftPurchase: {
    cause: 'nft_purchase',
    pairs: [
      ['depositWallet', 'SYS-SALES USD'],
      ['nativeWallet', 'SYS-COIN COIN'],
      ['icoWallet', 'SYS-COIN COIN'],
    ],
    receipt: { title: 'NFT purchase', group: 'nft', list: 'nft-purchase' },
  },
  nftPurchaseReversed: {
    cause: 'nft_purchase',
    bringsNewMoney: true,
    pairs: [
      ['SYS-SALES USD', 'depositWallet'],
      ['SYS-COIN COIN', 'nativeWallet'],
      ['SYS-COIN COIN', 'icoWallet'],
    ],
    receipt: { title: 'NFT purchase reversed', group: 'nft' },
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    nfts: keyof typeof nftTransfers
  }
}
