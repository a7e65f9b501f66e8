import { nftKinds, type Page, type QueryOf } from '@tizara/contract'
import type { Nft, nftHistory, nftHoldings } from '@tizara/contract/nfts'
import type { InferOutput } from 'valibot'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readPageRange } from '../../platform/db/paging.ts'
import type { NftPurchaseTable, NftTable } from '../../platform/db/tables.generated.ts'
import { listCounters, readHistory, sumWithoutReversed } from '../histories/index.ts'
import { purchases } from './history.ts'
import { nftsAt } from './nfts-at.ts'
import { nftStatus } from './nfts.rules.ts'
import { progressOf } from '../rewards/index.ts'

const kindOf = (text: string) => nftKinds.find((kind) => kind === text) ?? 'dome'

/** Converts a catalogue item to the format of the API. `quantity` is the number of sold NFTs of the kind. */
export const asItem = (nft: Selectable<NftTable> & { sold: number; cap: number }): Nft => ({
  id: nft.public_id,
  name: nft.name,
  title: nft.title,
  walletName: kindOf(nft.kind),
  quantity: nft.sold,
  remaining: nft.cap - nft.sold,
  price: nft.price,
  duration: nft.duration_months,
  dailyRoi: nft.total_percent,
  monthlyRoi: null,
  totalRoi: null,
  paidBy: null,
  lastDistributionDate: null,
  status: nft.status === 'ACTIVE' ? 'ACTIVE' : 'INACTIVE',
  createdAt: nft.created_at,
})

/** Lists the NFTs on sale, newest first; `quantity` is the number sold per kind platform-wide (API-68, EN-39). */
export async function listActive(db: Db, now: Date, query: QueryOf<typeof nftHistory>): Promise<Page<Nft>> {
  const { page, limit, offset, since, before } = readPageRange(query)
  let active = db.selectFrom(nftsAt(now)).where('status', '=', 'ACTIVE')
  if (since !== undefined) active = active.where('created_at', '>=', since)
  if (before !== undefined) active = active.where('created_at', '<', before)
  const rows = await active
    .innerJoin('nft_supply', 'nft_supply.kind', 'nft.kind')
    .selectAll('nft')
    .select(['nft_supply.sold', 'nft_supply.cap'])
    .orderBy('nft.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await active.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  const next = await nextOf(
    db,
    rows.map((row) => row.id),
    now,
  )
  const data = rows.map((row) => ({ ...asItem(row), next: next.get(row.id) }))
  return { data, meta: { total: Number(total), page, limit } }
}

/** Reads the next planned terms by NFT id. NFTs without planned terms are absent. */
async function nextOf(db: Db, ids: readonly bigint[], now: Date): Promise<Map<bigint, Nft['next']>> {
  if (ids.length === 0) return new Map()
  const steps = await db
    .selectFrom('nft_next')
    .selectAll()
    .distinctOn('nft_id')
    .where('nft_id', 'in', ids)
    .where('starts_at', '>', now)
    .orderBy('nft_id')
    .orderBy('starts_at')
    .execute()
  return new Map(
    steps.map(({ nft_id: id, starts_at: startsAt, price, duration_months: duration, total_percent: dailyRoi, status }) => [
      id,
      { startsAt, price, duration, dailyRoi, status },
    ]),
  )
}

type Purchase = Selectable<NftPurchaseTable>

/** Reads titles and reward progress for purchases, and returns a converter to EN-38. */
async function nftReader(db: Db, bought: readonly Purchase[]): Promise<(purchase: Purchase) => Nft> {
  const progress = await progressOf(
    db,
    bought.map((purchase) => purchase.public_id),
  )
  const ids = [...new Set(bought.map((purchase) => purchase.nft_id))]
  const titled = ids.length === 0 ? [] : await db.selectFrom('nft').select(['id', 'title']).where('id', 'in', ids).execute()
  const titles = new Map(titled.map(({ id, title }) => [id, title]))
  return (purchase) => {
    const { distributed, distributedAt, ...steps } = progress(purchase.public_id)
    return {
      id: purchase.public_id,
      name: purchase.name,
      title: titles.get(purchase.nft_id) ?? null,
      walletName: kindOf(purchase.kind),
      quantity: 1,
      price: purchase.price,
      duration: purchase.duration_months,
      dailyRoi: purchase.total_percent,
      monthlyRoi: purchase.monthly_reward,
      totalRoi: distributed + purchase.monthly_reward * BigInt(purchase.imported_months),
      paidBy: purchase.imported_at === null ? purchase.paid_from : null,
      lastDistributionDate: distributedAt,
      status: nftStatus(purchase.status, steps),
      createdAt: purchase.purchased_at,
    }
  }
}

/** Reads purchases in list format, for their reward rows. */
export async function readNfts(db: Db, publicIds: readonly string[]): Promise<(publicId: string) => Nft> {
  const rows = await db
    .selectFrom('nft_purchase')
    .selectAll()
    .where('public_id', '=', sql<string>`any (${publicIds}::text[])`)
    .execute()
  const show = await nftReader(db, rows)
  const shown = new Map(rows.map((row) => [row.public_id, show(row)]))
  return (publicId) => {
    const nft = shown.get(publicId)
    if (nft === undefined) throw new Error(`purchase ${publicId} is missing`)
    return nft
  }
}

/** Lists a member's purchases, newest first (API-69). The sum adds their USD prices. */
export async function listPurchases(db: Db, memberId: bigint, query: QueryOf<typeof nftHistory>): Promise<Page<Nft>> {
  const { rows, counters, meta } = await readHistory(db, purchases, memberId, query)
  const show = await nftReader(db, rows)
  const data = rows.map((purchase) => ({ ...show(purchase), receipt: { kind: purchases.kind, id: purchase.public_id } }))
  return { data, meta: { ...meta, sum: sumWithoutReversed(counters) } }
}

/** Returns a member's holdings per kind, with their USD purchase prices (API-57, EN-29, UI-DASH-36). */
export async function holdingsOf(db: Db, memberId: bigint): Promise<InferOutput<typeof nftHoldings>> {
  const { buckets } = await listCounters(db, memberId, purchases.kind)
  return {
    dome: buckets['dome']?.rows ?? 0,
    domePrice: buckets['dome']?.sum ?? 0n,
    wagon: buckets['wagon']?.rows ?? 0,
    wagonPrice: buckets['wagon']?.sum ?? 0n,
    hotelAndResort: buckets['hotelAndResort']?.rows ?? 0,
    hotelAndResortPrice: buckets['hotelAndResort']?.sum ?? 0n,
    land: buckets['land']?.rows ?? 0,
    landPrice: buckets['land']?.sum ?? 0n,
  }
}
