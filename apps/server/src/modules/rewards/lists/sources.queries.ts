import type { NftKind } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/database.ts'

/** A stake as reward rows show it. */
export interface StakeSource {
  id: bigint
  publicId: string
  planName: string
  stakeAmount: Units
  apy: Units
  duration: number
  email: string
  name: string
}

/** The stakes behind some rewards. */
export async function stakeSources(db: Db, ids: readonly bigint[]): Promise<Map<bigint, StakeSource>> {
  if (ids.length === 0) return new Map()
  const found = await sql<StakeSource>`
    select s.id, s.public_id as "publicId", s.plan_name as "planName", s.amount as "stakeAmount", s.apy, s.duration_days as duration, m.email, m.name
    from stake s join member m on m.id = s.member_id where s.id = any (${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** An NFT purchase as reward rows show it. */
export interface NftSource {
  id: bigint
  publicId: string
  name: string
  title: string | null
  kind: NftKind
  price: Units
  duration: number
  percent: Units
  monthly: Units
  totalPaid: Units
  paidBy: string
  lastDistribution: Date | null
  status: string
  purchasedAt: Date
  email: string
}

/** The NFT purchases behind some rewards. */
export async function nftSources(db: Db, ids: readonly bigint[]): Promise<Map<bigint, NftSource>> {
  if (ids.length === 0) return new Map()
  const found = await sql<NftSource>`
    select p.id, p.public_id as "publicId", p.name, n.title, p.kind, p.price, p.duration_months as duration, p.total_percent as percent,
      p.monthly_reward as monthly, p.total_paid as "totalPaid", p.paid_by as "paidBy", p.last_distribution_date as "lastDistribution",
      p.status, p.purchased_at as "purchasedAt", m.email
    from nft_purchase p join nft n on n.id = p.nft_id join member m on m.id = p.member_id
    where p.id = any (${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** The entry of a map that a foreign key promises. */
export function known<T>(map: ReadonlyMap<bigint, T>, id: bigint): T {
  const value = map.get(id)
  if (value === undefined) throw new Error(`source ${id} is missing`)
  return value
}
