import type { QueryOf, ReplyOf } from '@tizara/contract'
import { MOVEMENT_DAYS, MOVEMENT_DAYS_MAX, type MovementGroup, type movements } from '@tizara/contract/wallets-movements'
import { type MovementSearch, movementSums, movementsOf, movementsOfPostings, type WalletMovement } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS, utcDay } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { findReceipt, type History } from '../histories/index.ts'
import { membersById } from '../members/index.ts'
import { idsOfTime } from './ids-of-time.ts'
import { type MovingKind, systemAccountLabel, walletLabel } from './receipts.ts'
import { titleOf } from './statement-month.ts'

/** Movements that a page with a filter reads beyond its length. */
const SCAN = 500
/** Movements that a sum reads at most. */
const SUM_MAX = 10_000

interface MovementPorts {
  histories: readonly History[]
  transfers: Readonly<Record<string, MovingKind>>
}

type MovementsReply = ReplyOf<typeof movements>

/**
 * Reads a page of a member's movements, with the sums of the period on the first page. The cost depends on the page and the
 * period, not on the history.
 * @throws AppError INVALID_INPUT for a period that is reversed or longer than 366 days
 */
export async function readMovements(
  db: Db,
  memberId: bigint,
  { now, query }: { now: Date; query: QueryOf<typeof movements> },
  ports: MovementPorts,
): Promise<MovementsReply> {
  const period = periodOf(query, now)
  const isIn = inGroup(query.group, ports)
  if (query.reference !== undefined) {
    const found = await findByReference(db, memberId, query.reference, ports)
    return { ...period.days, rows: await toRows(db, memberId, found, ports), sums: null }
  }
  const { afterId, upToId } = await idsOfTime(db, period.since, period.until)
  const search: MovementSearch = { wallet: query.wallet, afterId, upToId, since: period.since, until: period.until }
  const before = query.before === undefined ? undefined : BigInt(query.before)
  const limit = query.group === undefined ? query.limit + 1 : SCAN + query.limit
  const read = await movementsOf(db, memberId, search, { before, limit })
  const matching = read.filter(isIn)
  const page = matching.slice(0, query.limit)
  // A filtered page continues after the last row it read, even if that row was of another kind.
  const last = matching.length > query.limit ? page.at(-1) : read.length === limit ? read.at(-1) : undefined
  const kinds = query.group === undefined ? undefined : Object.keys(ports.transfers).filter((kind) => isIn({ kind }))
  const sums = before === undefined ? await movementSums(db, memberId, search, { kinds, max: SUM_MAX }) : undefined
  return {
    ...period.days,
    rows: await toRows(db, memberId, page, ports),
    ...(last === undefined ? {} : { next: String(last.transferId) }),
    sums: sums?.map((sum) => ({ ...sum, asset: wireAsset(sum.asset) })) ?? null,
  }
}

/** Returns the first and last UTC day of the period: the given days, or 30 days up to the given end. */
function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
  const first = from ?? utcDay(new Date(startOf(to ?? utcDay(now)) - (MOVEMENT_DAYS - 1) * DAY_MS))
  const lastStart = to === undefined ? Math.min(startOf(utcDay(now)), startOf(first) + (MOVEMENT_DAYS_MAX - 1) * DAY_MS) : startOf(to)
  // A period that begins in the future is its first day.
  const last = to === undefined ? Math.max(lastStart, startOf(first)) : lastStart
  const length = (last - startOf(first)) / DAY_MS + 1
  if (length < 1 || length > MOVEMENT_DAYS_MAX) throw new AppError('INVALID_INPUT')
  return { since: new Date(startOf(first)), until: new Date(last + DAY_MS), days: { from: first, to: utcDay(new Date(last)) } }
}

const groupOf = (kind: string, { transfers }: MovementPorts): MovementGroup => transfers[kind]?.receipt?.group ?? 'correction'

const inGroup =
  (group: MovementGroup | undefined, ports: MovementPorts) =>
  ({ kind }: { kind: string }): boolean =>
    group === undefined || groupOf(kind, ports) === group

/**
 * Finds movements by the id of a transfer or of a row with a receipt, by a transaction hash, or by an address. Needs one look-up for each
 * list.
 */
async function findByReference(db: Db, memberId: bigint, reference: string, { histories }: MovementPorts): Promise<WalletMovement[]> {
  if (/^\d{1,18}$/.test(reference)) return movementsOfPostings(db, memberId, [BigInt(reference)])
  for (const { kind } of histories) {
    const receipt = await findReceipt(histories, db, memberId, { kind, id: reference })
    if (receipt?.transferId !== undefined) return movementsOfPostings(db, memberId, [BigInt(receipt.transferId)])
  }
  const found = await Promise.all(
    histories.map(({ findOnChain }) => findOnChain?.(db, memberId, reference.toLowerCase()) ?? Promise.resolve([])),
  )
  return movementsOfPostings(db, memberId, found.flat())
}

const wireAsset = (asset: 'USD' | 'COIN') => (asset === 'USD' ? 'usd' : 'coin')

async function toRows(db: Db, memberId: bigint, found: readonly WalletMovement[], ports: MovementPorts): Promise<MovementsReply['rows']> {
  const owners = found.flatMap(({ other }) => ('owner' in other && other.owner !== memberId ? [other.owner] : []))
  const people = await membersById(db, [...new Set(owners)])
  const otherOf = (other: WalletMovement['other']): MovementsReply['rows'][number]['other'] => {
    if ('system' in other) return { label: systemAccountLabel(other.system) }
    if (other.owner === memberId) return { label: walletLabel(other.kind), wallet: other.kind }
    return { label: people.get(other.owner)?.email ?? 'Another member' }
  }
  return found.map((row) => {
    const list = ports.transfers[row.kind]?.receipt?.list
    return {
      id: String(row.transferId),
      receipt: list === undefined ? { kind: 'transfer', id: String(row.transferId) } : { kind: list, id: row.cause.id },
      createdAt: row.at,
      group: groupOf(row.kind, ports),
      title: titleOf(ports.transfers, row.kind),
      direction: row.direction,
      wallet: row.wallet,
      other: otherOf(row.other),
      asset: wireAsset(row.asset),
      amount: row.amount,
    }
  })
}
