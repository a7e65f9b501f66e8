import { type Balances, walletAssets, type WalletKey } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { type Units, usdForCoin } from '@tizara/money'
import { walletColor, walletNames, walletOrder } from '../wallets/index.ts'

/** A wallet, or money outside the wallets. */
export interface Part {
  key: WalletKey | 'held' | 'nfts'
  label: string
  /** CSS colour. */
  color: string
}

/** A part with its value in USD; an estimate for coin. */
export interface Holding extends Part {
  usd: Units
}

/** Amounts outside the wallets: open holds, and NFTs at the USD price paid. */
export interface Outside {
  heldUsd: Units
  heldCoin: Units
  nfts: Units
}

/** Returns the member's wallets; only special members have the RCM wallet (UI-DASH-14). */
export const walletsOf = (isSpecial: boolean): WalletKey[] => walletOrder.filter((wallet) => wallet !== 'rcmWallet' || isSpecial)

/** Returns the parts of the total in the order of the screen. */
export const partsOf = (wallets: readonly WalletKey[]): Part[] => [
  ...wallets.map((wallet) => ({ key: wallet, label: walletNames[wallet], color: walletColor(wallet) })),
  { key: 'held', label: t('On hold'), color: 'var(--ink-3)' },
  { key: 'nfts', label: t('NFTs (price paid)'), color: 'var(--ink-2)' },
]

/**
 * Returns each part with its value in USD.
 * @param coinPrice USD units for one coin
 * @param outside undefined if the server has no such call; its parts are then left out
 */
export function holdingsOf(balances: Balances, coinPrice: Units, wallets: readonly WalletKey[], outside?: Outside): Holding[] {
  const inUsd = (coin: Units) => usdForCoin(coin < 0n ? 0n : coin, coinPrice)
  return partsOf(wallets).flatMap((part) => {
    if (part.key === 'held') return outside === undefined ? [] : [{ ...part, usd: outside.heldUsd + inUsd(outside.heldCoin) }]
    if (part.key === 'nfts') return outside === undefined ? [] : [{ ...part, usd: outside.nfts }]
    return [{ ...part, usd: walletAssets[part.key] === 'usd' ? balances[part.key] : inUsd(balances[part.key]) }]
  })
}

export const totalOf = (holdings: readonly Holding[]): Units => holdings.reduce((total, { usd }) => total + usd, 0n)
