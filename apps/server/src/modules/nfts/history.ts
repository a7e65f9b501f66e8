import * as wire from '@tizara/contract/nfts'
import { upcoming } from '@tizara/contract/staking'
import { walletsMark } from '../../ledger/index.ts'
import type { History } from '../members/index.ts'
import type { Movements } from '../wallets/index.ts'
import { findNftPurchaseReceipt } from './nft-receipt.ts'

/** A paid month changes a row and no figure of the list: it comes with money. */
export const nftHistories: readonly History[] = [
  {
    kind: 'nft-purchase',
    lists: [wire.nftHistory],
    // An undone NFT is no holding.
    counted: {
      table: 'nft_purchase',
      bucket: "case when row.status = 'UNDONE' then row.status else row.kind end",
      amount: 'row.price',
    },
    receipt: findNftPurchaseReceipt,
    also: [wire.myNftWallet, upcoming],
    follows: walletsMark,
  },
]

export const nftMovements: Movements = { nftPurchaseUndone: { title: 'NFT purchase undone' } }
