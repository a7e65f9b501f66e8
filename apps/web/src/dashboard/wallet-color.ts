import { type WalletKey, walletKeys } from '@tizara/contract/wallets'

/** The mark of a wallet, the same on its card and in the chart of everything; the seventh is a quiet grey. */
export function walletColor(wallet: WalletKey): string {
  const place = walletKeys.indexOf(wallet) + 1
  return place <= 6 ? `var(--c${place})` : 'var(--line-input)'
}
