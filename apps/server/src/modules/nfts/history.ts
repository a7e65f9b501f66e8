import * as wire from '@tizara/contract/nfts'
import { upcoming } from '@tizara/contract/staking'
import { walletsMark } from '../../ledger/index.ts'
import type { History } from '../histories/index.ts'
import { findNftPurchaseReceipt } from './nft-receipt.ts'

/** A paid month changes a row and the wallets, but no count or sum of the list. */
export const purchases = {
  kind: 'nft-purchase',
  lists: [wire.nftHistory],
  counted: {
    table: 'nft_purchase',
    at: 'purchased_at',
    // A reversed NFT is not a holding.
    bucket: "case when row.status = 'REVERSED' then row.status else row.kind end",
    amount: 'row.price',
  },
  receipt: findNftPurchaseReceipt,
  also: [wire.myNftWallet, upcoming],
  follows: walletsMark,
} as const satisfies History
export const nftHistories: readonly History[] = [purchases]
