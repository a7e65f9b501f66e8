import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { openFirst, type PageRange } from '../../../platform/db/paging.ts'
import type { Settings } from '../../settings/index.ts'
import { entryOfRequest, type StoredEntry } from '../addresses/address-mac.ts'

/** Payout as shown to staff. Amounts are in units of its asset. */
export interface QueuedPayout {
  id: string
  kind: 'withdrawal' | 'bridge'
  memberId: bigint
  amount: Units
  platformFee: Units
  networkFee: Units
  received: Units
  address: string
  network: number
  txHash: string | null
  status: 'PENDING' | 'APPROVED' | 'REJECTED'
  firstApprovedBy: bigint | null
  firstApprovedAt: Date | null
  decidedBy: bigint | null
  /** Rule that decided, held or queued the payout, and the version of the rules. */
  ruleName: string | null
  ruleVersion: number | null
  ruleOutcome: 'APPROVED' | 'HELD' | 'QUEUED' | 'CEILING' | null
  /** Ceiling that stopped the payout: its scope, its remaining sum in units (null if the number of payouts is used up), and its end. */
  ceilingOf: 'rule' | 'member' | 'address' | null
  ceilingLeft: Units | null
  ceilingFreeAt: Date | null
  reason: string | null
  createdAt: Date
  decidedAt: Date | null
  /** Number of earlier payouts from this member to this address. */
  paidBefore: number
  /** True if the address is easily confused with another address that the member was paid to. */
  looksLikeKnown: boolean
  /** Entry with the address in the member's address book (`provenBy` verifies it). */
  entry: StoredEntry | null
  /** True if the member requested three payouts within 24 hours. */
  isBurst: boolean
}

const EARLIER = sql`select from payout_request e where e.member_id = p.member_id and e.kind = p.kind and e.status = 'APPROVED' and e.id <> p.id`

/** SQL: selects requests `p` that members have confirmed and staff can decide. */
export const waitsForStaff = sql<boolean>`p.status = 'PENDING' and p.confirmed_at is not null`
/** SQL: true if a staff member or a rule decided request `p`. */
export const isDecided = sql<boolean>`(p.decided_by is not null or p.rule_outcome = 'APPROVED')`
/** SQL: a value that changes with the requests awaiting staff. */
export const payoutWorkMark = sql<string>`(select concat(count(*), ' ', sum(id), ' ', count(first_approved_by), ' ', count(rule_name)) from payout_request p
  where ${waitsForStaff})`
/** SQL: true if requests `e` and `p` pay to the same address. The case of a hex address is only a checksum (`addressKey`). */
const SAME_ADDRESS = sql`(e.address = p.address or e.network <> 2 and p.network <> 2 and lower(e.address) = lower(p.address))`
/** SQL: true if the member of request `p` was paid to its address before a moment. */
export const wasPaidBefore = (at: RawBuilder<unknown>) => sql<boolean>`exists (${EARLIER} and ${SAME_ADDRESS} and e.decided_at <= ${at})`
/** SQL: true if the member of request `p` was never paid to its address. */
export const toNewAddress = sql<boolean>`not exists (${EARLIER} and ${SAME_ADDRESS})`
/** SQL: true if request `p` follows two others of its member within 24 hours. */
export const isBurst = sql<boolean>`(select count(*) = 3 from (select from payout_request e where e.member_id = p.member_id and e.kind = p.kind
  and e.id <= p.id and e.created_at > p.created_at - interval '24 hours' order by e.id desc limit 3) soon)`

/** Share of the member's 24-hour limit, in percent, above which staff see a warning. */
const WARNING_PERCENT = 80n
type DayLimits = Pick<Settings, 'payoutDayUsd' | 'payoutDayCoin'>
const nearly = (limit: Units): Units => (limit * WARNING_PERCENT) / 100n

/** Returns true if a request nearly uses up its member's 24-hour limit. */
export const isNearDayLimit = (limits: DayLimits, kind: string, sum: Units): boolean =>
  sum > nearly(kind === 'bridge' ? limits.payoutDayCoin : limits.payoutDayUsd)

/** SQL: the same check for a request `p`. */
export const nearDayLimit = (limits: DayLimits, now: Date) => sql<boolean>`p.amount + (
  select coalesce(sum(e.amount), 0) from payout_request e where e.member_id = p.member_id and e.kind = p.kind and e.status = 'APPROVED'
    and e.decided_at > ${new Date(now.getTime() - DAY_MS)})
  > case p.kind when 'bridge' then ${nearly(limits.payoutDayCoin)}::bigint else ${nearly(limits.payoutDayUsd)}::bigint end`

/** Returns the amounts paid to members within the last 24 hours, by kind. */
export async function paidInDay(
  db: Db,
  now: Date,
  memberIds: readonly bigint[],
): Promise<{ memberId: bigint; kind: string; sum: Units }[]> {
  const { rows } = await sql<{ memberId: bigint; kind: string; sum: Units }>`
    select member_id as "memberId", kind, sum(amount)::bigint as sum from payout_request
    where member_id = any(${memberIds}::bigint[]) and kind in ('withdrawal', 'bridge') and status = 'APPROVED' and decided_at > ${new Date(now.getTime() - DAY_MS)}
    group by member_id, kind`.execute(db)
  return rows
}

/** SQL: the columns of a {@link QueuedPayout}, selected from `payout_request p`. */
export const payoutColumns = sql`p.public_id as id, p.kind, p.member_id as "memberId", p.amount, p.platform_fee as "platformFee",
  p.network_fee as "networkFee", p.received, p.address, p.network, p.tx_hash as "txHash", p.status, p.first_approved_by as "firstApprovedBy",
  p.first_approved_at as "firstApprovedAt", p.decided_by as "decidedBy", p.rule_name as "ruleName",
  p.rule_version as "ruleVersion", p.rule_outcome as "ruleOutcome", p.ceiling_of as "ceilingOf", p.ceiling_left as "ceilingLeft",
  p.ceiling_free_at as "ceilingFreeAt", p.reason, p.created_at as "createdAt", p.decided_at as "decidedAt",
  (select count(*)::int from payout_request e where e.member_id = p.member_id and e.kind = p.kind and e.status = 'APPROVED' and e.id <> p.id
    and ${SAME_ADDRESS}) as "paidBefore",
  exists (${EARLIER} and not ${SAME_ADDRESS} and left(lower(e.address), 6) = left(lower(p.address), 6)
    and right(lower(e.address), 4) = right(lower(p.address), 4)) as "looksLikeKnown",
  ${entryOfRequest} as entry,
  ${isBurst} as "isBurst"`

/**
 * Returns one payout.
 * @param lock locks the row until the transaction ends
 */
export async function queuedPayout(db: Db, id: string, lock = false): Promise<QueuedPayout | undefined> {
  if (lock) await sql`select from payout_request where public_id = ${id} for update`.execute(db)
  return (await sql<QueuedPayout>`select ${payoutColumns} from payout_request p where p.public_id = ${id}`.execute(db)).rows[0]
}

/** Lists payouts for staff: first the pending ones, oldest first, then the decided ones, newest first. */
export async function payoutQueue(
  db: Db,
  kind: 'withdrawal' | 'bridge',
  { pageRange, status }: { pageRange: PageRange; status?: QueuedPayout['status'] | undefined },
) {
  const decided = sql`p.kind = ${kind} and ${isDecided} and (${status ?? null}::text is null or p.status = ${status ?? null})`
  const counts = await sql<{ open: number; done: number }>`
    select (select count(*)::int from payout_request p where p.kind = ${kind} and ${waitsForStaff}) as open,
      (select count(*)::int from payout_request p where ${decided}) as done`.execute(db)
  const open = status === undefined || status === 'PENDING' ? (counts.rows[0]?.open ?? 0) : 0
  const decidedCount = status === 'PENDING' ? 0 : (counts.rows[0]?.done ?? 0)
  const parts = openFirst(pageRange, open)
  const first =
    open === 0
      ? []
      : (
          await sql<QueuedPayout>`select ${payoutColumns} from payout_request p where p.kind = ${kind} and ${waitsForStaff}
            order by p.id limit ${parts.open.limit} offset ${parts.open.offset}`.execute(db)
        ).rows
  const then =
    decidedCount === 0 || parts.done.limit === 0
      ? []
      : (
          await sql<QueuedPayout>`select ${payoutColumns} from payout_request p where ${decided}
            order by p.id desc limit ${parts.done.limit} offset ${parts.done.offset}`.execute(db)
        ).rows
  return { data: [...first, ...then], meta: { total: open + decidedCount, page: pageRange.page, limit: pageRange.limit } }
}

/** Finds members by payout address, address book entry or transaction hash. */
export async function membersOfPayout(db: Db, text: string): Promise<bigint[]> {
  const small = text.toLowerCase()
  const { rows } = await sql<{ id: bigint }>`
    (select distinct member_id as id from payout_request where lower(address) = ${small} limit 200)
    union (select distinct member_id from payout_address where address_key in (${text}, ${small}) limit 200)
    union (select distinct member_id from payout_request where lower(tx_hash) = ${small} limit 200)`.execute(db)
  return rows.map((row) => row.id)
}

/** Lists a member's payout addresses: first the address book, then the latest requests. */
export async function addressesOf(db: Db, memberId: bigint): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    (select address from payout_address where member_id = ${memberId} and removed_at is null order by id desc limit 50)
    union all (select address from payout_request where member_id = ${memberId} and kind = 'withdrawal' order by id desc limit 20)
    union all (select address from payout_request where member_id = ${memberId} and kind = 'bridge' order by id desc limit 20)`.execute(db)
  return [...new Set(rows.map((row) => row.address))]
}

export interface WantedPayouts {
  memberIds: readonly bigint[]
  id?: string | undefined
  hash?: string | undefined
  amount?: Units | undefined
  limit: number
}

/** Finds payouts by id or hash, and pending ones by amount or member. Each search uses an index. */
export async function payoutsFound(db: Db, { memberIds, id, hash, amount, limit }: WantedPayouts) {
  const searches = [
    ...(id === undefined ? [] : [sql`select id from payout_request where public_id = ${id}`]),
    ...(hash === undefined ? [] : [sql`select id from payout_request where lower(tx_hash) = ${hash.toLowerCase()}`]),
    ...(amount === undefined
      ? []
      : [sql`select id from payout_request p where ${waitsForStaff} and (amount = ${amount} or received = ${amount})`]),
    ...memberIds.flatMap((member) =>
      (['withdrawal', 'bridge'] as const).map(
        (kind) => sql`select id from payout_request p where member_id = ${member} and kind = ${kind} and ${waitsForStaff} order by id desc`,
      ),
    ),
  ]
  if (searches.length === 0) return []
  const { rows } = await sql<{ id: string; kind: 'withdrawal' | 'bridge'; amount: Units; at: Date; name: string }>`
    select p.public_id as id, p.kind, p.amount, p.created_at as at, m.name from payout_request p join member m on m.id = p.member_id
    where p.id in (${sql.join(
      searches.map((way) => sql`(${way} limit ${limit})`),
      sql` union `,
    )}) order by p.id limit ${limit}`.execute(db)
  return rows
}
