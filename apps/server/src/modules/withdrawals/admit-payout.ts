import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { allowedOf, AppError, mapAllowed } from '../../platform/app-error.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { digest } from '../../platform/ids.ts'
import { lockMembers } from '../members/index.ts'
import type { Settings } from '../settings/index.ts'
import { addressKey } from './address.rules.ts'
import { limitsOf, pastLimit } from './day-limit.ts'
import type { PayoutWish } from './open-payout.ts'
import { isStepUp } from './payout-token.ts'

/** A wish with what has confirmed it by the time it is filed; null when it waits for its owner. */
export type Confirmed<Wish> = Wish & { confirmedHow: 'book' | 'step-up' | null }

/**
 * Looks at payouts before their money is held: within the limits of a day, with a fresh proof or to an address of the book.
 * The members' rows are locked: whatever stops payouts (`stopByLink`) is either seen here, or comes later and sees these.
 * @returns in order: the wish, or AppError PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT, STEP_UP_REFUSED
 */
export async function admitPayouts(
  tx: Tx,
  deps: Deps,
  settings: Settings,
  wishes: readonly (PayoutWish | AppError)[],
): Promise<(Confirmed<PayoutWish> | AppError)[]> {
  const allowed = allowedOf(wishes)
  if (allowed.length === 0) return mapAllowed(wishes, (wish) => ({ ...wish, confirmedHow: null }))
  await lockMembers(tx, [...new Set(allowed.map((wish) => wish.memberId))])
  const asked = await askedToday(tx, deps, allowed)
  const used = await usedProofs(tx, allowed)
  const trusted = await trustedPlaces(tx, deps, allowed)
  return mapAllowed(wishes, (wish) => {
    const { stepUp } = wish
    if (stepUp !== undefined) {
      if (!isStepUp(deps, stepUp.token, { ...wish, sessionId: stepUp.sessionId })) return new AppError('STEP_UP_REFUSED')
      if (used.has(digest(stepUp.token))) return new AppError('STEP_UP_REFUSED')
      used.add(digest(stepUp.token))
    }
    const earlier = asked.get(wish.memberId) ?? NOTHING_ASKED
    const next = { ...earlier, count: earlier.count + 1, [wish.kind]: earlier[wish.kind] + wish.amount }
    const limit = limitsOf(settings, wish.kind).member
    if (next.count > settings.payoutDayCount) return new AppError('PAYOUT_DAY_COUNT', { limit: String(settings.payoutDayCount) })
    if (next[wish.kind] > limit) return pastLimit(limit)
    asked.set(wish.memberId, next)
    return { ...wish, confirmedHow: stepUp !== undefined ? 'step-up' : trusted.has(placeOf(wish)) ? 'book' : null }
  })
}

const placeOf = ({ memberId, network, address }: PayoutWish) => `${memberId} ${network} ${addressKey(address, network)}`

/** Payouts of a member within 24 hours: how many, and the units of those that did not go back. */
type Asked = Record<PayoutWish['kind'], Units> & { count: number }
const NOTHING_ASKED: Asked = { count: 0, withdrawal: 0n, bridge: 0n }

/** What members have asked for within 24 hours. Those that went back were work and mails too: they count, their amounts do not. */
async function askedToday(tx: Tx, { clock }: Pick<Deps, 'clock'>, wishes: readonly PayoutWish[]): Promise<Map<bigint, Asked>> {
  const since = new Date(clock.now().getTime() - DAY_MS)
  const { rows } = await sql<Asked & { memberId: bigint }>`
    select member_id as "memberId", count(*)::int as count,
      coalesce(sum(amount) filter (where kind = 'withdrawal' and status <> 'REJECTED'), 0)::bigint as withdrawal,
      coalesce(sum(amount) filter (where kind = 'bridge' and status <> 'REJECTED'), 0)::bigint as bridge
    from payout_request where member_id = any(${wishes.map((wish) => wish.memberId)}::bigint[]) and created_at > ${since}
    group by 1`.execute(tx)
  return new Map(rows.map(({ memberId, ...asked }) => [memberId, asked]))
}

/** The proofs among these that have let another payout pass. */
async function usedProofs(tx: Tx, wishes: readonly PayoutWish[]): Promise<Set<string>> {
  const digests = wishes.flatMap(({ stepUp }) => (stepUp === undefined ? [] : [digest(stepUp.token)]))
  if (digests.length === 0) return new Set()
  const { rows } = await sql<{ used: string }>`
    select step_up_digest as used from payout_request where step_up_digest = any(${digests}::text[])`.execute(tx)
  return new Set(rows.map((row) => row.used))
}

/** Where these payouts go that need no confirmation: addresses of the book, confirmed and past their delay. */
async function trustedPlaces(tx: Tx, { clock }: Pick<Deps, 'clock'>, wishes: readonly PayoutWish[]): Promise<Set<string>> {
  const { rows } = await sql<{ place: string }>`
    select a.member_id || ' ' || a.network || ' ' || a.address_key as place from payout_address a
    join unnest(${wishes.map((wish) => wish.memberId)}::bigint[], ${wishes.map((wish) => wish.network)}::int[],
      ${wishes.map((wish) => addressKey(wish.address, wish.network))}::text[]) as w (member_id, network, address_key)
      on a.member_id = w.member_id and a.network = w.network and a.address_key = w.address_key
    join member m on m.id = a.member_id
    where a.removed_at is null and a.usable_from <= ${clock.now()} and m.payouts_stopped_at is null`.execute(tx)
  return new Set(rows.map((row) => row.place))
}
