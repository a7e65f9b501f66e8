import type { Page, QueryOf, ReplyOf } from '@tizara/contract'
import type { staffMember, staffMemberDetail, staffMembers } from '@tizara/contract/staff-members'
import { type Units, ONE } from '@tizara/money'
import { sql } from 'kysely'
import type { InferOutput } from 'valibot'
import { balancesOf } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { countLiveSessions, timeZoneOf } from '../../auth/index.ts'
import { membersOfTransaction } from '../../deposits/index.ts'
import { listCounters } from '../../histories/index.ts'
import { maskedPhone, type Member, memberByPublicId, membersById, searchMembers } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { branchTotals } from '../../team/index.ts'
import { membersOfPayout } from '../../withdrawals/index.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { flagsOf } from './member-flags.ts'
import { openItemsOf } from '../requests/open-items.ts'
import { reversiblePurchases } from './purchases.queries.ts'
import { assertSegment, countSegment, isSegment, readSegment, type Segment } from '../segments/segment.queries.ts'
import { openCaseOf } from './cases.queries.ts'
import { lastAcceptance, termsAt } from '../../terms-of-use/index.ts'
import { personOf } from '../access/person.ts'

type StaffMember = InferOutput<typeof staffMember>

const PAGE = 50

/** Number of members that a page of a segment reads. */
const SEGMENT_SCAN = 10_000

/**
 * Searches members by email, name, address or transaction, or filters them by a segment, newest first.
 * @throws AppError INVALID_INPUT for contradictory criteria
 */
export async function findMembers(db: Db, { clock }: Pick<Deps, 'clock'>, query: QueryOf<typeof staffMembers>): Promise<Page<StaffMember>> {
  assertSegment(query)
  const limit = Math.min(query.limit ?? PAGE, 200)
  const text = query.q ?? ''
  const before = query.before === undefined ? undefined : ((await memberByPublicId(db, query.before))?.id ?? 0n)
  if (isSegment(query)) return pageOfSegment(db, query, { now: clock.now(), before, limit })
  const { rows, total } = await searchMembers(db, { text, state: query.state, ids: await ownersBy(db, text), before, limit })
  return { data: await describe(db, rows), meta: { total, page: 1, limit } }
}

async function pageOfSegment(
  db: Db,
  query: Segment,
  { now, before, limit }: { now: Date; before: bigint | undefined; limit: number },
): Promise<Page<StaffMember>> {
  const [{ rows }, total] = await Promise.all([
    readSegment(db, query, { now, before, limit, scan: SEGMENT_SCAN }),
    countSegment(db, query, { now, scan: SEGMENT_SCAN }),
  ])
  const members = await membersById(
    db,
    rows.map(({ id }) => id),
  )
  const described = await describe(
    db,
    rows.flatMap(({ id }) => members.get(id) ?? []),
  )
  const figures = new Map(rows.map(({ id, ...one }) => [members.get(id)?.public_id, one]))
  return { data: described.map((row) => ({ ...row, segment: figures.get(row.id) })), meta: { total, page: 1, limit } }
}

/** Returns true for a chain address or transaction hash. */
const isAddress = (text: string): boolean => /^(0x[0-9a-f]{40}|0x[0-9a-f]{64}|T[1-9A-HJ-NP-Za-km-z]{33}|[0-9a-f]{64})$/i.test(text.trim())

const ownersBy = async (db: Db, text: string) => (isAddress(text) ? await ownersOf(db, text.trim()) : undefined)

/** Maximum matches read before the newest are chosen. */
const MAX_READ = 500

/** Finds a few members that match a text. */
export const findByText = async (db: Db, text: string, limit: number): Promise<Member[]> =>
  (await searchMembers(db, { text, ids: await ownersBy(db, text), limit, max: MAX_READ })).rows

async function ownersOf(db: Db, text: string): Promise<bigint[]> {
  const [paid, received] = await Promise.all([membersOfPayout(db, text), membersOfTransaction(db, text)])
  return [...paid, ...received]
}

/**
 * Reads one member: balances, warnings, open items and list totals.
 * @throws AppError NOT_FOUND
 */
export async function memberDetail(db: Db, deps: Pick<Deps, 'clock'>, id: string): Promise<ReplyOf<typeof staffMemberDetail>> {
  const found = await memberByPublicId(db, id)
  const [member] = found === undefined ? [] : await describe(db, [found])
  if (found === undefined || member === undefined) throw new AppError('NOT_FOUND')
  const now = deps.clock.now()
  const [balances, sessions, totals, { coinPrice }, held, flags, openItems, counts, openedCase, timeZone, reversible, accepted, terms] =
    await Promise.all([
      balancesOf(db, found.id),
      countLiveSessions(db, found.id, now),
      branchTotals(db, [found.id]),
      currentSettings(db, now),
      heldOf(db, found.id),
      flagsOf(db, found, now),
      openItemsOf(db, found, now),
      countsOf(db, found.id),
      openCaseOf(db, found.id),
      timeZoneOf(db, found.id),
      reversiblePurchases(db, found.id, now),
      lastAcceptance(db, found.id),
      termsAt(db, now),
    ])
  const usd = balances.depositWallet + balances.nftWallet + held.usd
  const coin = balances.nativeWallet + balances.icoWallet + balances.newIcoWallet + balances.stakeWallet + balances.rcmWallet + held.coin
  return {
    member: { ...member, secondFactor: found.second_factor, isStaff: found.role !== 'MEMBER', ...omitUndefined({ timeZone }) },
    balances,
    sessions,
    teamStake: totals.get(found.id)?.stake ?? 0n,
    held,
    worthUsd: usd + (coin * coinPrice) / ONE,
    coinPrice,
    flags,
    counts: { ...counts, team: member.referralCount, sessions },
    openItems,
    ...omitUndefined({
      case: openedCase,
      reversible,
      terms: accepted === undefined ? undefined : { ...accepted, isInForce: accepted.version === terms?.version },
    }),
  }
}

/** Returns the sums held for pending payouts, per asset. */
async function heldOf(db: Db, memberId: bigint): Promise<{ usd: Units; coin: Units }> {
  const [withdrawals, bridges] = await Promise.all([listCounters(db, memberId, 'withdrawal'), listCounters(db, memberId, 'bridge')])
  return { usd: withdrawals.buckets['PENDING']?.sum ?? 0n, coin: bridges.buckets['PENDING']?.sum ?? 0n }
}

async function countsOf(db: Db, memberId: bigint) {
  const [bought, stakes, logs, nfts, tickets, notes] = await Promise.all([
    listCounters(db, memberId, 'buy-token'),
    listCounters(db, memberId, 'stake'),
    listCounters(db, memberId, 'stake-log'),
    listCounters(db, memberId, 'nft-purchase'),
    listCounters(db, memberId, 'ticket'),
    sql<{
      count: number
    }>`select count(*)::int as count from (select from staff_note where member_id = ${memberId} limit 1000) counted`.execute(db),
  ])
  return {
    purchases: bought.total + stakes.total + logs.total + nfts.total,
    tickets: tickets.total,
    notes: notes.rows[0]?.count ?? 0,
  }
}

async function describe(db: Db, rows: readonly Member[]): Promise<StaffMember[]> {
  const sponsors = rows.map((row) => row.sponsor_id).filter((id) => id !== null)
  const [totals, people] = await Promise.all([
    branchTotals(
      db,
      rows.map((row) => row.id),
    ),
    membersById(db, sponsors),
  ])
  return rows.map((row) => ({
    ...personOf(row),
    phone: maskedPhone(row.phone),
    status: row.is_active,
    isVerified: row.is_verified,
    isActive: row.is_active,
    isSpecialRcm: row.is_special_rcm,
    rank: row.rank,
    myReferralCode: row.referral_code,
    sponsor: row.sponsor_id === null ? null : personOf(people.get(row.sponsor_id)),
    referralCount: totals.get(row.id)?.people ?? 0,
    createdAt: row.created_at,
  }))
}
