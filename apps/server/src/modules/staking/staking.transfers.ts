import { A_RETURN, PURCHASE_REVERSAL, irreversible } from '../../ledger/index.ts'
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
    reversal: PURCHASE_REVERSAL,
  },
  stakeMatured: {
    cause: 'stake',
    pairs: BACK,
    receipt: { title: 'Stake returned', staffTitle: 'Stake matured', group: 'stake' },
    reversal: irreversible('the stake has ended, and its coin is with the member'),
  },
  stakeReversed: { cause: 'stake', pairs: BACK, receipt: { title: 'Stake reversed', group: 'stake' }, reversal: A_RETURN },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    staking: keyof typeof stakingTransfers
  }
}
