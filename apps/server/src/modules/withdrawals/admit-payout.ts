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
 * Looks at payouts before their money is held: within the limit of a day, with a fresh proof or to an address of the book.
 * The members' rows are locked: whatever stops payouts (`stopByLink`) is either seen here, or comes later and sees these.
 * @returns in order: the wish, or AppError PAYOUT_DAY_LIMIT, STEP_UP_REFUSED
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
    const sum = (asked.get(ownerOf(wish)) ?? 0n) + wish.amount
    const limit = limitsOf(settings, wish.kind).member
    if (sum > limit) return pastLimit(limit)
    asked.set(ownerOf(wish), sum)
    return { ...wish, confirmedHow: stepUp !== undefined ? 'step-up' : trusted.has(placeOf(wish)) ? 'book' : null }
  })
}

const ownerOf = ({ memberId, kind }: Pick<PayoutWish, 'memberId' | 'kind'>) => `${memberId} ${kind}`
const placeOf = ({ memberId, network, address }: PayoutWish) => `${memberId} ${network} ${addressKey(address, network)}`

/** What members have asked for within 24 hours and did not get back, in units. */
async function askedToday(tx: Tx, { clock }: Pick<Deps, 'clock'>, wishes: readonly PayoutWish[]): Promise<Map<string, Units>> {
  const since = new Date(clock.now().getTime() - DAY_MS)
  const { rows } = await sql<{ memberId: bigint; kind: PayoutWish['kind']; sum: Units }>`
    select w.member_id as "memberId", w.kind, (
      select coalesce(sum(p.amount), 0)::bigint from payout_request p
      where p.member_id = w.member_id and p.kind = w.kind and p.created_at > ${since} and p.status <> 'REJECTED') as sum
    from (select distinct * from unnest(${wishes.map((wish) => wish.memberId)}::bigint[], ${wishes.map((wish) => wish.kind)}::text[])
      as w (member_id, kind)) w`.execute(tx)
  return new Map(rows.map((row) => [ownerOf(row), row.sum]))
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
