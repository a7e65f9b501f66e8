import { MAX_UNITS } from '@tizara/money'
import { sql } from 'kysely'
import type { Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { setRanks } from '../../members/index.ts'
import { applyPendingTeamVolume } from '../../team/index.ts'
import { currentProgramme, type Programme } from '../programme/programme.ts'

/** Volume rows aggregated per transaction. */
const BATCH = 5000

/**
 * Adds pending team volume to the totals, and updates the ranks of the changed leaders (RW-05). A rank depends on the coin in running
 * stakes of the downline, so it can be lost again. Pays nothing; `hand-out-budgets` pays rank bonuses.
 * @returns the number of added volume rows
 */
export function updateTeamTotals(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone(async (tx) => {
    const now = deps.clock.now()
    const done = await addTeamVolume(tx, now)
    await rankByNewProgramme(tx, now)
    return { done, more: done === BATCH }
  })
}

/** Aggregates all committed team volume within a transaction, and sets the ranks that it changes. */
export async function addAllTeamVolume(tx: Tx, now: Date): Promise<void> {
  while ((await addTeamVolume(tx, now)) === BATCH);
}

async function addTeamVolume(tx: Tx, now: Date): Promise<number> {
  const rules = await currentProgramme(tx, now)
  const { folded, changed } = await applyPendingTeamVolume(tx, BATCH, rules.ranks[0]?.teamStake ?? MAX_UNITS)
  await rankMembers(
    tx,
    rules,
    changed.map(({ memberId }) => memberId),
    now,
  )
  return folded
}

/** Updates all ranks once when a new version of the programme is in force. */
async function rankByNewProgramme(tx: Tx, now: Date): Promise<void> {
  const rules = await currentProgramme(tx, now)
  const watermark = await tx.selectFrom('reward_watermark').select('ranked_version').executeTakeFirstOrThrow()
  if (watermark.ranked_version === rules.version) return
  const lowest = rules.ranks[0]?.teamStake ?? MAX_UNITS
  const found = await sql<{ id: bigint }>`
    select t.member_id as id from team_total t join member m on m.id = t.member_id
    where t.running >= ${lowest} or m.rank is not null order by t.member_id`.execute(tx)
  await rankMembers(
    tx,
    rules,
    found.rows.map(({ id }) => id),
    now,
  )
  await tx.updateTable('reward_watermark').set({ ranked_version: rules.version }).execute()
}

/** Sets the rank that a member's team has reached. */
export async function rankMember(tx: Tx, memberId: bigint, at: Date): Promise<void> {
  await rankMembers(tx, await currentProgramme(tx, at), [memberId], at)
}

async function rankMembers(tx: Tx, { ranks }: Programme, members: readonly bigint[], at: Date): Promise<void> {
  if (members.length === 0) return
  const changed = await sql<{ id: bigint; rank: string | null }>`
    select m.id, best.rank from member m left join team_rank_stake s on s.member_id = m.id
    left join lateral (
      select rank from unnest(${ranks.map((one) => one.rank)}::text[], ${ranks.map((one) => one.teamStake)}::bigint[]) l (rank, team_stake)
      where team_stake <= s.counted order by team_stake desc limit 1) best on true
    where m.id = any (${members}::bigint[]) and not m.rank_by_staff and m.rank is distinct from best.rank`.execute(tx)
  await setRanks(tx, new Map(changed.rows.map(({ id, rank }) => [id, rank])), at)
}
