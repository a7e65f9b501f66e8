import type { MovingKind } from '../wallets/index.ts'

const BACK = [
  ['stakeWallet', 'nativeWallet'],
  ['stakeWallet', 'icoWallet'],
] as const

export const stakingTransfers = {
  stake: {
    cause: 'stake',
    pairs: [
      ['nativeWallet', 'stakeWallet'],
      ['icoWallet', 'stakeWallet'],
    ],
    receipt: { title: 'Staked', group: 'stake', list: 'stake' },
  },
  stakeMatured: { cause: 'stake', pairs: BACK, receipt: { title: 'Stake returned', group: 'stake' } },
  stakeReversed: { cause: 'stake', pairs: BACK, receipt: { title: 'Stake reversed', group: 'stake' } },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    staking: keyof typeof stakingTransfers
  }
}
