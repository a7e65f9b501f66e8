import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { LEVELS } from './rewards.rules.ts'

/** A member and somebody of the five levels above who look like one person. A hint for staff, not a proof. */
export interface SharedTrace {
  memberId: bigint
  uplineId: bigint
  uplineEmail: string
  level: number
  /** Both signed in from the same address with the same browser. */
  sameDevice: boolean
  /** Both asked for a payout to the same address. */
  samePayoutAddress: boolean
}

/**
 * Members who may have referred themselves: somebody who earns from them shares their device or their payout address.
 * @param db where
 * @param memberIds whom to look at
 */
export async function sharedTraces(db: Db, memberIds: readonly bigint[]): Promise<SharedTrace[]> {
  const found = await sql<SharedTrace>`
    with recursive line as (
      select t.member_id, t.sponsor_id as upline_id, 1 as level from team_member t where t.member_id = any (${memberIds}::bigint[]) and t.sponsor_id is not null
      union all
      select line.member_id, t.sponsor_id, line.level + 1 from line join team_member t on t.member_id = line.upline_id
      where t.sponsor_id is not null and line.level < ${LEVELS}
    ), pair as (
      select line.*, exists (
          select 1 from session a join session b on b.member_id = line.upline_id and b.ip = a.ip and b.user_agent = a.user_agent
          where a.member_id = line.member_id
        ) as same_device, exists (
          select 1 from payout_request a join payout_request b on b.member_id = line.upline_id and b.address = a.address
          where a.member_id = line.member_id
        ) as same_address
      from line
    )
    select pair.member_id as "memberId", m.id as "uplineId", m.email as "uplineEmail", pair.level, same_device as "sameDevice", same_address as "samePayoutAddress"
    from pair join member m on m.id = pair.upline_id where same_device or same_address order by pair.member_id, pair.level`.execute(db)
  return found.rows
}
