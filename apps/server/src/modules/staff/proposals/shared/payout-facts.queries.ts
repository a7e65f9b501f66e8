import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import type { DataKeys } from '../../../../platform/crypto/encrypt.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { isBurst, isUsable, type StoredEntry, storedEntry, wasPaidBefore } from '../../../withdrawals/index.ts'
import type { PayoutFacts } from './match-payout-rule.rules.ts'

/** A payout with the facts for rules, and its later fate. */
export interface PayoutWithFacts extends PayoutFacts {
  memberId: bigint
  address: string
  at: Date
  /** Staff rejected the payout, or the chain returned it. */
  wasRejected: boolean
  amount: Units
}

/** Entry of the address book with the address of a payout, at the time of its request. */
interface BookEntry {
  entry: StoredEntry | null
  createdAt: Date
  network: number
}

const days = (from: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`floor(extract(epoch from ${at} - ${from}) / 86400)::int`

/**
 * Reads the facts about requests `p` at a moment, as far as the database still has them: blocks and freezes have no history.
 * A link counts although staff cleared it. Otherwise one person could clear links, and the rules would pay above that person's own limit.
 * @param keys verify the entry of the address book
 * @param which condition on `p`
 * @param at SQL: the moment, for each request
 * @param max number of requests, the newest first
 */
export async function payoutFacts(
  db: Db,
  keys: DataKeys,
  { which, at, max }: { which: RawBuilder<unknown>; at: RawBuilder<unknown>; max: number },
): Promise<PayoutWithFacts[]> {
  const { rows } = await sql<Omit<PayoutWithFacts, 'isBookAddress'> & BookEntry>`
    select p.kind, p.amount, p.member_id as "memberId", lower(p.address) as address, ${at} as at, p.created_at as "createdAt", p.network,
      p.status = 'REJECTED' and (p.decided_by is not null or p.returned_at is not null) as "wasRejected",
      ${days(sql`m.created_at`, at)} as "accountDays",
      coalesce((select ${days(sql`max(d.created_at)`, at)} from known_device d where d.member_id = p.member_id and d.created_at <= ${at}), 0) as "deviceDays",
      (select ${storedEntry} from payout_address a where a.member_id = p.member_id and a.network = p.network
        and a.address_key = case p.network when 2 then p.address else lower(p.address) end
        and a.usable_from <= p.created_at and (a.removed_at is null or a.removed_at > ${at}) order by a.id desc limit 1) as entry,
      m.role = 'MEMBER' and m.is_active and m.closes_at is null
        and (m.payouts_stopped_at is null or m.payouts_stopped_at > ${at})
        and (m.payouts_frozen_until is null or m.payouts_frozen_until <= ${at})
        and (m.password_reset_at is null or m.password_reset_at > ${at} or m.password_reset_at <= ${at} - interval '3 days')
        and not exists (select from linked_account t where (t.member_id = p.member_id or t.upline_id = p.member_id)
          and t.first_seen_at <= ${at})
        and not exists (select from address_users(p.address) u (id) join member s on s.id = u.id where s.role <> 'MEMBER')
        and not ${isBurst} and ${wasPaidBefore(at)} as "isClean"
    from payout_request p join member m on m.id = p.member_id
    where ${which} order by p.id desc limit ${max}`.execute(db)
  return rows.map(({ entry, createdAt, network, ...row }) => {
    const target = { memberId: row.memberId, network, address: row.address }
    return { ...row, isBookAddress: isUsable(keys, target, entry, createdAt) }
  })
}
