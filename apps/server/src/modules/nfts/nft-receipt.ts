import { fillText } from '@tizara/contract/response-texts'
import type { ReceiptFinder } from '../histories/index.ts'
import { progressOf } from '../rewards/index.ts'
import { momentLine, receiptFromTransfers } from '../wallets/index.ts'
import { nftStatus } from './nfts.rules.ts'

/** Finds the receipt for an NFT purchase: price, coin price if paid in coin, and reward progress. */
export const findNftPurchaseReceipt: ReceiptFinder = async (db, memberId, id) => {
  const row = await db
    .selectFrom('nft_purchase')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const progress = (await progressOf(db, [id]))(id)
  const months = { label: 'Months', value: fillText('{count} of {steps} paid', { count: progress.processed, steps: progress.steps }) }
  const frame = { kind: 'nft-purchase', id, title: 'NFT purchase', status: nftStatus(row.status, progress), sourceLabel: row.name } as const
  if (row.imported_at !== null)
    return {
      ...frame,
      asset: 'usd',
      amount: row.price,
      from: { label: 'Earlier platform' },
      to: { label: 'NFTs' },
      createdAt: row.purchased_at,
      lines: [{ label: 'Kind', value: row.kind }, months, momentLine('Moved from the earlier platform', row.imported_at)],
    }
  if (row.transfer_id === null) return undefined
  return receiptFromTransfers(db, memberId, row.transfer_id, {
    ...frame,
    rule: row.coin_price === null ? 'the USD price' : 'USD price ÷ coin price, rounded up at the eighth decimal',
    ruleVersion: String(row.programme_version),
    ...(row.coin_price === null ? {} : { rate: row.coin_price, rateUnit: 'USD for one coin', rounding: 'up' }),
    base: row.price,
    baseAsset: 'usd',
    lines: [{ label: 'Kind', value: row.kind }, ...(row.reversed_at === null ? [months] : [momentLine('Reversed', row.reversed_at)])],
  })
}
