import { type Balances, walletAssets, type WalletKey } from '@tizara/contract/wallets'
import { type Units, usdForCoin } from '@tizara/money'
import { walletOrder } from '../wallets/index.ts'

/** A wallet's value. */
export interface Holding {
  wallet: WalletKey
  /** USD; an estimate for coin wallets. */
  usd: Units
}

/** Returns the member's wallets; only special members have the RCM wallet (UI-DASH-14). */
export const walletsOf = (isSpecial: boolean): WalletKey[] => walletOrder.filter((wallet) => wallet !== 'rcmWallet' || isSpecial)

/**
 * Returns each wallet's value in USD.
 * @param coinPrice USD units for one coin
 */
export function holdingsOf(balances: Balances, coinPrice: Units, wallets: readonly WalletKey[]): Holding[] {
  return wallets.map((wallet) => ({
    wallet,
    usd: walletAssets[wallet] === 'usd' ? balances[wallet] : usdForCoin(balances[wallet] < 0n ? 0n : balances[wallet], coinPrice),
  }))
}

export const totalOf = (holdings: readonly Holding[]): Units => holdings.reduce((total, { usd }) => total + usd, 0n)
