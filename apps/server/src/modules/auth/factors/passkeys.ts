import { PASSKEYS_MAX } from '@tizara/contract/passkeys'
import { generateRegistrationOptions, type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type Member, memberById } from '../../members/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { startPayoutFreeze } from '../passwords/payout-freeze.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import { saveChallenge, relyingParty, takeChallenge } from './passkey-challenges.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'
import { assertStepUp, type Proof } from './step-up.ts'

/** Ed25519, P-256 and RSA, supported by every platform. */
const ALGORITHMS = [-8, -7, -257]

/** Lists a member's passkeys, oldest first. */
export async function listPasskeys(db: Db, memberId: bigint) {
  const rows = await db.selectFrom('passkey').selectAll().where('member_id', '=', memberId).orderBy('id').execute()
  return rows.map((row) => ({
    id: row.public_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    synced: row.synced,
  }))
}

/** Requires an authenticator app and its code, because the app is the fallback for a lost passkey. */
async function proveByApp(db: Db, deps: Deps, holder: Holder, { otp }: Proof, origin: Origin): Promise<Member> {
  const member = await memberById(db, holder.memberId)
  if (member?.second_factor !== true) throw new AppError('SECOND_FACTOR_OFF')
  await assertStepUp(db, deps, { ...holder, proof: { otp } }, origin)
  return member
}

/**
 * Creates the browser options for a new passkey. Staff keys require user verification.
 * @throws AppError SECOND_FACTOR_OFF, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED, PASSKEYS_FULL, TOO_MANY_REQUESTS
 */
export async function beginPasskey(db: Db, deps: Deps, { proof, ...holder }: Holder & { proof: Proof }, origin: Origin) {
  const member = await proveByApp(db, deps, holder, proof, origin)
  const known = await db.selectFrom('passkey').select(['credential_id']).where('member_id', '=', member.id).execute()
  if (known.length >= PASSKEYS_MAX) throw new AppError('PASSKEYS_FULL')
  const party = relyingParty(deps)
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: member.email,
    userID: new TextEncoder().encode(member.public_id),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map((row) => ({ id: row.credential_id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: member.role === 'MEMBER' ? 'preferred' : 'required' },
  })
  return { challengeId: await saveChallenge(db, deps, { ...holder, purpose: 'add' }, options.challenge), options }
}

/**
 * Adds the passkey begun in this session. Other sessions end, and the member is notified.
 * @throws AppError PASSKEY_REFUSED, PASSKEYS_FULL
 */
export async function addPasskey(
  db: Db,
  deps: Deps,
  { name, challengeId, credential, ...holder }: Holder & { name: string; challengeId: string; credential: object },
  origin: Origin,
): Promise<string> {
  const challenge = await takeChallenge(db, deps, { ...holder, purpose: 'add' }, challengeId)
  const owner = await memberById(db, holder.memberId)
  if (challenge === undefined || owner?.second_factor !== true) throw new AppError('PASSKEY_REFUSED')
  const registration = await readMade(deps, credential as RegistrationResponseJSON, challenge, owner.role !== 'MEMBER')
  return inSession(db, holder, async (tx, member) => {
    const { length } = await tx.selectFrom('passkey').select('id').where('member_id', '=', member.id).execute()
    if (length >= PASSKEYS_MAX) throw new AppError('PASSKEYS_FULL')
    const publicId = deps.ids.publicId()
    const added = await tx
      .insertInto('passkey')
      .values({ ...registration, public_id: publicId, member_id: member.id, name, created_at: deps.clock.now() })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) throw new AppError('PASSKEY_REFUSED')
    await changed(tx, deps, member, origin, { what: 'added', name, keep: holder.sessionId })
    return publicId
  })
}

async function readMade(deps: Deps, response: RegistrationResponseJSON, expectedChallenge: string, requireUserVerification: boolean) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps)
  const expected = { response, expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification, supportedAlgorithmIDs: ALGORITHMS }
  const { verified, registrationInfo: info } = await verifyRegistrationResponse(expected).catch((error: unknown) => {
    deps.log.info({ why: String(error) }, 'a passkey was rejected')
    throw new AppError('PASSKEY_REFUSED')
  })
  if (!verified) throw new AppError('PASSKEY_REFUSED')
  return {
    credential_id: info.credential.id,
    public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: BigInt(info.credential.counter),
    transports: info.credential.transports ?? [],
    may_sync: info.credentialDeviceType === 'multiDevice',
    synced: info.credentialBackedUp,
  }
}

/** @throws AppError NOT_FOUND, and the proof's errors */
export async function renamePasskey(
  db: Db,
  deps: Deps,
  { id, name, proof, ...holder }: Holder & { id: string; name: string; proof: Proof },
  origin: Origin,
): Promise<void> {
  await proveByApp(db, deps, holder, proof, origin)
  await inSession(db, holder, async (tx, member) => {
    const updated = await tx
      .updateTable('passkey')
      .set({ name })
      .where('public_id', '=', id)
      .where('member_id', '=', member.id)
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
    await notifyFactorChange(tx, deps, member, { what: 'passkey-renamed', passkey: name })
    await auditAuth(tx, deps, { action: 'passkey-renamed', member, origin })
  })
}

/**
 * Removes a passkey. Other sessions end, and the member is notified.
 * @throws AppError NOT_FOUND, and the errors of the proof
 */
export async function removePasskey(
  db: Db,
  deps: Deps,
  { id, proof, ...holder }: Holder & { id: string; proof: Proof },
  origin: Origin,
): Promise<void> {
  await proveByApp(db, deps, holder, proof, origin)
  await inSession(db, holder, async (tx, member) => {
    const deleted = await tx
      .deleteFrom('passkey')
      .where('public_id', '=', id)
      .where('member_id', '=', member.id)
      .returning('name')
      .executeTakeFirst()
    if (deleted === undefined) throw new AppError('NOT_FOUND')
    await changed(tx, deps, member, origin, { what: 'removed', name: deleted.name, keep: holder.sessionId })
  })
}

interface PasskeyChange {
  what: 'added' | 'removed'
  name: string
  keep: bigint
}

async function changed(tx: Tx, deps: Deps, member: Member, origin: Origin, { what, name, keep }: PasskeyChange): Promise<void> {
  const now = deps.clock.now()
  await startPayoutFreeze(tx, member.id, 'second-factor', now)
  await revokeSessionsOf(tx, member.id, 'second-factor', now, keep)
  await notifyFactorChange(tx, deps, member, { what: `passkey-${what}`, passkey: name })
  await auditAuth(tx, deps, { action: `passkey-${what}`, member, origin })
}
