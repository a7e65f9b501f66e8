import { A_RETURN, PURCHASE_REVERSAL } from '../../ledger/index.ts'
import type { MovingKind } from '../wallets/index.ts'

export const coinTransfers = {
  buyToken: {
    cause: 'coin_purchase',
    pairs: [
      ['depositWallet', 'SYS-SALES USD'],
      ['SYS-COIN COIN', 'newIcoWallet'],
      ['SYS-COIN COIN', 'icoWallet'],
      ['SYS-COIN COIN', 'nativeWallet'],
    ],
    receipt: { title: 'Coin purchase', staffTitle: 'Bought coin', group: 'coin', list: 'buy-token', twoAssets: true },
    reversal: PURCHASE_REVERSAL,
  },
  buyTokenReversed: {
    cause: 'coin_purchase',
    pairs: [
      ['SYS-SALES USD', 'depositWallet'],
      ['newIcoWallet', 'SYS-COIN COIN'],
      ['icoWallet', 'SYS-COIN COIN'],
      ['nativeWallet', 'SYS-COIN COIN'],
    ],
    receipt: { title: 'Coin purchase reversed', group: 'coin', twoAssets: true },
    reversal: A_RETURN,
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    coin: keyof typeof coinTransfers
  }
}
