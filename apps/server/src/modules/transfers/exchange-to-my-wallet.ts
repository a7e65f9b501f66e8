import { exchangeShare, ONE, percentOf, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { balancesIn, postEach } from '../../ledger/index.ts'
import { unwrapAll, okValues, AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { lockMembers } from '../members/index.ts'
import { tradeSettings, type Settings } from '../settings/index.ts'

const HOUR_MS = 3_600_000
const CENT = ONE / 100n

/** Exchange request, with the amount repeated by the client in coin units. */
export interface ExchangeInput {
  memberId: bigint
  amount: Units
}

/**
 * Moves the configured share from the ICO Wallet (`newIcoWallet`) to My Wallet (`icoWallet`) (MF-05, VA-45, VA-46). The client's amount may
 * differ from the share only by display rounding (VA-89).
 * @returns the exchange's public id
 * @throws AppError INVALID_AMOUNT if it is not the share, EXCHANGE_TOO_SOON
 */
export async function exchangeToMyWallet(tx: Tx, deps: Deps, input: ExchangeInput): Promise<string> {
  return unwrapSingle(await exchangeAll(tx, deps, [input]))
}

/**
 * Handles a batch like `exchangeToMyWallet`, in order. A refused exchange has no effect. Locks the members' rows, so that two exchanges
 * never use the same balance.
 * @throws AppError INSUFFICIENT_BALANCE if a concurrent debit reduced a balance
 */
export async function exchangeAll(tx: Tx, deps: Deps, inputs: readonly ExchangeInput[]): Promise<(string | AppError)[]> {
  const at = deps.clock.now()
  const owners = [...new Set(inputs.map((input) => input.memberId))]
  await lockMembers(tx, owners)
  const settings = await tradeSettings(tx, at)
  const standing = await standingOf(tx, owners)
  const exchanges = inputs.map((input) => {
    const refused = rejectionOf(input, standing(input.memberId), settings, at)
    return refused ?? { ...input, publicId: deps.ids.publicId() }
  })
  const allowed = okValues(exchanges)
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
    allowed.map(({ publicId, memberId, amount }, index) => ({
      public_id: publicId,
      member_id: memberId,
      amount,
      settings_version: settings.version,
      posting_id: posted[index]?.postingId ?? 0n,
      created_at: at,
    })),
  )
  return exchanges.map((one) => (one instanceof AppError ? one : one.publicId))
}

/** State that decides a member's next exchange. */
interface ExchangeState {
  balance: Units
  last: Date | null
}

async function standingOf(tx: Tx, owners: readonly bigint[]): Promise<(owner: bigint) => ExchangeState> {
  const balances = await balancesIn(tx, 'newIcoWallet', owners)
  const found = await sql<{ owner: bigint; last: Date }>`
    select o.id as owner, e.created_at as last from unnest(${owners}::bigint[]) o (id)
    cross join lateral (select created_at from wallet_exchange where member_id = o.id order by id desc limit 1) e`.execute(tx)
  const last = new Map(found.rows.map((row) => [row.owner, row.last]))
  const standings = new Map(owners.map((owner) => [owner, { balance: balances.get(owner) ?? 0n, last: last.get(owner) ?? null }]))
  return (owner) => standings.get(owner) ?? { balance: 0n, last: null }
}

/** Returns the refusal of an exchange. Without a refusal, updates the state for the member's next exchange. */
function rejectionOf({ amount }: ExchangeInput, standing: ExchangeState, settings: Settings, at: Date): AppError | undefined {
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
