import { listQuery, type Page, type QueryOf } from '@tizara/contract'
import { changeSubjects, type changeRow, type staffChanges } from '@tizara/contract/staff-changes'
import { sql } from 'kysely'
import * as v from 'valibot'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { readSlice } from '../../platform/paging.ts'
import { membersById } from '../members/index.ts'
import { listCatalogue } from '../nfts/index.ts'
import { listPlans } from '../staking/index.ts'
import { currentBound } from './current-bound.ts'
import { coverValues, operatorSettings, popupValues, programmeValues } from './change-subjects.ts'

type ChangeRow = v.InferOutput<typeof changeRow>

const STATUSES = ['PENDING', 'APPROVED', 'REFUSED'] as const

/** Proposed changes, newest first. */
export async function listChanges(db: Db, viewerId: bigint, query: QueryOf<typeof staffChanges>): Promise<Page<ChangeRow>> {
  const { page, limit, offset, since, before } = readSlice(query)
  let found = db.selectFrom('staff_change')
  if (query.status !== undefined) found = found.where('status', '=', query.status)
  if (since !== undefined) found = found.where('created_at', '>=', since)
  if (before !== undefined) found = found.where('created_at', '<', before)
  const rows = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const people = await membersById(
    db,
    rows.flatMap((row) => [row.proposed_by, row.decided_by].filter((id) => id !== null)),
  )
  const data = rows.map((row) => ({
    id: row.public_id,
    subject: changeSubjects.find((subject) => subject === row.subject) ?? 'settings',
    value: row.value,
    before: row.base,
    reason: row.reason,
    status: STATUSES.find((status) => status === row.status) ?? 'PENDING',
    proposedBy: people.get(row.proposed_by)?.email ?? '',
    mine: row.proposed_by === viewerId,
    decidedBy: row.decided_by === null ? null : (people.get(row.decided_by)?.email ?? ''),
    decisionReason: row.decision_reason,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
  }))
  return { data, meta: { total, page, limit } }
}

/** Everything that can be changed, as it holds now. */
export async function readCatalogue(db: Db, deps: Pick<Deps, 'clock' | 'config'>) {
  const [operator, programme, cover, popup, plans, nfts, bound] = await Promise.all([
    operatorSettings(db, deps),
    programmeValues(db, deps.clock.now()),
    coverValues(db),
    popupValues(db),
    listPlans(db, deps.clock.now(), { ...v.parse(listQuery, {}), status: undefined }),
    listCatalogue(db),
    currentBound(db, deps.clock.now()),
  ])
  return {
    version: `${operator.version}.${programme.version}`,
    coinPrice: operator.coinPrice,
    settings: operator.settings,
    limits: operator.limits,
    bound,
    programme: programme.rules,
    cover,
    popup,
    plans: plans.data.map((plan) => ({ ...plan, status: plan.status === 'ACTIVE' ? 'ACTIVE' : 'INACTIVE' })),
    nfts,
  }
}
