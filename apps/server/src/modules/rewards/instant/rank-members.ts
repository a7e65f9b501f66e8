import { sql } from 'kysely'
import type { Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { foldTeamVolume, type GrownTeam } from '../../team/index.ts'
import { holdRewards } from './hold-reward.ts'
import { currentProgramme, type Programme } from '../programme/programme.ts'

/** Notes folded in one transaction. */
const BATCH = 5000

/**
 * Folds the volume of the teams and gives the ranks that it reaches (RW-05, MF-20): each rank's bonus once, also when one
 * stake crosses several thresholds, also when the team shrinks and grows again. The bonus is held like every reward that
 * an event makes at once. Whoever is blocked or not verified gets nothing until they are neither.
 * @returns how many notes were folded
 */
export function rankTeams(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone(async (tx) => {
    const now = deps.clock.now()
    const rules = await currentProgramme(tx, now)
    const lowest = rules.ranks[0]?.teamStake ?? 9_000_000_000_000_000_000n
    const { folded, grown } = await foldTeamVolume(tx, BATCH, lowest)
    await giveRanks(tx, rules, grown, now)
    return { done: folded, more: folded === BATCH }
  })
}

/**
 * Gives ranks to everyone whose team has reached one that they do not have: after a change of the programme, or when a
 * block ended.
 */
export function rankEveryone(lease: Lease, deps: Deps): Promise<number> {
  return lease.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const rules = await currentProgramme(tx, now)
    const lowest = rules.ranks[0]
    if (lowest === undefined) return 0
    const found = await sql<GrownTeam>`
      select t.member_id as "memberId", t.stake from team_total t join member m on m.id = t.member_id
      where t.stake >= ${lowest.teamStake} and m.is_verified and m.is_active
        and (select count(*) from reward_instant i where i.beneficiary_id = t.member_id and i.kind = 'rank')
          < (select count(*) from unnest(${rules.ranks.map((one) => one.teamStake)}::bigint[]) threshold where threshold <= t.stake)
      order by t.member_id limit 10000`.execute(tx)
    await giveRanks(tx, rules, found.rows, now)
    return found.rows.length
  })
}

async function giveRanks(tx: Tx, rules: Programme, teams: readonly GrownTeam[], at: Date): Promise<void> {
  if (teams.length === 0) return
  const earning = await tx
    .selectFrom('member')
    .select(['id', 'rank'])
    .where(
      'id',
      'in',
      teams.map((team) => team.memberId),
    )
    .where('is_verified', '=', true)
    .where('is_active', '=', true)
    .execute()
  const ranks = new Map(earning.map((member) => [member.id, member.rank]))
  const names = rules.ranks.map((one) => one.rank)
  for (const team of teams) {
    const before = ranks.get(team.memberId)
    if (before === undefined) continue
    const reached = rules.ranks.filter((one) => one.teamStake <= team.stake)
    const best = reached.at(-1)
    if (best === undefined || (before !== null && names.indexOf(before) >= names.indexOf(best.rank))) continue
    await holdRewards(
      tx,
      at,
      reached.map((one) => ({
        kind: 'rank',
        beneficiaryId: team.memberId,
        sourceMemberId: null,
        cause: { type: 'rank', id: rankId(one.rank) },
        level: 0,
        base: team.stake,
        percent: null,
        amount: one.bonus,
        version: rules.version,
        rank: one.rank,
      })),
    )
    await tx.updateTable('member').set({ rank: best.rank, updated_at: at }).where('id', '=', team.memberId).execute()
  }
}

/** A number for a rank's name, so that its bonus exists once per member whatever version of the programme names it. */
function rankId(rank: string): bigint {
  return [...new TextEncoder().encode(rank)].reduce((id, byte) => (id * 257n + BigInt(byte)) % 9_000_000_000_000_000_007n, 0n)
}
