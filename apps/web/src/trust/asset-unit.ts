import type { Asset } from '@tizara/contract/wallets'

/** Returns the unit shown beside amounts of an asset. */
export const assetUnit = (asset: Asset, tokenSymbol: string): string => (asset === 'usd' ? 'USD' : tokenSymbol)
