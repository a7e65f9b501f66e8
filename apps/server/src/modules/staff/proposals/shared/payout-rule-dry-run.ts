import type { ApproveRule, PayoutRule } from '@tizara/contract/staff-payout-rules'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import type { DataKeys } from '../../../../platform/crypto/encrypt.ts'
import { utcDay } from '../../../../platform/runtime/clock.ts'
import { matchPayoutRule } from './match-payout-rule.rules.ts'
import { payoutFacts, type PayoutWithFacts } from './payout-facts.queries.ts'
import type { EffectRow } from './proposal-kind.ts'

/** Maximum number of payouts in a dry run, the newest first. */
const MAX_PAYOUTS = 5_000

const EFFECTS = { approve: 'would have approved', hold: 'would have held for two people', queue: 'would have queued' } as const

/**
 * Applies rules to the confirmed payouts of a period, with their ceilings per day, and counts the outcomes. Nothing is stored.
 * @returns a row per rule, and the rejected payouts among the approved ones
 */
export async function dryRunPayoutRules(
  db: Db,
  keys: DataKeys,
  rules: readonly PayoutRule[],
  { from, to }: { from: Date; to: Date },
): Promise<EffectRow[]> {
  const payouts = await payoutFacts(db, keys, {
    which: sql`p.kind <> 'transfer' and p.confirmed_at is not null and p.created_at >= ${from} and p.created_at < ${to}`,
    at: sql`p.confirmed_at`,
    max: MAX_PAYOUTS,
  })
  const ceilings = new Ceilings()
  const counts = new Map(rules.map(({ name }) => [name, { matched: 0, done: 0, rejected: 0 }]))
  for (const payout of payouts.toReversed()) {
    const rule = matchPayoutRule(rules, payout)
    const count = rule && counts.get(rule.name)
    if (rule === undefined || count === undefined) continue
    count.matched += 1
    if (rule.action === 'approve' && !ceilings.take(rule, payout)) continue
    count.done += 1
    if (payout.wasRejected) count.rejected += 1
  }
  const all = payouts.length
  const newest = all === MAX_PAYOUTS ? `the newest ${all}` : String(all)
  return rules.flatMap((rule) => {
    const { matched, done, rejected } = counts.get(rule.name) ?? { matched: 0, done: 0, rejected: 0 }
    const isAll = all > 0 && matched === all
    return [
      {
        label: `“${rule.name}” ${isAll ? 'matches every payout and ' : ''}${EFFECTS[rule.action]}`,
        after: `${done} of ${newest}`,
        ...(isAll && rule.action === 'approve' ? { good: false } : {}),
      },
      ...(rule.action !== 'approve'
        ? []
        : [
            { label: `“${rule.name}”: rejected or returned later`, after: String(rejected), good: rejected === 0 },
            ...(matched > done ? [{ label: `“${rule.name}”: above a ceiling, left to staff`, after: String(matched - done) }] : []),
          ]),
    ]
  })
}

/** Counts the use of ceilings in a dry run, as the approval counts it in the database. */
class Ceilings {
  readonly #used = new Map<string, { number: number; amount: Units }>()

  /** Adds a payout, or returns false if a ceiling would be exceeded. */
  take(rule: ApproveRule, { at, kind, memberId, address, amount }: PayoutWithFacts): boolean {
    const day = utcDay(at)
    const uses = [
      { key: `${day} rule ${rule.name}`, count: rule.dayCount, sum: rule.daySum },
      { key: `${day} ${kind} ${memberId}`, count: rule.memberDayCount, sum: rule.memberDaySum },
      { key: `${day} ${kind} ${address}`, count: rule.memberDayCount, sum: rule.memberDaySum },
    ].map((use) => ({ ...use, now: this.#used.get(use.key) ?? { number: 0, amount: 0n } }))
    if (uses.some(({ now, count, sum }) => now.number >= count || now.amount + amount > sum)) return false
    for (const { key, now } of uses) this.#used.set(key, { number: now.number + 1, amount: now.amount + amount })
    return true
  }
}
