import type { QueryOf, ReplyOf } from '@tizara/contract'
import { screeningVerdicts } from '@tizara/contract/staff-screening'
import type { staffScreeningHits, staffScreeningLists } from '@tizara/contract/staff-screening'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { memberByPublicId, membersById } from '../../members/index.ts'
import { readScreeningLists } from '../../screening/index.ts'
import { personOf } from '../access/person.ts'

type Hit = ReplyOf<typeof staffScreeningHits>['data'][number]

/** Maximum number that is shown. */
const MAX_COUNTED = 1_000
const kinds = ['name', 'address'] as const
const causes = ['list', 'name', 'address', 'payout'] as const

/** Reads the list in force and the one that waits for two people. */
export async function readLists(db: Db): Promise<ReplyOf<typeof staffScreeningLists>> {
  const { active, staged } = await readScreeningLists(db)
  return {
    ...(active?.activatedAt
      ? { active: { hash: active.hash, entries: active.entries, activatedAt: active.activatedAt, isCompared: active.isCompared } }
      : {}),
    ...(staged === undefined ? {} : { staged: { hash: staged.hash, entries: staged.entries, stagedAt: staged.stagedAt } }),
  }
}

/** Lists matches of members with the list, newest first. */
export async function readHits(
  db: Db,
  { view, member, before, limit = 50 }: QueryOf<typeof staffScreeningHits>,
): Promise<ReplyOf<typeof staffScreeningHits>> {
  let found = db.selectFrom('screening_hit').where(sql<boolean>`coalesce(verdict, 'open') = ${view}`)
  if (member !== undefined) found = found.where('member_id', '=', (await memberByPublicId(db, member))?.id ?? 0n)
  const counted = await db
    .selectFrom(found.select('id').limit(MAX_COUNTED).as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (before !== undefined) found = found.where(sql<boolean>`id < (select id from screening_hit where public_id = ${before})`)
  const rows = await found.selectAll().orderBy('id', 'desc').limit(limit).execute()
  const people = await membersById(
    db,
    rows.map((row) => row.member_id),
  )
  const data = rows.map((row): Hit => ({
    id: row.public_id,
    member: personOf(people.get(row.member_id)),
    kind: oneOf(kinds, row.kind),
    cause: oneOf(causes, row.cause),
    source: row.source,
    reference: row.reference,
    listedName: row.listed_name,
    listedOn: row.listed_on,
    ...(row.kind === 'address' ? { address: row.key } : {}),
    foundAt: row.found_at,
    verdict: screeningVerdicts.find((one) => one === row.verdict) ?? null,
    decidedAt: row.decided_at,
  }))
  return { data, meta: { total: counted.count, page: 1, limit } }
}

/** Returns a column's value, which the database checks, with the type of the reply. */
function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, value: string): Values[number] {
  return values.find((one) => one === value) ?? values[0]
}
