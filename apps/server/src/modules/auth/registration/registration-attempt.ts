import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { openAccounts } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import {
  addMember,
  isUnfinished,
  lockMembersByEmail,
  lockUnfinished,
  type Member,
  memberByEmail,
  releaseRegistrations,
  ownedAddresses,
} from '../../members/index.ts'
import { REGISTRATIONS_PER_DAY, CODES_WINDOW_MS, endsAt } from '../auth.rules.ts'
import { voidVerification } from '../codes.ts'
import { revokeSessionsOf } from '../sessions/sessions.ts'

/** Registration for an address that an unfinished registration holds. */
interface NewAttempt {
  name: string
  email: string
  phone: string
  passwordHash: string
  sponsorId: bigint | null
  language?: string | null | undefined
}

/** Saves the registration and mails the link that completes it. Does nothing after ten registrations per day and address. */
export async function recordAttempt(tx: Tx, deps: Deps, input: NewAttempt): Promise<void> {
  const now = deps.clock.now()
  const recent = await tx
    .selectFrom('registration_attempt')
    .select('id')
    .where('email', '=', input.email)
    .where('created_at', '>', new Date(now.getTime() - CODES_WINDOW_MS))
    .execute()
  const holder = await memberByEmail(tx, input.email)
  if (recent.length >= REGISTRATIONS_PER_DAY || holder === undefined || !isUnfinished(holder)) return
  const token = deps.ids.secret()
  const expires = endsAt.verifyLink(deps.config, now)
  await tx
    .insertInto('registration_attempt')
    .values({
      email: input.email,
      name: input.name,
      phone: input.phone,
      password_hash: input.passwordHash,
      sponsor_id: input.sponsorId,
      language: input.language ?? null,
      token_digest: digest(token),
      created_at: now,
      expires_at: expires,
    })
    .execute()
  await enqueueMail(tx, deps, {
    to: input.email,
    language: input.language ?? null,
    template: 'anotherRegistration',
    data: { token },
    notAfter: expires,
  })
}

/**
 * Opens the account of a saved registration, in place of the unfinished account with the same address.
 * @returns the new member, verified, or undefined if the link is unknown, used or expired, or the address is taken
 */
export async function useAttempt(tx: Tx, deps: Deps, token: string): Promise<Member | undefined> {
  const now = deps.clock.now()
  const found = await tx.selectFrom('registration_attempt').select('email').where('token_digest', '=', digest(token)).executeTakeFirst()
  if (found === undefined) return undefined
  // Locks the member first, like all callers, to avoid a deadlock.
  const holders = await lockMembersByEmail(tx, [found.email])
  if (!holders.every(isUnfinished)) return undefined
  const used = await tx
    .deleteFrom('registration_attempt')
    .where('token_digest', '=', digest(token))
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (used === undefined) return undefined
  await releaseUnfinished(tx, deps, holders)
  const { name, email, phone, language } = used
  const person = { name, email, phone, language, passwordHash: used.password_hash, sponsorId: used.sponsor_id }
  const added = await addMember(tx, deps, { ...person, isVerified: true, passwordProved: false })
  if (added === undefined) return undefined
  await openAccounts(tx, added.id)
  return added
}

/** Ends unfinished registrations with their sessions, codes and links, and makes their addresses available. */
export async function releaseUnfinished(tx: Tx, deps: Pick<Deps, 'clock'>, holders: readonly Member[]): Promise<void> {
  if (holders.length === 0) return
  const now = deps.clock.now()
  const ids = holders.map(({ id }) => id)
  await voidVerification(tx, ids, now)
  await revokeSessionsOf(tx, ids, 'released', now)
  await releaseRegistrations(tx, ids, now)
}

/**
 * Makes the addresses available that only unfinished registrations have.
 * @returns the addresses that accounts keep
 */
export async function releaseAddresses(tx: Tx, deps: Pick<Deps, 'clock'>, emails: readonly string[]): Promise<Set<string>> {
  await releaseUnfinished(tx, deps, await lockUnfinished(tx, emails))
  return ownedAddresses(tx, emails)
}

/** Deletes the registrations that lost an address. */
export async function deleteAttempts(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('registration_attempt').where('email', '=', email).execute()
}
