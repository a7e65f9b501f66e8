import type { ReplyOf } from '@tizara/contract'
import { type staffTermsOfUse, TERMS_LISTED } from '@tizara/contract/staff-terms-of-use'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Time in ms after which the server checks again whether there are terms. Until then, a sign-up page may lack the checkbox. */
const FOLLOW_MS = 5000

/** Reads the terms of use in force at a moment; undefined before the first version. */
export const termsAt = (db: Db, at: Date) =>
  db
    .selectFrom('terms_of_use')
    .select(['version', 'text', 'link', 'hash', 'starts_at as startsAt'])
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Returns a check whether there are terms to accept, for the page server. The check answers at once with the last reading, and reads again
 * until the first version, because a platform with terms stays one. A failed reading changes nothing.
 */
export function followTerms(db: Db, { clock }: Pick<Deps, 'clock'>): () => boolean {
  let areThere = false
  let readAt = Number.NEGATIVE_INFINITY
  const check = (): boolean => {
    const now = clock.now()
    if (!areThere && now.getTime() - readAt >= FOLLOW_MS) {
      readAt = now.getTime()
      void termsAt(db, now).then(
        (found) => (areThere = found !== undefined),
        () => undefined,
      )
    }
    return areThere
  }
  check()
  return check
}

/** Reads the terms in force, and the newest versions without their texts. */
export async function listTerms(db: Db, now: Date): Promise<ReplyOf<typeof staffTermsOfUse>> {
  const current = await termsAt(db, now)
  const rows = await db
    .selectFrom('terms_of_use')
    .select(['version', 'hash', 'link', 'starts_at as startsAt'])
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .limit(TERMS_LISTED)
    .execute()
  return {
    current: current === undefined ? null : { text: current.text, link: current.link },
    versions: rows.map((row) => ({
      ...row,
      state: row.version === current?.version ? 'in force' : row.startsAt > now ? 'planned' : 'earlier',
    })),
  }
}

/** Reads the newest version that a member accepted; undefined if the member accepted none. */
export const lastAcceptance = (db: Db, memberId: bigint) =>
  db
    .selectFrom('terms_of_use_acceptance')
    .select(['version', 'hash', 'accepted_at as acceptedAt'])
    .where('member_id', '=', memberId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
