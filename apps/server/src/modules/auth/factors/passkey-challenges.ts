import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** Challenge lifetime in ms. */
const LIFE_MS = 5 * 60_000

/** Owner and purpose of a challenge: a sign-in of an account, or a session. A challenge with purpose `show` cannot add a passkey. */
export type ChallengeOwner = { memberId: bigint } & (
  | { purpose: 'sign-in'; sessionId: null }
  | { purpose: 'add' | 'show'; sessionId: bigint }
)

/** Binds passkeys to the platform's public address. */
export function relyingParty({ config }: Pick<Deps, 'config'>): { name: string; id: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl)
  return { name: config.brand.name, id: hostname, origin }
}

/** Saves a challenge until it is answered. */
export async function saveChallenge(db: Db, deps: Deps, owner: ChallengeOwner, challenge: string): Promise<string> {
  const id = deps.ids.publicId()
  const expires = new Date(deps.clock.now().getTime() + LIFE_MS)
  await db
    .insertInto('passkey_challenge')
    .values({
      public_id: id,
      member_id: owner.memberId,
      session_id: owner.sessionId,
      purpose: owner.purpose,
      challenge,
      expires_at: expires,
    })
    .execute()
  return id
}

/**
 * Consumes a challenge, even if the response is then rejected.
 * @returns undefined if this owner has no such challenge, or it expired
 */
export async function takeChallenge(db: Db, deps: Pick<Deps, 'clock'>, owner: ChallengeOwner, id: string): Promise<string | undefined> {
  const used = await db
    .deleteFrom('passkey_challenge')
    .where('public_id', '=', id)
    .where('member_id', '=', owner.memberId)
    .where('purpose', '=', owner.purpose)
    .where('session_id', owner.sessionId === null ? 'is' : '=', owner.sessionId)
    .where('expires_at', '>', deps.clock.now())
    .returning('challenge')
    .executeTakeFirst()
  return used?.challenge
}
