import type { Units } from '@tizara/money'
import type { Db } from '../../../platform/db/database.ts'
import { currentProgramme, type Programme } from '../programme/programme.ts'
import type { Rank } from '../programme/rewards.rules.ts'

/** A rank with the part of its bonus that is filled, in units. */
interface RankWithProgress extends Rank {
  filled: Units
}

/**
 * Returns the programme in force with the member's progress on its ladder (RW-05).
 * A begun bonus shows its own terms, also when the ladder has changed since.
 */
export async function rankProgress(
  db: Db,
  memberId: bigint,
  at: Date,
): Promise<Omit<Programme, 'ranks'> & { ranks: RankWithProgress[]; rankStake: Units }> {
  const programme = await currentProgramme(db, at)
  const team = await db.selectFrom('team_rank_stake').select('counted').where('member_id', '=', memberId).executeTakeFirst()
  const begun = await db.selectFrom('reward_rank_bonus').selectAll().where('member_id', '=', memberId).execute()
  const ranks = new Map<string, RankWithProgress>(programme.ranks.map((one) => [one.rank, { ...one, filled: 0n }]))
  for (const { rank, team_stake: teamStake, bonus, filled } of begun)
    if (filled < bonus || ranks.has(rank)) ranks.set(rank, { rank, teamStake, bonus, filled })
  return {
    ...programme,
    ranks: [...ranks.values()].toSorted((a, b) => (a.teamStake < b.teamStake ? -1 : 1)),
    rankStake: team?.counted ?? 0n,
  }
}
