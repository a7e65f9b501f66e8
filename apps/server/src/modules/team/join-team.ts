import { sql } from 'kysely'
import type { Tx } from '../../platform/database.ts'

/** Somebody who has just registered. */
export interface NewTeamMember {
  memberId: bigint
  /** Null for somebody who came without a referral code. */
  sponsorId: bigint | null
  at: Date
}

/**
 * Gives a new member the place below their sponsor, for good (invariant I11). The database does the same by itself for
 * every row of `member`; calling it again changes nothing.
 */
export async function joinTeam(tx: Tx, joined: NewTeamMember): Promise<void> {
  await sql`select team_place(${joined.memberId}::bigint, ${joined.sponsorId}::bigint, ${joined.at}::timestamptz)`.execute(tx)
}
