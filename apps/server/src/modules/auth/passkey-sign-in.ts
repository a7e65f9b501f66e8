import { type AuthenticationResponseJSON, generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { PasskeyTable } from '../../platform/db/tables.generated.ts'
import type { Member } from '../members/index.ts'
import { keepChallenge, relyingParty, takeChallenge } from './passkey-challenges.ts'
import { clearTries, oneAtATime, registerTry, type TryBudget } from './sign-in-limit.ts'

/** What the browser answered to which challenge. */
export interface PasskeyAnswer {
  challengeId: string
  credential: object & { id: string }
}

/** What a passkey is shown for: to sign in, or once more in a session. */
export type ShownFor = { purpose: 'sign-in'; sessionId: null } | { purpose: 'show'; sessionId: bigint }
export const SIGN_IN: ShownFor = { purpose: 'sign-in', sessionId: null }

/**
 * What the browser needs to show a passkey of this member, who has shown the password or is signed in.
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
  return { challengeId: await keepChallenge(db, deps, { memberId: member.id, ...shownFor }, options.challenge), options }
}

const userVerification = ({ role }: Pick<Member, 'role'>) => (role === 'MEMBER' ? 'preferred' : 'required')

/**
 * Accepts an answer of one of the member's passkeys in place of a code of the app, once. Wrong ones slow the account down in
 * the same count as wrong codes. A counter that did not move on means that there is a copy of the key: it is refused.
 * @param db the pool: a try counts, and a challenge is used up, whatever comes after it
 * @throws AppError PASSKEY_REFUSED, TOO_MANY_REQUESTS
 */
export async function assertPasskey(
  db: Db,
  deps: Deps,
  member: Member,
  { answer, budget, ...shownFor }: ShownFor & { answer: PasskeyAnswer; budget: TryBudget },
) {
  await oneAtATime(budget, async () => {
    await registerTry(db, budget, deps.clock.now())
    const challenge = await takeChallenge(db, deps, { memberId: member.id, ...shownFor }, answer.challengeId)
    const passkey = await db
      .selectFrom('passkey')
      .selectAll()
      .where('member_id', '=', member.id)
      .where('credential_id', '=', answer.credential.id)
      .executeTakeFirst()
    if (challenge === undefined || passkey === undefined) throw new AppError('PASSKEY_REFUSED')
    await checkAnswer(db, deps, { member, passkey, challenge, response: answer.credential as AuthenticationResponseJSON })
    await clearTries(db, budget)
  })
}

export async function hasPasskey(db: Db, memberId: bigint): Promise<boolean> {
  const one = await db.selectFrom('passkey').select('id').where('member_id', '=', memberId).limit(1).executeTakeFirst()
  return one !== undefined
}

/** Who of some members has a passkey. */
export async function passkeyHolders(db: Db, memberIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const found = await db
    .selectFrom('passkey')
    .select('member_id')
    .distinct()
    .where('member_id', 'in', [...memberIds, 0n])
    .execute()
  return new Set(found.map((row) => row.member_id))
}

/** Whether the passkey that answered is still one of the member's. */
export async function isPasskeyOf(tx: Tx, member: Member, { credential }: PasskeyAnswer): Promise<boolean> {
  const held = tx.selectFrom('passkey').select('id').where('member_id', '=', member.id).where('credential_id', '=', credential.id)
  return (await held.executeTakeFirst()) !== undefined
}

interface Asked {
  member: Member
  passkey: Selectable<PasskeyTable>
  challenge: string
  response: AuthenticationResponseJSON
}

async function checkAnswer(db: Db, deps: Deps, { member, passkey, challenge, response }: Asked): Promise<void> {
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
    deps.log.warn({ passkey: passkey.public_id, why: String(error) }, 'an answer of a passkey was refused')
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
