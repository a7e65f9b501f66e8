import type { Page, QueryOf } from '@tizara/contract'
import type { PurchaseKind, staffPurchases } from '@tizara/contract/staff-purchases'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { requireMember } from '../../members/index.ts'
import { nftStatus } from '../../nfts/index.ts'
import { reversalDaysOf } from '../../rewards/index.ts'
import { currentSettings } from '../../settings/index.ts'

interface Purchase {
  kind: PurchaseKind
  id: string
  email: string
  label: string
  asset: 'usd' | 'coin'
  /** Coin bought or staked, or an NFT's price in its payment asset. */
  amount: Units
  status: string
  createdAt: Date
  untouched: boolean
}

/**
 * SQL: lists coin purchases, stakes and NFT purchases together. `untouched` means that the purchase can be reversed, if time and balance
 * allow. Only an NFT has steps, and it closes after the last step.
 */
const PURCHASES = sql`
  select member_id, 'coin' as kind, public_id as id, 'Coin purchase' as label, 'coin' as asset, coin_amount as amount,
    case when reversed_at is null then 'BOUGHT' else 'REVERSED' end as status, created_at as "createdAt", reversed_at is null as untouched, 0 as processed, 1 as steps
  from coin_purchase
  union all
  select s.member_id, 'stake', s.public_id, s.plan_name, 'coin', s.amount, s.status, s.started_at, s.status = 'ACTIVE' and r.processed < r.steps, 0, 1
  from stake s join reward_progress r on r.public_id = s.public_id
  union all
  select p.member_id, 'nft', p.public_id, p.name, p.paid_asset, p.paid_amount, p.status,
    p.purchased_at, p.status = 'ACTIVE' and r.processed = 0, r.processed, r.steps
  from nft_purchase p join reward_progress r on r.public_id = p.public_id`

export async function purchaseByPublicId(db: Db, kind: PurchaseKind, id: string): Promise<Purchase | undefined> {
  const found = await sql<Purchase>`
    select p.*, m.email from (${PURCHASES}) p join member m on m.id = p.member_id where p.kind = ${kind} and p.id = ${id}`.execute(db)
  return found.rows[0]
}

/**
 * Lists a member's purchases and stakes, newest first.
 * @throws AppError NOT_FOUND
 */
export async function listMemberPurchases(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  memberId: string,
  query: QueryOf<typeof staffPurchases>,
): Promise<Page<Omit<Purchase, 'email' | 'untouched'> & { reversibleUntil?: Date }>> {
  const member = await requireMember(db, memberId)
  const { page, limit, offset, since, before } = readPageRange(query)
  const now = deps.clock.now()
  const settings = await currentSettings(db, now)
  const found = await sql<Purchase & { processed: number; steps: number }>`
    select p.kind, p.id, p.label, p.asset, p.amount, p.status, p."createdAt", p.untouched, p.processed, p.steps
    from (${PURCHASES}) p where p.member_id = ${member.id}
      and p."createdAt" >= ${since ?? new Date(0)}::timestamptz and p."createdAt" < ${before ?? new Date('9999-01-01')}::timestamptz
    order by p."createdAt" desc, p.kind, p.id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (${PURCHASES}) p where p.member_id = ${member.id}
      and p."createdAt" >= ${since ?? new Date(0)}::timestamptz and p."createdAt" < ${before ?? new Date('9999-01-01')}::timestamptz`.execute(
    db,
  )
  const data = found.rows.map(({ untouched, processed, steps, ...row }) => {
    const until = new Date(row.createdAt.getTime() + reversalDaysOf(settings, row.kind) * DAY_MS)
    return {
      ...row,
      status: nftStatus(row.status, { processed, steps }),
      ...(untouched && until > now ? { reversibleUntil: until } : {}),
    }
  })
  return { data, meta: { total: counted.rows[0]?.total ?? 0, page, limit } }
}

/** Maximum number of purchases read per kind, newest first. It bounds the cost of the query. */
const MAX_READ = 100

/** Counts a member's purchases that can be reversed if the balance allows, and returns the latest deadline. */
export async function reversiblePurchases(db: Db, memberId: bigint, now: Date): Promise<{ count: number; until: Date } | undefined> {
  const settings = await currentSettings(db, now)
  const newest = (table: string) =>
    sql`(select * from ${sql.table(table)} where member_id = ${memberId} order by id desc limit ${MAX_READ})`
  const days = (kind: PurchaseKind) => sql`${reversalDaysOf(settings, kind)} * interval '24 hours'`
  const { rows } = await sql<{ count: number; until: Date | null }>`
    select count(*)::int as count, max(until) as until from (
      select created_at + ${days('coin')} as until from ${newest('coin_purchase')} c where reversed_at is null
      union all
      select s.started_at + ${days('stake')} from ${newest('stake')} s join reward_progress r on r.public_id = s.public_id where s.status = 'ACTIVE' and r.processed < r.steps
      union all
      select p.purchased_at + ${days('nft')} from ${newest('nft_purchase')} p join reward_progress r on r.public_id = p.public_id
      where p.status = 'ACTIVE' and r.processed = 0
    ) bought where until > ${now}`.execute(db)
  const { count = 0, until } = rows[0] ?? {}
  return until ? { count, until } : undefined
}
