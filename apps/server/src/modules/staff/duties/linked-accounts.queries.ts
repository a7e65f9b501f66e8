import type { QueryOf, ReplyOf } from '@tizara/contract'
import { type staffLinkedAccounts, traceVerdicts } from '@tizara/contract/staff-linked-accounts'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { memberByPublicId, membersById } from '../../members/index.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { personOf } from '../access/person.ts'
import { earnedFromBelow } from './trace-earnings.ts'

/** Maximum number that is shown. */
const MAX_COUNTED = 1_000

/** Lists possible self-referrals with the members involved and staff's verdict. */
export async function readLinkedAccounts(db: Db, query: QueryOf<typeof staffLinkedAccounts>): Promise<ReplyOf<typeof staffLinkedAccounts>> {
  const limit = query.limit ?? 50
  let found = db.selectFrom('linked_account').where(sql<boolean>`coalesce(verdict, 'open') = ${query.view}`)
  if (query.before !== undefined) found = found.where('id', '<', BigInt(query.before))
  if (query.member !== undefined) {
    const id = (await memberByPublicId(db, query.member))?.id ?? 0n
    found = found.where((eb) => eb.or([eb('member_id', '=', id), eb('upline_id', '=', id)]))
  }
  const [rows, counts] = await Promise.all([found.selectAll().orderBy('id', 'desc').limit(limit).execute(), countTraces(db)])
  const [people, earned] = await Promise.all([
    membersById(
      db,
      rows.flatMap((row) => [row.member_id, row.upline_id, row.reviewed_by].filter((id) => id !== null)),
    ),
    earnedFromBelow(
      db,
      rows.map((row) => ({ memberId: row.member_id, uplineId: row.upline_id, level: row.level })),
    ),
  ])
  const data = rows.map((row, index) => {
    const verdict = traceVerdicts.find((one) => one === row.verdict)
    return {
      id: String(row.id),
      member: personOf(people.get(row.member_id)),
      upline: personOf(people.get(row.upline_id)),
      level: row.level,
      sameAddress: row.same_address,
      sameDevice: row.same_device,
      samePayoutAddress: row.same_payout_address,
      ...omitUndefined({ earned: earned[index] }),
      times: row.times,
      firstSeenAt: row.first_seen_at,
      lastSeenAt: row.last_seen_at,
      ...(verdict === undefined ? {} : { verdict }),
      ...(row.reviewed_by === null || row.reviewed_at === null
        ? {}
        : { reviewedBy: personOf(people.get(row.reviewed_by)), reviewedAt: row.reviewed_at, reason: row.review_reason ?? '' }),
    }
  })
  return { data, meta: { total: counts[query.view], page: 1, limit }, counts }
}

async function countTraces(db: Db) {
  const count = (view: string) => sql`(select count(*)::int from (
    select from linked_account where coalesce(verdict, 'open') = ${view} limit ${MAX_COUNTED}) counted)`
  const { rows } = await sql<{ open: number; harmless: number; watch: number }>`
    select ${count('open')} as open, ${count('harmless')} as harmless, ${count('watch')} as watch`.execute(db)
  return rows[0] ?? { open: 0, harmless: 0, watch: 0 }
}
