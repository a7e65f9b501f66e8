import { exchangeShare, ONE, percentOf, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { balancesIn, postEach } from '../../ledger/index.ts'
import { unwrapAll, okValues, AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { lockMembers } from '../members/index.ts'
import { currentSettings, type Settings } from '../settings/index.ts'

const HOUR_MS = 3_600_000
const CENT = ONE / 100n

/** Whose share, and how many coin units the client says it is. */
export interface ExchangeWish {
  memberId: bigint
  amount: Units
}

/**
 * Moves the share of the ICO wallet that the settings allow to my wallet (MF-05, VA-45, VA-46). The amount that the
 * client repeats may differ from the share by the rounding of the display and no more (VA-89).
 * @returns id of the exchange on the wire
 * @throws AppError INVALID_AMOUNT when it is not the share, EXCHANGE_TOO_SOON
 */
export async function exchangeToMyWallet(tx: Tx, deps: Deps, wish: ExchangeWish): Promise<string> {
  return unwrapSingle(await exchangeAll(tx, deps, [wish]))
}

/**
 * As `exchangeToMyWallet`, for exchanges that arrive together, in order; a refused one leaves nothing behind. The members'
 * rows are locked, so that two exchanges never use the same balance for their share.
 * @throws AppError INSUFFICIENT_BALANCE when somebody took of a balance while it was looked at
 */
export async function exchangeAll(tx: Tx, deps: Deps, wishes: readonly ExchangeWish[]): Promise<(string | AppError)[]> {
  const at = deps.clock.now()
  const owners = [...new Set(wishes.map((wish) => wish.memberId))]
  await lockMembers(tx, owners)
  const settings = await currentSettings(tx, at)
  const standing = await standingOf(tx, owners)
  const wanted = wishes.map((wish) => {
    const refused = refusalOf(wish, standing(wish.memberId), settings, at)
    return refused ?? { ...wish, publicId: deps.ids.publicId() }
  })
  const allowed = okValues(wanted)
  const postings = allowed.map(({ memberId: owner, amount, publicId }) => ({
    kind: 'exchange' as const,
    cause: { type: 'wallet_exchange', id: publicId },
    at,
    ruleVersion: settings.version,
    transfers: [{ from: { owner, kind: 'newIcoWallet' as const }, to: { owner, kind: 'icoWallet' as const }, amount }],
  }))
  const posted = unwrapAll(await postEach(tx, postings))
  await insertRows(
    tx,
    'wallet_exchange',
    allowed.map(({ publicId, memberId, amount }, place) => ({
      public_id: publicId,
      member_id: memberId,
      amount,
      settings_version: settings.version,
      posting_id: posted[place]?.postingId ?? 0n,
      created_at: at,
    })),
  )
  return wanted.map((one) => (one instanceof AppError ? one : one.publicId))
}

/** What a member's next exchange goes by. */
interface Standing {
  balance: Units
  last: Date | null
}

async function standingOf(tx: Tx, owners: readonly bigint[]): Promise<(owner: bigint) => Standing> {
  const balances = await balancesIn(tx, 'newIcoWallet', owners)
  const found = await sql<{ owner: bigint; last: Date }>`
    select o.id as owner, e.created_at as last from unnest(${owners}::bigint[]) o (id)
    cross join lateral (select created_at from wallet_exchange where member_id = o.id order by id desc limit 1) e`.execute(tx)
  const last = new Map(found.rows.map((row) => [row.owner, row.last]))
  const standings = new Map(owners.map((owner) => [owner, { balance: balances.get(owner) ?? 0n, last: last.get(owner) ?? null }]))
  return (owner) => standings.get(owner) ?? { balance: 0n, last: null }
}

/** Why the exchange is refused; if it is not, the member's next one goes by what it leaves. */
function refusalOf({ amount }: ExchangeWish, standing: Standing, settings: Settings, at: Date): AppError | undefined {
  const next = new Date((standing.last?.getTime() ?? -Infinity) + settings.exchangeCooldownHours * HOUR_MS)
  if (settings.exchangeCooldownHours > 0 && next > at)
    return new AppError('EXCHANGE_TOO_SOON', { at: `${next.toISOString().slice(0, 16).replace('T', ' ')} UTC` })
  if (!isShare(amount, standing.balance, settings.exchangeLimit)) return new AppError('INVALID_AMOUNT')
  standing.balance -= amount
  standing.last = at
  return undefined
}

function isShare(amount: Units, balance: Units, limitPercent: Units): boolean {
  return amount <= exchangeShare(balance, limitPercent) && amount > percentOf(balance, limitPercent, 'down') - CENT
}
