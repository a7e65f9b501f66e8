import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { WalletKind } from '../../ledger/index.ts'
import { okValues, AppError, mapOk } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { lockMembers } from '../members/index.ts'
import type { Settings } from '../settings/index.ts'
import { addressKey, type Network } from './address.rules.ts'
import { limitsOf, pastLimit } from './day-limit.ts'
import { isStepUp } from './payout-token.ts'

/** A payout that a member asks for, with its quote. */
export interface PayoutWish {
  kind: 'withdrawal' | 'bridge'
  memberId: bigint
  wallet: WalletKind
  amount: Units
  platformFee: Units
  networkFee: Units
  received: Units
  address: string
  network: Network
  settingsVersion: number
  stepUp?: StepUp | undefined
}

/** What came with a call to prove that the member asks, and the session that it came in. */
export interface StepUp {
  token: string
  sessionId: bigint
}

/** A wish with what has confirmed it by the time it is filed; null when it waits for its owner. */
export type Confirmed<Wish> = Wish & { confirmedHow: 'book' | 'step-up' | null }

/**
 * Looks at payouts before their money is held: within the limits of a day, with a fresh proof or to an address of the book.
 * @param met what {@link lookUp} has found for all of them
 * @returns in order: the wish, or AppError PAYOUT_DAY_COUNT, PAYOUT_DAY_LIMIT, STEP_UP_REFUSED
 */
export async function admitPayouts(
  tx: Tx,
  deps: Deps,
  { settings, met }: { settings: Settings; met: ReadonlyMap<string, Met> },
  wishes: readonly (PayoutWish | AppError)[],
): Promise<(Confirmed<PayoutWish> | AppError)[]> {
  const used = await usedProofs(tx, okValues(wishes))
  const asked = new Map<bigint, Asked>()
  return mapOk(wishes, (wish) => {
    const { stepUp } = wish
    if (stepUp !== undefined) {
      if (!isStepUp(deps, stepUp.token, { ...wish, sessionId: stepUp.sessionId })) return new AppError('STEP_UP_REFUSED')
      if (used.has(digest(stepUp.token))) return new AppError('STEP_UP_REFUSED')
      used.add(digest(stepUp.token))
    }
    const earlier = asked.get(wish.memberId) ?? met.get(placeOf(wish)) ?? NOTHING_ASKED
    const next = { ...earlier, count: earlier.count + 1, [wish.kind]: earlier[wish.kind] + wish.amount }
    const limit = limitsOf(settings, wish.kind).member
    if (next.count > settings.payoutDayCount) return new AppError('PAYOUT_DAY_COUNT', { limit: String(settings.payoutDayCount) })
    if (next[wish.kind] > limit) return pastLimit(limit)
    asked.set(wish.memberId, next)
    return { ...wish, confirmedHow: stepUp !== undefined ? 'step-up' : met.get(placeOf(wish))?.trusted === true ? 'book' : null }
  })
}

/** Payouts of a member within 24 hours. Those that went back were work and mails too: they count, their amounts do not. */
type Asked = Record<PayoutWish['kind'], Units> & { count: number }
const NOTHING_ASKED: Asked = { count: 0, withdrawal: 0n, bridge: 0n }

/** The proofs among these that have let another payout pass. */
async function usedProofs(tx: Tx, wishes: readonly PayoutWish[]): Promise<Set<string>> {
  const digests = wishes.flatMap(({ stepUp }) => (stepUp === undefined ? [] : [digest(stepUp.token)]))
  if (digests.length === 0) return new Set()
  const { rows } = await sql<{ used: string }>`
    select step_up_digest as used from payout_request where step_up_digest = any(${digests}::text[])`.execute(tx)
  return new Set(rows.map((row) => row.used))
}

/** Whose payout, and where to. */
export type Place = Pick<PayoutWish, 'memberId' | 'network' | 'address'>
const placeOf = ({ memberId, network, address }: Place) => `${memberId} ${network} ${addressKey(address, network)}`

/** What a wish meets: what its member has asked for within 24 hours, and whether the address needs no confirmation. */
export type Met = Asked & { trusted: boolean }

/**
 * Looks up what wishes meet, by their places. The members' rows are locked before: whatever stops payouts (`stopByLink`) is
 * either seen here, or comes later and sees these.
 */
export async function lookUp(tx: Tx, { clock }: Pick<Deps, 'clock'>, places: readonly Place[]): Promise<Map<string, Met>> {
  await lockMembers(tx, [...new Set(places.map((place) => place.memberId))])
  const [now, keys] = [clock.now(), places.map(({ address, network }) => addressKey(address, network))]
  const { rows } = await sql<Met>`
    select * from payout_admission(${places.map((place) => place.memberId)}::bigint[], ${places.map((place) => place.network)}::int[],
      ${keys}::text[], ${new Date(now.getTime() - DAY_MS)}::timestamptz, ${now}::timestamptz)`.execute(tx)
  return new Map(rows.map((row, index) => [placeOf(places[index] as Place), row]))
}
