import { sql } from 'kysely'
import { rateLimitError } from '../../http/calls/rate-limit.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { EncodedImage } from '../../platform/images/reencode-image.ts'

/** Maximum stored images and bytes per member (ASVS 5.2.4). */
const MAX_IMAGES = 200
const MAX_BYTES = 50 * 1024 * 1024

/**
 * Stores a member's image.
 * @param memberId owner of the quota; the member's row is locked, so that concurrent uploads cannot exceed the quota
 * @returns the image's id
 * @throws AppError TOO_MANY_REQUESTS above the quota
 */
export async function storeImage(tx: Tx, deps: Deps, memberId: bigint, image: EncodedImage): Promise<string> {
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().execute()
  const stored = await tx
    .selectFrom('ticket_image')
    .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(sum(octet_length(bytes)), 0)::int`.as('bytes')])
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  // Images are permanent, so only a staff decision can free space.
  const now = deps.clock.now()
  if (stored.count >= MAX_IMAGES || stored.bytes + image.bytes.length > MAX_BYTES)
    throw rateLimitError(new Date(now.getTime() + DAY_MS), now)
  const id = deps.ids.publicId()
  await tx
    .insertInto('ticket_image')
    .values({ id, member_id: memberId, content_type: image.contentType, bytes: image.bytes, created_at: now })
    .execute()
  return id
}
