import { A_RETURN, PURCHASE_REVERSAL } from '../../ledger/index.ts'
import type { MovingKind } from '../wallets/index.ts'

export const nftTransfers = {
  nftPurchase: {
    cause: 'nft_purchase',
    pairs: [
      ['depositWallet', 'SYS-SALES USD'],
      ['nativeWallet', 'SYS-COIN COIN'],
      ['icoWallet', 'SYS-COIN COIN'],
    ],
    receipt: { title: 'NFT purchase', staffTitle: 'Bought an NFT', group: 'nft', list: 'nft-purchase' },
    reversal: PURCHASE_REVERSAL,
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
    reversal: A_RETURN,
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    nfts: keyof typeof nftTransfers
  }
}
