import { AppError } from '../../../platform/runtime/app-error.ts'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { memberByEmail } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'

/**
 * Recognizes a member's devices by a random cookie. The User-Agent header only names a device on screens
 * (docs/decisions/0037-devices-by-cookie.md).
 */

/**
 * Maximum number of devices per account. A further device replaces one that is not trusted yet, or else one that never returned, or else the
 * one unused for the longest time. So a thief cannot push out the owner's devices before the owner had time to react to the mails.
 */
const MAX_DEVICES = 100

/** Device of a session. */
export interface Device {
  id: bigint
  isNew: boolean
  /** Token for the cookie; undefined if the device has a token already. */
  token: string | undefined
}

/**
 * Finds the device of a sign-in, or adds a device. A new device always gets a new token. Otherwise an attacker could put a cookie into a
 * browser and use its token later.
 * @param tx a transaction that locks the member
 * @param input `tokens` are the cookie's tokens; with `provedAddress` (mailed code or link) the device is trusted at once
 */
export async function recordDevice(
  tx: Tx,
  deps: Deps,
  { memberId, tokens, provedAddress }: { memberId: bigint; tokens: readonly string[]; provedAddress: boolean },
): Promise<Device> {
  const now = deps.clock.now()
  const known = await findDevice(tx, memberId, tokens)
  if (known !== undefined) {
    const trust = provedAddress && known.trusted_from > now ? { trusted_from: now } : {}
    await tx
      .updateTable('known_device')
      .set({ last_seen_at: now, returned: true, ...trust })
      .where('id', '=', known.id)
      .execute()
    return { id: known.id, isNew: false, token: undefined }
  }
  await deleteSurplus(tx, memberId, now)
  const token = deps.ids.secret()
  const trustedFrom = provedAddress ? now : new Date(now.getTime() + (await currentSettings(tx, now)).payoutHoldHours * HOUR_MS)
  const { id } = await tx
    .insertInto('known_device')
    .values({ member_id: memberId, token_digest: digest(token), created_at: now, last_seen_at: now, trusted_from: trustedFrom })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, isNew: true, token }
}

/** Returns the account's device with one of these tokens. */
function findDevice(db: Db, memberId: bigint, tokens: readonly string[]) {
  return db
    .selectFrom('known_device')
    .select(['id', 'trusted_from'])
    .where('member_id', '=', memberId)
    .where('token_digest', 'in', [...tokens.map(digest), ''])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the id of the account's device with one of these tokens.
 * @param tokens the tokens of the cookie; tokens of other accounts are ignored
 */
export async function knownDevice(db: Db, email: string, tokens: readonly string[]): Promise<bigint | undefined> {
  if (tokens.length === 0) return undefined
  const member = await memberByEmail(db, email)
  return member === undefined ? undefined : (await findDevice(db, member.id, tokens))?.id
}

async function deleteSurplus(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const surplus = tx
    .selectFrom('known_device')
    .select('id')
    .where('member_id', '=', memberId)
    .orderBy((eb) => eb('trusted_from', '<=', now), 'desc')
    .orderBy('returned', 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_DEVICES - 1)
  await tx.deleteFrom('known_device').where('id', 'in', surplus).execute()
}

/**
 * Requires a trusted device for the session. On another device the password does not prove the member, because a thief with the password
 * can sign in there.
 * @throws AppError DEVICE_NOT_TRUSTED until the payout freeze after the device's first sign-in is over
 */
export async function assertTrustedDevice(db: Db, { clock }: Pick<Deps, 'clock'>, sessionId: bigint): Promise<void> {
  const device = await db
    .selectFrom('session')
    .innerJoin('known_device', 'known_device.id', 'session.device_id')
    .select('known_device.trusted_from')
    .where('session.id', '=', sessionId)
    .executeTakeFirst()
  if (device === undefined || device.trusted_from > clock.now()) throw new AppError('DEVICE_NOT_TRUSTED')
}

/** Returns true if one of these tokens belongs to a trusted device of the account. */
export async function isTrustedDevice(db: Db, memberId: bigint, tokens: readonly string[], now: Date): Promise<boolean> {
  const device = tokens.length === 0 ? undefined : await findDevice(db, memberId, tokens)
  return device !== undefined && device.trusted_from <= now
}

/** Forgets all devices of an account after its owner reported an attacker. */
export async function deleteDevices(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('known_device').where('member_id', '=', memberId).execute()
}
