import { sql } from 'kysely'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns transfer id bounds for a time range, from the day marks around it.
 * A tolerance of one day allows for server clock differences, so callers compare times too.
 */
export async function idsOfTime(
  db: Db,
  since: Date | undefined,
  until: Date | undefined,
): Promise<{ afterId: bigint | undefined; upToId: bigint | undefined }> {
  const { rows } = await sql<{ after: bigint | null; up_to: bigint | null }>`
    select (select last_transfer_id from wallet_day where day < (${since ?? null}::timestamptz - interval '1 day')::date order by day desc limit 1) as after,
      (select last_transfer_id from wallet_day where marked_at > ${until === undefined ? null : new Date(until.getTime() + DAY_MS)}::timestamptz order by day limit 1) as up_to`.execute(
    db,
  )
  return { afterId: rows[0]?.after ?? undefined, upToId: rows[0]?.up_to ?? undefined }
}
