import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Viewer } from '../../http/calls/session-guard.ts'
import type { Db } from '../../platform/db/database.ts'
import { readPage, readPageRange } from '../../platform/db/paging.ts'
import { directCount } from '../members/index.ts'
import type { TeamPorts } from './ports.ts'

/** A special member's direct referral, with their deposits (EN-49). */
interface SpecialReferral {
  name: string
  email: string
  createdAt: Date
  payment: { id: string; payAmountNum: Units; createdAt: Date }[]
  deposit: { id: string; amount: Units; createdAt: Date }[]
}

/** Maximum deposits shown per referral, newest first. */
const MAX_DEPOSITS = 50

/**
 * Lists a special member's direct referrals, newest first, with credited deposits (API-86, API-87, EN-49, UI-RCM-09).
 * These are hosted payments and coin sent to an invoice, each with its USD worth from the deposit request. Other members get an empty list
 * (UI-RCM-11).
 */
export async function lastReferrals(
  db: Db,
  ports: Pick<TeamPorts, 'creditedDeposits'>,
  viewer: Pick<Viewer, 'memberId' | 'isSpecialRcm'>,
  query: ListQuery,
) {
  const pageRange = readPageRange(query)
  const { page, limit, since, before } = pageRange
  if (!viewer.isSpecialRcm) return { data: [], meta: { total: 0, page, limit } }
  let people = db
    .selectFrom('member')
    .where('sponsor_id', '=', viewer.memberId)
    .where(sql<boolean>`is_verified`)
  if (since !== undefined) people = people.where('created_at', '>=', since)
  if (before !== undefined) people = people.where('created_at', '<', before)
  const total =
    since === undefined && before === undefined
      ? await directCount(db, viewer.memberId)
      : (await people.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()).total
  const rows = await readPage(pageRange, total, (order, offset, count) =>
    people.select(['id', 'name', 'email', 'created_at']).orderBy('id', order).limit(count).offset(offset).execute(),
  )
  const deposits = await ports.creditedDeposits(
    db,
    rows.map((row) => row.id),
    MAX_DEPOSITS,
  )
  const data: SpecialReferral[] = rows.map((row) => {
    const memberDeposits = deposits.get(row.id) ?? []
    return {
      name: row.name,
      email: row.email,
      createdAt: row.created_at,
      payment: memberDeposits
        .filter((one) => one.method === 'hosted')
        .map((one) => ({ id: one.id, payAmountNum: one.amount, createdAt: one.createdAt })),
      deposit: memberDeposits
        .filter((one) => one.method === 'chain')
        .map((one) => ({ id: one.id, amount: one.amount, createdAt: one.createdAt })),
    }
  })
  return { data, meta: { total, page, limit } }
}
