import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/**
 * For tests: what no rule may pay without a person. The judge uses only facts that the test itself caused, and the stored payouts. It uses
 * no code of the product.
 */

/** A rule as two people approved it, in whole units. */
export interface DrawnRule {
  action: 'approve' | 'hold' | 'queue'
  name: string
  kind: 'withdrawal' | 'bridge'
  atMost?: number
  accountDays?: number
  dayCount?: number
  daySum?: number
  memberDayCount?: number
  memberDaySum?: number
  above?: number
  newDeviceDays?: number
}

/** A set of rules with the people behind it; without rules after one person stopped them. */
export interface RuleSet {
  startsAt: number
  rules: readonly DrawnRule[]
  maker: bigint
  approver: bigint
}

/** A member as the test knows the person. Times are ms. */
export interface KnownMember {
  id: bigint
  joinedAt: number
  newestDeviceAt: number
  resetAt: number
  frozenUntil: number
  isStopped: boolean
  isBlocked: boolean
  isLinked: boolean
  isStaff: boolean
  /** Address book: the time of use of each address; a removed one is absent. */
  book: ReadonlyMap<string, number>
}

/** What is known at one moment. */
export interface Known {
  sets: readonly RuleSet[]
  members: ReadonlyMap<bigint, KnownMember>
  /** Addresses that staff were or want to be paid to. */
  staffAddresses: ReadonlySet<string>
  /** Requests that a person approved first. */
  approvedFirst: ReadonlySet<string>
  /** Accounts of the hostile admin. Two of them are one person. */
  hostile: ReadonlySet<bigint>
  /** Largest sum in whole USD or coin that one person may pay to a member within 24 hours. */
  solo: number
}

/** An approved payout with the sums of its day, counted up to and with it. */
interface Paid {
  id: string
  kind: 'withdrawal' | 'bridge'
  memberId: bigint
  address: string
  amount: Units
  requestedAt: Date
  decidedAt: Date
  rule: string | null
  outcome: string | null
  decidedBy: bigint | null
  firstBy: bigint | null
  ruleCount: number
  ruleSum: Units
  memberCount: number
  memberSum: Units
  addressCount: number
  addressSum: Units
  /** Shares of the solo limits that rules and single people used for the member within 24 hours, in units of one limit. */
  alone: Units
  paidBefore: boolean
  requestsBefore: number
}

const DAY = 86_400_000
const before = sql.raw('(e.decided_at, e.id) <= (p.decided_at, p.id)')
const sameDay = sql.raw(
  "e.status = 'APPROVED' and e.decided_by is null and e.kind = p.kind and (e.decided_at at time zone 'UTC')::date = (p.decided_at at time zone 'UTC')::date",
)

/** Reads the payouts that staff or rules approved and that were not returned. */
export async function approvedPayouts(db: Db): Promise<Paid[]> {
  const totals = (name: string, condition: string) => sql`
    (select count(*)::int from payout_request e where ${sameDay} and ${before} and ${sql.raw(condition)}) as ${sql.ref(`${name}Count`)},
    (select coalesce(sum(e.amount), 0)::bigint from payout_request e where ${sameDay} and ${before} and ${sql.raw(condition)}) as ${sql.ref(`${name}Sum`)}`
  const { rows } = await sql<Paid>`
    select p.public_id as id, p.kind, p.member_id as "memberId", lower(p.address) as address, p.amount, p.created_at as "requestedAt",
      p.decided_at as "decidedAt", p.rule_name as rule, p.rule_outcome as outcome, p.decided_by as "decidedBy", p.first_approved_by as "firstBy",
      ${totals('rule', 'e.rule_name = p.rule_name')}, ${totals('member', 'e.member_id = p.member_id')},
      ${totals('address', 'lower(e.address) = lower(p.address)')},
      (select sum(e.amount)::bigint from payout_request e where e.member_id = p.member_id and e.status = 'APPROVED' and e.first_approved_by is null
        and e.decided_at > p.decided_at - interval '24 hours' and ${before}) as alone,
      exists (select from payout_request e where e.member_id = p.member_id and e.kind = p.kind and lower(e.address) = lower(p.address)
        and e.status = 'APPROVED' and e.decided_at < p.decided_at and e.id <> p.id) as "paidBefore",
      (select count(*)::int from payout_request e where e.member_id = p.member_id and e.kind = p.kind and e.id < p.id
        and e.created_at > p.created_at - interval '24 hours') as "requestsBefore"
    from payout_request p where p.status = 'APPROVED' order by p.decided_at, p.id`.execute(db)
  return rows
}

/** Returns the reasons why nobody but staff could pay this. */
function faultsOf(paid: Paid, known: Known): string[] {
  if (paid.decidedBy !== null) {
    const isPair = paid.firstBy !== null && known.hostile.has(paid.firstBy) && known.hostile.has(paid.decidedBy)
    const isAlone = paid.firstBy === null || paid.firstBy === paid.decidedBy
    return [
      ...(isPair ? ['two accounts of one person approved'] : []),
      ...(isAlone && paid.outcome === 'HELD' ? ['one person approved a held payout'] : []),
      ...(isAlone && paid.alone > BigInt(known.solo) * ONE ? ['one person approved more than the solo limit'] : []),
      ...(known.hostile.has(paid.decidedBy) && known.staffAddresses.has(paid.address)
        ? ['staff approved a payout to their own address']
        : []),
    ]
  }
  const member = known.members.get(paid.memberId)
  const at = paid.decidedAt.getTime()
  const set = known.sets.findLast(({ startsAt }) => startsAt <= at)
  const rule = set?.rules.find(({ name }) => name === paid.rule)
  if (member === undefined) return ['an unknown member was paid']
  if (set === undefined || rule === undefined) return ['no rule of two people was in force']
  const usable = member.book.get(paid.address)
  const over = (sum: Units, ceiling: number | undefined) => sum > BigInt(ceiling ?? 0) * ONE
  const checks: readonly [boolean, string][] = [
    [set.maker === set.approver || (known.hostile.has(set.maker) && known.hostile.has(set.approver)), 'one person switched the rules on'],
    [rule.action !== 'approve' || rule.kind !== paid.kind, 'the rule approves no such payout'],
    [over(paid.amount, rule.atMost), 'the payout is above the sum of its rule'],
    [at - member.joinedAt < (rule.accountDays ?? 0) * DAY, 'the account is too new for its rule'],
    [paid.ruleCount > (rule.dayCount ?? 0), 'the rule approved too many payouts on one day'],
    [over(paid.ruleSum, rule.daySum), 'the rule approved too much on one day'],
    [paid.memberCount > (rule.memberDayCount ?? 0), 'a member got too many payouts on one day'],
    [over(paid.memberSum, rule.memberDaySum), 'a member got too much on one day'],
    [paid.addressCount > (rule.memberDayCount ?? 0), 'an address got too many payouts on one day'],
    [over(paid.addressSum, rule.memberDaySum), 'an address got too much on one day'],
    [over(paid.alone, known.solo), 'more than the solo limit left without a second person'],
    [member.isLinked, 'the account is linked to another one'],
    [member.isStaff || known.staffAddresses.has(paid.address), 'the payout is one of staff'],
    [member.isBlocked || member.isStopped || member.frozenUntil > at, 'the member is blocked or the payouts are frozen'],
    [at - member.resetAt < 3 * DAY, 'the password was reset within three days'],
    [at - member.newestDeviceAt < 7 * DAY, 'the device is new'],
    [usable === undefined || usable > paid.requestedAt.getTime(), 'the address was not in the address book at the request'],
    [!paid.paidBefore, 'the address was never paid before'],
    [paid.requestsBefore >= 2, 'it is the third request within 24 hours'],
    [known.approvedFirst.has(paid.id) || paid.firstBy !== null, 'a person approved before the rule'],
  ]
  return checks.flatMap(([isBroken, text]) => (isBroken ? [text] : []))
}

/**
 * Returns the faults of payouts that were approved between two moments. A payout may be right by what is known at either of them, because
 * calls run at the same time.
 * @param seen payouts judged before; receives the new ones
 */
export async function judgePayouts(db: Db, moments: readonly Known[], seen: Set<string>): Promise<{ faults: string[]; byRule: number }> {
  const fresh = (await approvedPayouts(db)).filter(({ id }) => !seen.has(id))
  for (const { id } of fresh) seen.add(id)
  const faults = fresh.flatMap((paid) => {
    // Rules have times, so the latest knowledge counts for both moments.
    const sets = moments.at(-1)?.sets ?? []
    const each = moments.map((known) => faultsOf(paid, { ...known, sets }))
    return each.every((one) => one.length > 0) ? [`${paid.id} (${paid.rule ?? 'by staff'}): ${(each.at(-1) ?? []).join(', ')}`] : []
  })
  return { faults, byRule: fresh.filter(({ decidedBy }) => decidedBy === null).length }
}
