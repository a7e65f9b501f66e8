import * as v from 'valibot'

/* Apart from the calls about wallets: most calls name an asset, and load no more than this. */

/** The wallets of a member as the wire names them (EN-08), in the order of the dashboard's cards. */
export const walletKeys = ['depositWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet', 'stakeWallet', 'nftWallet', 'rcmWallet'] as const
export type WalletKey = (typeof walletKeys)[number]

/** What is counted: USD with its 8 decimals, or the coin. */
export const asset = v.picklist(['usd', 'coin'])
export type Asset = v.InferOutput<typeof asset>
