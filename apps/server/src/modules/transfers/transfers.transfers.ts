import type { Settings } from '../settings/index.ts'
import type { MovingKind } from '../wallets/index.ts'

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
    receipt: { title: 'Transfer to my wallet', group: 'transfer', list: 'exchange' },
  },
  swapNative: {
    cause: 'member',
    pairs: [['nativeWallet', 'icoWallet']],
    receipt: { title: 'Swap to my wallet', group: 'transfer', terms: ONE_TO_ONE },
  },
  nftToDeposit: {
    cause: 'member',
    pairs: [['nftWallet', 'depositWallet']],
    receipt: { title: 'Transfer to deposit wallet', group: 'transfer', terms: ONE_TO_ONE },
  },
  convertToMyWallet: {
    cause: 'setting',
    pairs: [
      ['nftWallet', 'SYS-SALES USD'],
      ['SYS-COIN COIN', 'icoWallet'],
    ],
    receipt: { title: 'Convert to my wallet', group: 'coin', terms: converted, twoAssets: true },
  },
  myWalletToUsd: {
    cause: 'setting',
    pairs: [
      ['icoWallet', 'SYS-COIN COIN'],
      ['SYS-SALES USD', 'depositWallet'],
    ],
    receipt: { title: 'Swap to USD', group: 'coin', terms: sold, twoAssets: true },
  },
  rcmToUsd: {
    cause: 'setting',
    pairs: [
      ['rcmWallet', 'SYS-COIN COIN'],
      ['SYS-SALES USD', 'depositWallet'],
    ],
    receipt: { title: 'RCM withdrawal', group: 'coin', terms: sold, twoAssets: true },
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    transfers: keyof typeof ownTransfers
  }
}
