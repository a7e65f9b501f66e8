import { irreversible, reversible } from '../../ledger/index.ts'
import type { Settings } from '../settings/index.ts'
import type { MovingKind } from '../wallets/index.ts'

const RATE = irreversible('it was made at the rate of its day; the member can convert back at the current rate')
const ONE_TO_ONE = { rule: '1 to 1, without a fee' }
const sold = ({ sellPrice }: Settings) => ({
  rule: 'coin × coin price, rounded down at the eighth decimal',
  rate: sellPrice,
  rateUnit: 'USD for one coin',
})
const converted = ({ buyRate }: Settings) => ({
  rule: 'USD ÷ convert rate, rounded down at the eighth decimal',
  rate: buyRate,
  rateUnit: 'USD for one coin',
})

export const ownTransfers = {
  exchange: {
    cause: 'wallet_exchange',
    pairs: [['newIcoWallet', 'icoWallet']],
    receipt: { title: 'Transfer to my wallet', staffTitle: 'Exchange', group: 'transfer', list: 'exchange' },
    reversal: irreversible('it counts towards the exchange limit and is in the member’s list of exchanges'),
  },
  swapNative: {
    cause: 'member',
    pairs: [['nativeWallet', 'icoWallet']],
    receipt: { title: 'Swap to my wallet', staffTitle: 'Swap to My Wallet', group: 'transfer', terms: ONE_TO_ONE },
    reversal: reversible('Both wallets are the member’s own; nothing else follows.'),
  },
  nftToDeposit: {
    cause: 'member',
    pairs: [['nftWallet', 'depositWallet']],
    receipt: { title: 'Transfer to deposit wallet', staffTitle: 'NFT wallet to deposit wallet', group: 'transfer', terms: ONE_TO_ONE },
    reversal: reversible('Both wallets are the member’s own; nothing else follows.'),
  },
  convertToMyWallet: {
    cause: 'setting',
    pairs: [
      ['nftWallet', 'SYS-SALES USD'],
      ['SYS-COIN COIN', 'icoWallet'],
    ],
    receipt: { title: 'Convert to my wallet', staffTitle: 'Converted to My Wallet', group: 'coin', terms: converted, twoAssets: true },
    reversal: RATE,
  },
  myWalletToUsd: {
    cause: 'setting',
    pairs: [
      ['icoWallet', 'SYS-COIN COIN'],
      ['SYS-SALES USD', 'depositWallet'],
    ],
    receipt: { title: 'Swap to USD', staffTitle: 'Swapped to USD', group: 'coin', terms: sold, twoAssets: true },
    reversal: RATE,
  },
  rcmToUsd: {
    cause: 'setting',
    pairs: [
      ['rcmWallet', 'SYS-COIN COIN'],
      ['SYS-SALES USD', 'depositWallet'],
    ],
    receipt: { title: 'RCM withdrawal', group: 'coin', terms: sold, twoAssets: true },
    reversal: RATE,
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    transfers: keyof typeof ownTransfers
  }
}
