import { MAX_UNITS, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { setRanks } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { type ChangedTeam, applyPendingTeamVolume } from '../../team/index.ts'
import type { Rank } from '../programme/rewards.rules.ts'
import { confirmCover, saleTerms } from '../pool/assert-covered.ts'
import { currentProgramme, type Programme } from '../programme/programme.ts'
import { holdRewards, type InstantReward } from './hold-reward.ts'
import { standRanks } from './stand-ranks.ts'

/** Volume rows aggregated per transaction. */
const BATCH = 5000

/**
 * Aggregates team volume and grants the ranks reached (RW-05, MF-20).
 * A rank depends on the coin that the downline has staked at the same time, and is lost with it. Each bonus is held once, even when one
 * stake crosses several thresholds or the team shrinks and grows again. Blocked or unverified members get nothing until they are neither.
 * @returns how many volume rows it aggregated
 */
export function rankTeams(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone(async (tx) => {
    const now = deps.clock.now()
    const rules = await currentProgramme(tx, now)
    const { folded, changed } = await applyPendingTeamVolume(tx, BATCH, rules.ranks[0]?.teamStake ?? MAX_UNITS)
    await rankAll(tx, rules, changed, now)
    return { done: folded, more: folded === BATCH }
  })
}

/**
 * Sets ranks that teams have reached and their leaders lack, and starts or stops the holds for rank bonuses.
 * Needed after a programme edit or the end of a block.
 */
export function rankEveryone(lease: Lease, deps: Deps): Promise<number> {
  return lease.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const rules = await currentProgramme(tx, now)
    const lowest = rules.ranks[0]
    if (lowest === undefined) return 0
    const found = await sql<ChangedTeam>`
      select t.member_id as "memberId", t.running from team_total t join member m on m.id = t.member_id
      where t.running >= ${lowest.teamStake} and m.is_verified and m.is_active
        and (select count(*) from reward_instant i where i.beneficiary_id = t.member_id and i.kind = 'rank')
          < (select count(*) from unnest(${rules.ranks.map((one) => one.teamStake)}::bigint[]) threshold where threshold <= t.running)
      order by t.member_id limit 10000`.execute(tx)
    await rankAll(tx, rules, found.rows, now)
    await standRanks(tx, now)
    return found.rows.length
  })
}

/** Sets the rank that a member's team has reached. */
export async function rankMember(tx: Tx, memberId: bigint, at: Date): Promise<void> {
  const team = await sql<ChangedTeam>`
    select member_id as "memberId", running from team_total where member_id = ${memberId}`.execute(tx)
  await rankAll(tx, await currentProgramme(tx, at), team.rows, at)
}

async function rankAll(tx: Tx, rules: Programme, teams: readonly ChangedTeam[], at: Date): Promise<void> {
  if (teams.length === 0) return
  const members = await sql<{ id: bigint; rank: string | null; earns: boolean; byStaff: boolean; bonuses: string[] }>`
    select id, rank, is_verified and is_active as earns, rank_by_staff as "byStaff",
      array(select i.cause_id::text from reward_instant i where i.beneficiary_id = m.id and i.kind = 'rank') as bonuses
    from member m where id = any (${teams.map((team) => team.memberId)}::bigint[]) order by id desc`.execute(tx)
  const { rewardHoldDays } = await currentSettings(tx, at)
  const terms = await saleTerms(tx, at, 'COIN')
  let promised = 0n
  const ranks = new Map<bigint, string | null>()
  const running = new Map(teams.map((team) => [team.memberId, team.running]))
  for (const { id, rank, earns, byStaff, bonuses: given } of members.rows) {
    const staked = running.get(id) ?? 0n
    const reached = rules.ranks.filter((one) => one.teamStake <= staked)
    const best = reached.at(-1)?.rank ?? null
    // Holds each bonus that the team reaches once, whichever rank staff granted.
    const known = byStaff ? -1 : rules.ranks.findIndex((one) => one.rank === rank)
    const rises = reached.length - 1 > known
    if ((rank === best && !byStaff) || (rises && !earns) || (rank !== null && known < 0 && !rises)) continue
    if (rises) {
      // A bonus without cover waits, and the rank too. The next run checks again.
      const due = reached.filter((one) => !given.includes(String(rankId(one.rank))))
      const bonuses = due.reduce((total, one) => total + one.bonus, promised)
      if (terms.room !== null && bonuses > terms.room) continue
      promised = bonuses
      await holdRewards(
        tx,
        at,
        rewardHoldDays,
        due.map((one) => bonusOf(id, one, staked, rules.version)),
      )
    }
    if (!byStaff) ranks.set(id, best)
  }
  if (ranks.size > 0) await setRanks(tx, ranks, at)
  if (promised > 0n) await confirmCover(tx, terms)
}

const bonusOf = (leader: bigint, { rank, bonus }: Rank, staked: Units, version: number): InstantReward => ({
  kind: 'rank',
  beneficiaryId: leader,
  sourceMemberId: null,
  cause: { type: 'rank', id: rankId(rank) },
  level: 0,
  base: staked,
  percent: null,
  amount: bonus,
  version,
  rank,
})

/** Derives an id from a rank's name, so that each member gets its bonus once in all programme versions. */
function rankId(rank: string): bigint {
  return [...new TextEncoder().encode(rank)].reduce((id, byte) => (id * 257n + BigInt(byte)) % 9_000_000_000_000_000_007n, 0n)
}
