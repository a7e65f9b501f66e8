import * as v from 'valibot'
import { amount, looseAmount } from './fields.ts'

/* Separate from the wallet routes, because most routes need only assets. */

/** Wire names for a member's wallets (EN-08), in dashboard card order. */
export const walletKeys = ['depositWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet', 'stakeWallet', 'nftWallet', 'rcmWallet'] as const
export type WalletKey = (typeof walletKeys)[number]

/** USD with 8 decimals, or the coin. */
export const asset = v.picklist(['usd', 'coin'])
export type Asset = v.InferOutput<typeof asset>

export const balanceEntries = {
  depositWallet: amount,
  nativeWallet: amount,
  icoWallet: amount,
  newIcoWallet: amount,
  stakeWallet: amount,
  nftWallet: amount,
  rcmWallet: looseAmount,
}

/** The seven balances (EN-08): USD in depositWallet and nftWallet, coin in the others. */
export const balances = v.object(balanceEntries)
export type Balances = v.InferOutput<typeof balances>
