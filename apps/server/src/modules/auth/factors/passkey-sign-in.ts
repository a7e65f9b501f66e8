import { type AuthenticationResponseJSON, generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { PasskeyTable } from '../../../platform/db/tables.generated.ts'
import type { Member } from '../../members/index.ts'
import { saveChallenge, relyingParty, takeChallenge } from './passkey-challenges.ts'
import { clearAttempts, oneAtATime, registerAttempt, type AttemptBudget } from '../sign-in-limit.ts'

/** Browser's response to a passkey challenge. */
export interface PasskeyAnswer {
  challengeId: string
  credential: object & { id: string }
}

/** Purpose of a passkey proof: a sign-in, or a step-up within a session. */
export type ShownFor = { purpose: 'sign-in'; sessionId: null } | { purpose: 'show'; sessionId: bigint }
export const SIGN_IN: ShownFor = { purpose: 'sign-in', sessionId: null }

/**
 * Creates passkey options for a member who gave the password or is signed in.
 * @throws AppError NO_PASSKEY
 */
export async function challengePasskeys(db: Db, deps: Deps, member: Member, shownFor: ShownFor) {
  const known = await db.selectFrom('passkey').select('credential_id').where('member_id', '=', member.id).execute()
  if (!member.second_factor || known.length === 0) throw new AppError('NO_PASSKEY')
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps).id,
    allowCredentials: known.map((row) => ({ id: row.credential_id })),
    userVerification: userVerification(member),
  })
  return { challengeId: await saveChallenge(db, deps, { memberId: member.id, ...shownFor }, options.challenge), options }
}

const userVerification = ({ role }: Pick<Member, 'role'>) => (role === 'MEMBER' ? 'preferred' : 'required')

/**
 * Accepts one passkey instead of an app code, once. Failures count together with wrong codes. A counter that has not grown shows a copied
 * key and is rejected.
 * @param db the pool: the attempt and the used challenge are committed in any case
 * @throws AppError PASSKEY_REFUSED, TOO_MANY_REQUESTS
 */
export async function assertPasskey(
  db: Db,
  deps: Deps,
  member: Member,
  { answer, budget, ...shownFor }: ShownFor & { answer: PasskeyAnswer; budget: AttemptBudget },
) {
  await oneAtATime(budget, async () => {
    await registerAttempt(db, budget, deps.clock.now())
    const challenge = await takeChallenge(db, deps, { memberId: member.id, ...shownFor }, answer.challengeId)
    const passkey = await db
      .selectFrom('passkey')
      .selectAll()
      .where('member_id', '=', member.id)
      .where('credential_id', '=', answer.credential.id)
      .executeTakeFirst()
    if (challenge === undefined || passkey === undefined) throw new AppError('PASSKEY_REFUSED')
    await checkAnswer(db, deps, { member, passkey, challenge, response: answer.credential as AuthenticationResponseJSON })
    await clearAttempts(db, budget)
  })
}

export async function hasPasskey(db: Db, memberId: bigint): Promise<boolean> {
  const one = await db.selectFrom('passkey').select('id').where('member_id', '=', memberId).limit(1).executeTakeFirst()
  return one !== undefined
}

/** Returns those members who have a passkey. */
export async function passkeyHolders(db: Db, memberIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const found = await db
    .selectFrom('passkey')
    .select('member_id')
    .distinct()
    .where('member_id', 'in', [...memberIds, 0n])
    .execute()
  return new Set(found.map((row) => row.member_id))
}

/** Returns true if the member still has the passkey that answered. */
export async function isPasskeyOf(tx: Tx, member: Member, { credential }: PasskeyAnswer): Promise<boolean> {
  const held = tx.selectFrom('passkey').select('id').where('member_id', '=', member.id).where('credential_id', '=', credential.id)
  return (await held.executeTakeFirst()) !== undefined
}

interface ChallengeRequest {
  member: Member
  passkey: Selectable<PasskeyTable>
  challenge: string
  response: AuthenticationResponseJSON
}

async function checkAnswer(db: Db, deps: Deps, { member, passkey, challenge, response }: ChallengeRequest): Promise<void> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps)
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: userVerification(member) === 'required',
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: Number(passkey.counter),
    },
  }).catch((error: unknown) => {
    deps.log.warn({ passkey: passkey.public_id, why: String(error) }, 'a passkey response was rejected')
    throw new AppError('PASSKEY_REFUSED')
  })
  if (!verified || (info.credentialDeviceType === 'multiDevice') !== passkey.may_sync) throw new AppError('PASSKEY_REFUSED')
  const moved = await db
    .updateTable('passkey')
    .set({ counter: BigInt(info.newCounter), synced: info.credentialBackedUp, last_used_at: deps.clock.now() })
    .where('id', '=', passkey.id)
    .where('counter', '=', passkey.counter)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) throw new AppError('PASSKEY_REFUSED')
}
