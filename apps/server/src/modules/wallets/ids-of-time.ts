import { sql } from 'kysely'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns bounds of transfer ids for a time range, from the stored last id of each day. The bounds include one more day on each side,
 * because server clocks can differ. Callers must therefore compare times too.
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
