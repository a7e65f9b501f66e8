import { walletAssets, type WalletKey } from '@tizara/contract/wallets'
import { texts } from '@tizara/languages'
import { useAppConfig } from '../settings/index.ts'

/** Wallet names (GN-19, UI-DASH-17). */
export const walletNames: Readonly<Record<WalletKey, string>> = texts({
  depositWallet: 'Deposit Wallet',
  nativeWallet: 'Native Wallet',
  icoWallet: 'My Wallet',
  newIcoWallet: 'ICO Wallet',
  stakeWallet: 'Stake Wallet',
  nftWallet: 'NFT Wallet',
  rcmWallet: 'RCM Wallet',
})

/** Wallets in card order (UI-DASH-06 to UI-DASH-14). */
export const walletOrder: readonly WalletKey[] = [
  'depositWallet',
  'nativeWallet',
  'icoWallet',
  'stakeWallet',
  'newIcoWallet',
  'nftWallet',
  'rcmWallet',
]

/** Returns a wallet's colour, the same everywhere; the seventh is grey. */
export function walletColor(wallet: WalletKey): string {
  const index = walletOrder.indexOf(wallet) + 1
  return index <= 6 ? `var(--c${index})` : 'var(--line-input)'
}

/** Returns each wallet's unit: USD, or the coin's symbol (GN-11 to GN-18, GN-27). */
export function useWalletUnit(): (wallet: WalletKey) => string {
  const { tokenSymbol } = useAppConfig()
  return (wallet) => (walletAssets[wallet] === 'usd' ? 'USD' : tokenSymbol)
}
