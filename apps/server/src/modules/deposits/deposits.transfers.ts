import { reversible } from '../../ledger/index.ts'
import type { MovingKind } from '../wallets/index.ts'

export const depositTransfers = {
  deposit: {
    cause: 'deposit',
    pairs: [['SYS-DEPOSIT USD', 'depositWallet']],
    bringsNewMoney: true,
    receipt: { title: 'Deposit', group: 'deposit', list: 'deposit' },
    reversal: reversible(
      'The deposit counts for less in the member’s totals by it. What arrived is never credited again. New money of it that is gone reverses pending referral rewards.',
    ),
  },
  tokenDeposit: {
    cause: 'deposit',
    pairs: [['SYS-DEPOSIT COIN', 'nativeWallet']],
    receipt: { title: 'Coin deposit', group: 'deposit', list: 'deposit' },
    reversal: reversible('The deposit counts for less in the member’s totals by it. What arrived is never credited again.'),
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    deposits: keyof typeof depositTransfers
  }
}
