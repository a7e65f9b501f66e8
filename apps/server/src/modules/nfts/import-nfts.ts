import { monthlyReward, type Units } from '@tizara/money'
import type { Db, Tx } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { startSourceImport } from '../rewards/index.ts'
import { nftsAt } from './nfts-at.ts'

/** An NFT that another platform sold and that still pays, with its own terms. */
export interface ImportedNft {
  memberId: bigint
  nftId: bigint
  /** USD units. */
  price: Units
  /** Units of percent over all months. */
  percent: Units
  months: number
  boughtAt: Date
  /** Months whose reward the other platform has paid. */
  paidMonths: number
}

/** Lists the NFTs of the catalogue by name, in force at a moment, on sale or closed. A name is not unique. */
export async function nftsByName(db: Db, at: Date): Promise<Map<string, { id: bigint; name: string; kind: string }[]>> {
  const nfts = await db.selectFrom(nftsAt(at)).select(['id', 'name', 'kind']).execute()
  return Map.groupBy(nfts, ({ name }) => name)
}

/**
 * Adds NFTs of another platform. Nobody pays for them here. The caller takes their supply as its last step.
 * @param sources takes the rewards of the NFTs
 * @returns the kind of each NFT
 */
export async function importNfts(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  at: Date,
  sources: Awaited<ReturnType<typeof startSourceImport>>,
  nfts: readonly ImportedNft[],
): Promise<string[]> {
  const ids = [...new Set(nfts.map(({ nftId }) => nftId))]
  const catalogue = new Map(
    (await tx.selectFrom(nftsAt(at)).select(['id', 'name', 'kind']).where('id', 'in', ids).execute()).map((item) => [item.id, item]),
  )
  const added = nfts.map((nft) => {
    const item = catalogue.get(nft.nftId)
    if (item === undefined) throw new Error(`no NFT ${nft.nftId}`)
    return { ...nft, item, publicId: deps.ids.publicId(), monthly: monthlyReward(nft.price, nft.percent, nft.months) }
  })
  await insertRows(
    tx,
    'nft_purchase',
    added.map(({ publicId, item, monthly, ...nft }) => ({
      public_id: publicId,
      member_id: nft.memberId,
      nft_id: item.id,
      kind: item.kind,
      name: item.name,
      price: nft.price,
      paid_from: 'depositwallet',
      paid_asset: 'usd',
      paid_amount: nft.price,
      duration_months: nft.months,
      total_percent: nft.percent,
      monthly_reward: monthly,
      status: 'ACTIVE',
      programme_version: sources.version,
      purchased_at: nft.boughtAt,
      imported_at: at,
      imported_months: nft.paidMonths,
    })),
  )
  await sources.add(
    added.map(({ publicId, item, monthly, ...nft }) => ({
      stream: 2,
      publicId,
      label: item.name,
      memberId: nft.memberId,
      principal: nft.price,
      percent: nft.percent,
      amount: monthly,
      steps: nft.months,
      startsAt: nft.boughtAt,
      processed: nft.paidMonths,
    })),
  )
  return added.map(({ item }) => item.kind)
}
