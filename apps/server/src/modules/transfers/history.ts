import * as wire from '@tizara/contract/transfers'
import type { History } from '../members/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Movements } from '../wallets/index.ts'
import { findExchangeReceipt } from './transfers.receipts.ts'

export const exchanges = {
  kind: 'exchange',
  lists: [wire.exchangeHistory],
  counted: { table: 'wallet_exchange', amount: 'row.amount' },
  receipt: findExchangeReceipt,
} as const satisfies History
export const transferHistories: readonly History[] = [exchanges]

const ONE_TO_ONE = { rule: '1 to 1, without a fee' }
const sold = ({ coinPrice }: Settings) => ({
  rule: 'coin × coin price, rounded down at the eighth decimal',
  rate: coinPrice,
  rateUnit: 'USD for one coin',
})
const converted = ({ convertRate }: Settings) => ({
  rule: 'USD ÷ convert rate, rounded down at the eighth decimal',
  rate: convertRate,
  rateUnit: 'USD for one coin',
})

export const transferMovements: Movements = {
  userToUser: { title: 'Transfer between members', terms: ONE_TO_ONE },
  swapNative: { title: 'Swap to my wallet', terms: ONE_TO_ONE },
  nftToDeposit: { title: 'Transfer to deposit wallet', terms: ONE_TO_ONE },
  convertToMyWallet: { title: 'Convert to my wallet', terms: converted, twoAssets: true },
  myWalletToUsd: { title: 'Swap to USD', terms: sold, twoAssets: true },
  rcmToUsd: { title: 'RCM withdrawal', terms: sold, twoAssets: true },
}
