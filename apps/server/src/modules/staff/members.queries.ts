import type { Page, QueryOf } from '@tizara/contract'
import type { staffMember, staffMembers } from '@tizara/contract/staff-members'
import type { InferOutput } from 'valibot'
import { balancesOf } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { readSlice } from '../../platform/paging.ts'
import { countLiveSessions } from '../auth/index.ts'
import { type Member, memberByPublicId, membersById, searchMembers } from '../members/index.ts'
import { branchTotals } from '../team/index.ts'
import { personOf } from './queue-item.ts'

type StaffMember = InferOutput<typeof staffMember>

/** Members by name, e-mail address, phone or referral code, newest first. */
export async function findMembers(db: Db, query: QueryOf<typeof staffMembers>): Promise<Page<StaffMember>> {
  const slice = readSlice(query)
  const { rows, total } = await searchMembers(db, query.q ?? '', slice)
  return { data: await describe(db, rows), meta: { total, page: slice.page, limit: slice.limit } }
}

/**
 * One member with balances, live sessions and the team's stake.
 * @throws AppError NOT_FOUND
 */
export async function memberDetail(db: Db, deps: Pick<Deps, 'clock'>, id: string) {
  const found = await memberByPublicId(db, id)
  const [member] = found === undefined ? [] : await describe(db, [found])
  if (found === undefined || member === undefined) throw new AppError('NOT_FOUND')
  const [balances, sessions, totals] = await Promise.all([
    balancesOf(db, found.id),
    countLiveSessions(db, found.id, deps.clock.now()),
    branchTotals(db, [found.id]),
  ])
  return { member, balances, sessions, teamStake: totals.get(found.id)?.stake ?? 0n }
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
    phone: row.phone,
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
