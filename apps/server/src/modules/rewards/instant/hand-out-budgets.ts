import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { recordStakesEnded } from '../../team/index.ts'
import { recordPendingLiabilities, releasePendingLiabilities } from '../pool/liabilities.ts'
import { type Programme, programmeByVersion } from '../programme/programme.ts'
import { holdRewards } from './hold-reward.ts'
import { addAllTeamVolume } from './rank-members.ts'
import { type Leader, type RankBonus, type RankShare, shareRankBudget } from '../programme/rank-budget.rules.ts'

/** A matured stake. */
export interface EndedStake {
  publicId: string
  memberId: bigint
  /** Coin units. */
  amount: Units
  maturesAt: Date
}

interface Budget {
  sourceId: bigint
  publicId: string
  memberId: bigint
  version: number
  amount: Units
  endsAt: Date
}

/** Part of a rank budget that a bonus gets, with the budget and the start of the bonus. */
type HandedOut = RankShare & { budget: Budget; startedAt: Date }

/** Leaders above some members, nearest first, with the members below each. */
type Leaders = readonly { leader: Leader & { begun: Map<string, Date> }; below: ReadonlySet<bigint> }[]

/**
 * Removes matured stakes from the teams of the uplines and distributes the stakes' rank budgets once (RW-05;
 * docs/decisions/0041-rank-budgets.md). A stake counts for the teams until maturity; stakes with the same maturity still count for each
 * other. A part of a budget that no leader can receive is removed from the liabilities.
 * @param tx the transaction that returns the principals of the stakes
 */
export async function onStakesEnded(tx: Tx, at: Date, ended: readonly EndedStake[]): Promise<void> {
  const budgets = await settleBudgets(tx, ended, at)
  if (budgets.length === 0) return recordStakesEnded(tx, at, ended)
  await addAllTeamVolume(tx, at)
  const ladders = await laddersOf(tx, budgets)
  const bySource = new Map(budgets.map((one) => [one.publicId, one]))
  const moments = Map.groupBy(ended, (one) => one.maturesAt.getTime())
  // Team totals only decrease here, so a member without a leader now has none later.
  const possible = await leadersAbove(tx, budgets, ladders)
  let above = possible
  let isStale = false
  const handedOut: HandedOut[] = []
  for (const moment of [...moments.keys()].toSorted((a, b) => a - b)) {
    const stakes = moments.get(moment) ?? []
    const due = stakes.flatMap((stake) => bySource.get(stake.publicId) ?? []).toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
    const supported = due.filter(({ memberId }) => possible.some(({ below }) => below.has(memberId)))
    if (supported.length > 0 && isStale) {
      // Saves the distribution first, because stakes that matured earlier no longer count for the next ones.
      await save(tx, at, handedOut.splice(0))
      await addAllTeamVolume(tx, at)
      above = await leadersAbove(tx, supported, ladders)
      isStale = false
    }
    for (const budget of supported) handedOut.push(...shareOne(budget, above, ladders, at))
    await recordStakesEnded(tx, at, stakes)
    isStale = true
  }
  await save(tx, at, handedOut)
}

/** Marks the stakes' rank budgets as settled, and releases their liabilities. */
async function settleBudgets(tx: Tx, ended: readonly EndedStake[], at: Date): Promise<Budget[]> {
  const { rows } = await sql<Budget>`
    with due as (
      select id from reward_source where public_id = any (${ended.map((one) => one.publicId)}::text[])
        and rank_budget > 0 and rank_settled_at is null and reversed_at is null order by id for update)
    update reward_source s set rank_settled_at = ${at} from due where s.id = due.id
    returning s.id as "sourceId", s.public_id as "publicId", s.member_id as "memberId", s.programme_version as version, s.rank_budget as amount,
      s.ends_at as "endsAt"`.execute(tx)
  await releasePendingLiabilities(
    tx,
    rows.map(({ amount, endsAt }) => ({ kind: 'rank', amount, releaseAt: endsAt })),
  )
  return rows
}

async function laddersOf(tx: Tx, budgets: readonly Budget[]): Promise<Map<number, Programme>> {
  const versions = [...new Set(budgets.map(({ version }) => version))]
  const found = await Promise.all(versions.map((version) => programmeByVersion(tx, version)))
  return new Map(found.map((programme) => [programme.version, programme]))
}

/** Reads and locks the eligible leaders above, with their bonuses. The lock prevents a block of a leader before the commit. */
async function leadersAbove(tx: Tx, budgets: readonly Budget[], ladders: ReadonlyMap<number, Programme>): Promise<Leaders> {
  const members = [...new Set(budgets.map(({ memberId }) => memberId))]
  const lowest = await lowestThreshold(tx, ladders)
  if (lowest === undefined) return []
  const found = await sql<{ leaderId: bigint; counted: Units; below: string[] }>`
    select "leaderId", counted, below from reward_rank_leaders(${members}::bigint[], ${lowest}::bigint)`.execute(tx)
  if (found.rows.length === 0) return []
  const ids = found.rows.map(({ leaderId }) => leaderId)
  const earning = await sql<{ id: bigint }>`
    select id from member where id = any (${ids}::bigint[]) and is_verified and is_active order by id for share`.execute(tx)
  const earns = new Set(earning.rows.map(({ id }) => id))
  const rows = await tx.selectFrom('reward_rank_bonus').selectAll().where('member_id', 'in', ids).execute()
  const begun = Map.groupBy(rows, (row) => row.member_id)
  return found.rows
    .filter(({ leaderId }) => earns.has(leaderId))
    .map(({ leaderId: id, counted, below }) => {
      const own = begun.get(id) ?? []
      const bonuses = new Map<string, RankBonus>(
        own.map(({ rank, team_stake: teamStake, bonus, programme_version: version, filled }) => [
          rank,
          { rank, teamStake, bonus, version, filled },
        ]),
      )
      return {
        leader: { id, counted, bonuses, begun: new Map(own.map((row) => [row.rank, row.started_at])) },
        below: new Set(below.map(BigInt)),
      }
    })
}

/** Returns the lowest threshold of the ladders and of all partly filled bonuses. */
async function lowestThreshold(tx: Tx, ladders: ReadonlyMap<number, Programme>): Promise<Units | undefined> {
  const open = await sql<{ lowest: Units | null }>`
    select min(team_stake) as lowest from reward_rank_bonus where completed_at is null`.execute(tx)
  const all = [...ladders.values()].flatMap(({ ranks }) => ranks.slice(0, 1).map(({ teamStake }) => teamStake))
  const begun = open.rows[0]?.lowest ?? undefined
  return [...all, ...(begun === undefined ? [] : [begun])].toSorted((a, b) => (a < b ? -1 : 1))[0]
}

function shareOne(budget: Budget, above: Leaders, ladders: ReadonlyMap<number, Programme>, at: Date): HandedOut[] {
  const ladder = ladders.get(budget.version)
  if (ladder === undefined) return []
  const leaders = above.filter(({ below }) => below.has(budget.memberId)).map(({ leader }) => leader)
  return shareRankBudget(budget.amount, leaders, ladder).map((share) => {
    const begun = leaders.find(({ id }) => id === share.leaderId)?.begun
    const startedAt = begun?.get(share.bonus.rank) ?? at
    begun?.set(share.bonus.rank, startedAt)
    return { ...share, budget, startedAt }
  })
}

/** Stores the distributed parts with their liabilities. Complete bonuses are pending until their payment. */
async function save(tx: Tx, at: Date, shares: readonly HandedOut[]): Promise<void> {
  if (shares.length === 0) return
  const facts = shares.map((one) => ({
    source_id: one.budget.sourceId,
    member_id: one.leaderId,
    rank: one.bonus.rank,
    amount: one.amount,
    at,
  }))
  await tx.insertInto('reward_rank_share').values(facts).execute()
  await sql`
    insert into reward_rank_bonus as existing (member_id, rank, programme_version, team_stake, bonus, filled, started_at, completed_at)
    select member_id, rank, version, team_stake, bonus, sum(amount)::bigint, ${at}, case when sum(amount) = bonus then ${at}::timestamptz end
    from unnest(${shares.map((one) => one.leaderId)}::bigint[], ${shares.map((one) => one.bonus.rank)}::text[],
      ${shares.map((one) => one.bonus.version)}::int[], ${shares.map((one) => one.bonus.teamStake)}::bigint[],
      ${shares.map((one) => one.bonus.bonus)}::bigint[], ${shares.map((one) => one.amount)}::bigint[])
      s (member_id, rank, version, team_stake, bonus, amount)
    group by 1, 2, 3, 4, 5 order by 1, 2
    on conflict (member_id, rank) do update set filled = existing.filled + excluded.filled,
      completed_at = case when existing.filled + excluded.filled = existing.bonus then ${at}::timestamptz end`.execute(tx)
  const complete = shares.filter(({ completes }) => completes)
  await recordPendingLiabilities(
    tx,
    shares.map(({ amount, startedAt }) => ({ kind: 'rank', amount, releaseAt: startedAt })),
  )
  await releasePendingLiabilities(
    tx,
    complete.map(({ bonus, startedAt }) => ({ kind: 'rank', amount: bonus.bonus, releaseAt: startedAt })),
  )
  await holdRewards(
    tx,
    at,
    0,
    complete.map(({ leaderId, bonus, counted }) => ({
      kind: 'rank',
      beneficiaryId: leaderId,
      sourceMemberId: null,
      cause: { type: 'rank', id: rankId(bonus.rank) },
      level: 0,
      base: counted,
      percent: null,
      amount: bonus.bonus,
      version: bonus.version,
      rank: bonus.rank,
    })),
  )
}

/** Derives an id from a rank's name, so that each member gets its bonus once in all programme versions. */
function rankId(rank: string): bigint {
  return [...new TextEncoder().encode(rank)].reduce((id, byte) => (id * 257n + BigInt(byte)) % 9_000_000_000_000_000_007n, 0n)
}
