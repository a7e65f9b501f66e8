import type { TransferKind } from '../../ledger/index.ts'

const BACK = [
  ['stakeWallet', 'nativeWallet'],
  ['stakeWallet', 'icoWallet'],
] as const

/** What this module posts. */
export const stakingTransfers = {
  stake: {
    cause: 'stake',
    pairs: [
      ['nativeWallet', 'stakeWallet'],
      ['icoWallet', 'stakeWallet'],
    ],
  },
  stakeMatured: { cause: 'stake', pairs: BACK },
  stakeUndone: { cause: 'stake', pairs: BACK },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    staking: keyof typeof stakingTransfers
  }
}
