import { irreversible } from '../../ledger/index.ts'
import type { MovingKind } from '../wallets/index.ts'

export const importTransfers = {
  /** Coin of an import, taken from the stock: the supply was issued once (CO-21). */
  importStock: {
    cause: 'import_batch',
    pairs: [['SYS-COIN COIN', 'SYS-IMPORT COIN']],
    reversal: irreversible('it is the coin of an import'),
  },
  /** Balance of a member on the earlier platform. It is not new money (RW-01). */
  importBalance: {
    cause: 'import_balance',
    pairs: [
      ['SYS-IMPORT USD', 'depositWallet'],
      ['SYS-IMPORT COIN', 'nativeWallet'],
      ['SYS-IMPORT COIN', 'icoWallet'],
      ['SYS-IMPORT COIN', 'newIcoWallet'],
      ['SYS-IMPORT COIN', 'stakeWallet'],
      ['SYS-IMPORT USD', 'nftWallet'],
      ['SYS-IMPORT COIN', 'rcmWallet'],
    ],
    receipt: { title: 'Balance from the earlier platform', group: 'transfer' },
    reversal: irreversible('it is the member’s balance on the earlier platform'),
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    import: keyof typeof importTransfers
  }
}
