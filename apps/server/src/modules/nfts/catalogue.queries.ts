import type { Nft } from '@tizara/contract/nfts'
import type { Db } from '../../platform/db/database.ts'
import type { NftOnSale } from '../rewards/index.ts'
import { nftsAt } from './nfts-at.ts'
import { asItem } from './nfts.queries.ts'

/** Lists the NFTs on sale at a moment, as input for the maximum gain of a member group. */
export async function nftsOnSale(db: Db, at: Date): Promise<NftOnSale[]> {
  const rows = await db.selectFrom(nftsAt(at)).selectAll().where('status', '=', 'ACTIVE').orderBy('id').execute()
  return rows.map((nft) => ({ name: nft.name, durationMonths: nft.duration_months, totalPercent: nft.total_percent }))
}

/** Lists the whole catalogue for staff, newest first. `quantity` in the reply is the number sold per kind. */
export async function listCatalogue(db: Db, at: Date): Promise<Nft[]> {
  const rows = await db
    .selectFrom(nftsAt(at))
    .innerJoin('nft_supply', 'nft_supply.kind', 'nft.kind')
    .selectAll('nft')
    .select(['nft_supply.sold', 'nft_supply.cap'])
    .orderBy('nft.id', 'desc')
    .limit(1000)
    .execute()
  return rows.map(asItem)
}
