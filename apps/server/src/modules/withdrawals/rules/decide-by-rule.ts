import type { ApproveRule } from '@tizara/contract/staff-payout-rules'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { DAY_MS, startOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { approvePayout } from '../decisions/decide-payout.ts'

/** A confirmed request that the rules in force have not checked. */
export interface UncheckedPayout {
  id: bigint
  publicId: string
  kind: 'withdrawal' | 'bridge'
  memberId: bigint
  address: string
  amount: Units
}

/** Finds the oldest pending request that an earlier version of the rules, or none, has checked. A member whose screening runs waits. */
export async function nextUncheckedPayout(db: Db, version: number): Promise<UncheckedPayout | undefined> {
  const { rows } = await sql<UncheckedPayout>`
    select id, public_id as "publicId", kind, member_id as "memberId", address, amount from payout_request
    where status = 'PENDING' and confirmed_at is not null and coalesce(rule_version, 0) < ${version}
      and screening_hold(member_id) is distinct from 'pending'
    order by coalesce(rule_version, 0), id limit 1`.execute(db)
  return rows[0]
}

/** Locks a request. Returns false if it was decided meanwhile. */
export async function lockUncheckedPayout(tx: Tx, { id }: UncheckedPayout): Promise<boolean> {
  const { rows } = await sql`select from payout_request where id = ${id} and status = 'PENDING' for update`.execute(tx)
  return rows.length === 1
}

/** A ceiling of a rule that a payout would exceed. */
export interface ReachedCeiling {
  of: 'rule' | 'member' | 'address'
  /** Units left of its sum; null if the number of payouts is used up. */
  left: Units | null
  freeAt: Date
}

/** Outcome of the rules for a request that staff decide. */
export interface RuleCheck {
  version: number
  rule?: { name: string; outcome: 'HELD' | 'QUEUED' | ReachedCeiling } | undefined
}

/** Records the outcome of the rules for a request that staff decide. A request is checked once by each version. */
export async function recordRuleCheck(tx: Tx, { id }: UncheckedPayout, { version, rule }: RuleCheck): Promise<void> {
  const ceiling = typeof rule?.outcome === 'object' ? rule.outcome : undefined
  await tx
    .updateTable('payout_request')
    .set({
      rule_version: version,
      rule_name: rule?.name ?? null,
      rule_outcome: typeof rule?.outcome === 'object' ? 'CEILING' : (rule?.outcome ?? null),
      ceiling_of: ceiling?.of ?? null,
      ceiling_left: ceiling?.left ?? null,
      ceiling_free_at: ceiling?.freeAt ?? null,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Approves a request by a rule, if the ceilings of the day permit it. All guards of an approval by a person apply.
 * @returns the ceiling that is reached, or `refused` if a guard refused the approval. Nothing has then changed, and staff decide
 */
export async function approveByRule(
  tx: Tx,
  deps: Deps,
  request: UncheckedPayout,
  { version, rule, needsTwo }: { version: number; rule: ApproveRule; needsTwo: Parameters<typeof approvePayout>[2]['needsTwo'] },
): Promise<'approved' | 'refused' | ReachedCeiling> {
  await sql`savepoint rule`.execute(tx)
  try {
    const reached = await takeCeilings(tx, deps, request, rule)
    if (reached !== undefined) {
      await sql`rollback to savepoint rule`.execute(tx)
      return reached
    }
    await approvePayout(tx, deps, {
      payoutId: request.publicId,
      kind: request.kind,
      staffId: null,
      rule: { name: rule.name, version },
      reason: `Approved by rule, version ${version} of the rules`,
      amount: undefined,
      needsTwo,
    })
    return 'approved'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await sql`rollback to savepoint rule`.execute(tx)
    return 'refused'
  }
}

/**
 * Adds a payout to the use of its rule, its member and its address on this UTC day.
 * @returns the first ceiling that would be exceeded. The caller then undoes the uses that were added before
 */
async function takeCeilings(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  request: UncheckedPayout,
  rule: ApproveRule,
): Promise<ReachedCeiling | undefined> {
  const day = startOfDay(utcDay(deps.clock.now()))
  const { dayCount, daySum, memberDayCount, memberDaySum } = rule
  const uses = [
    { scope: 'rule' as const, subject: rule.name, count: dayCount, sum: daySum },
    { scope: 'member' as const, subject: `${request.kind} ${request.memberId}`, count: memberDayCount, sum: memberDaySum },
    { scope: 'address' as const, subject: `${request.kind} ${request.address.toLowerCase()}`, count: memberDayCount, sum: memberDaySum },
  ]
  for (const { scope, subject, count, sum } of uses) {
    const taken = await sql`
      insert into payout_rule_use as used (day, scope, subject, number, amount)
      select ${day}::timestamptz, ${scope}::text, ${subject}::text, 1, ${request.amount}::bigint where ${request.amount}::bigint <= ${sum}::bigint
      on conflict (day, scope, subject) do update set number = used.number + 1, amount = used.amount + excluded.amount
        where used.number < ${count}::int and used.amount + excluded.amount <= ${sum}::bigint`.execute(tx)
    if (taken.numAffectedRows === 1n) continue
    const used = await tx
      .selectFrom('payout_rule_use')
      .select(['number', 'amount'])
      .where('day', '=', day)
      .where('scope', '=', scope)
      .where('subject', '=', subject)
      .executeTakeFirst()
    const left = sum - (used?.amount ?? 0n)
    const isNumberUsed = (used?.number ?? 0) >= count
    return { of: scope, left: isNumberUsed ? null : left > 0n ? left : 0n, freeAt: new Date(day.getTime() + DAY_MS) }
  }
  return undefined
}

/** Reads the use of each rule on this UTC day, and the number of payouts that wait under its name, counted up to 1,000. */
export async function ruleUseToday(
  db: Db,
  now: Date,
  names: readonly string[],
): Promise<{ name: string; approved: number; sum: Units; waiting: number }[]> {
  const { rows } = await sql<{ name: string; approved: number; sum: Units; waiting: number }>`
    select n.name, coalesce(u.number, 0) as approved, coalesce(u.amount, 0)::bigint as sum,
      (select count(*)::int from (select from payout_request p where p.rule_name = n.name and p.status = 'PENDING' limit 1000) w) as waiting
    from unnest(${names}::text[]) with ordinality n (name, ordinal)
    left join payout_rule_use u on u.day = ${startOfDay(utcDay(now))} and u.scope = 'rule' and u.subject = n.name order by n.ordinal`.execute(
    db,
  )
  return rows
}
