import { type Balances, walletAssets, type WalletKey } from '@tizara/contract/wallets'
import { type Units, usdForCoin } from '@tizara/money'

/** A wallet's worth. */
export interface Holding {
  wallet: WalletKey
  /** USD, an estimate where the wallet holds coin. */
  usd: Units
}

/** The cards in the order of UI-DASH-06 to UI-DASH-14. */
const cardOrder: readonly WalletKey[] = [
  'depositWallet',
  'nativeWallet',
  'icoWallet',
  'stakeWallet',
  'newIcoWallet',
  'nftWallet',
  'rcmWallet',
]

/** The mark of a wallet, the same on its card and in the chart of everything; the seventh is a quiet grey. */
export function walletColor(wallet: WalletKey): string {
  const place = cardOrder.indexOf(wallet) + 1
  return place <= 6 ? `var(--c${place})` : 'var(--line-input)'
}

/** The wallets that a member has: the RCM wallet is for special members only (UI-DASH-14). */
export const walletsOf = (isSpecial: boolean): WalletKey[] => cardOrder.filter((wallet) => wallet !== 'rcmWallet' || isSpecial)

/**
 * What each wallet is worth in USD at a price.
 * @param coinPrice USD units for one coin
 */
export function holdingsOf(balances: Balances, coinPrice: Units, wallets: readonly WalletKey[]): Holding[] {
  return wallets.map((wallet) => ({
    wallet,
    usd: walletAssets[wallet] === 'usd' ? balances[wallet] : usdForCoin(balances[wallet] < 0n ? 0n : balances[wallet], coinPrice),
  }))
}

/** The worth of everything. */
export const totalOf = (holdings: readonly Holding[]): Units => holdings.reduce((total, { usd }) => total + usd, 0n)
