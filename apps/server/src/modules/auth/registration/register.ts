import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { openAccounts } from '../../../ledger/index.ts'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  addMember,
  hasOwner,
  isUnfinished,
  lockMember,
  type Member,
  memberByEmail,
  memberByReferralCode,
  type NewMember,
} from '../../members/index.ts'
import { hasSetupEnded } from '../../settings/index.ts'
import { assertEmailDomain } from './allowed-domain.ts'
import { auditAuth } from '../audit-auth.ts'
import { mailVerification } from '../codes.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { assertPassword } from '../passwords/password.rules.ts'
import { recordAttempt, releaseUnfinished } from './registration-attempt.ts'
import { openSession, type OpenedSession, type Origin } from '../sessions/sessions.ts'

/** Registration form (EN-06). */
export interface Registration {
  name: string
  /** Normalised to lower case. */
  email: string
  /** International format. */
  phone: string
  password: string
  referralCode?: string | undefined
  /** Language of the request; undefined for English. */
  language?: string | undefined
}

/** Registration that passed all checks. */
type Attempt = Omit<Registration, 'password'> & { passwordHash: string }

/**
 * Opens an account with empty wallets below the sponsor, and mails a code and a link. The new member is signed in but not verified (GN-05
 * to GN-09, API-25).
 * @param db the pool: hashing runs outside the transaction
 * @throws AppError REGISTRATION_CLOSED before the end of the initial setup, except in the sandbox; EMAIL_DOMAIN_REFUSED, PHONE_REFUSED,
 * PASSWORD_TOO_COMMON, REFERRAL_UNKNOWN, EMAIL_TAKEN
 */
export async function register(db: Db, deps: Deps, input: Registration, origin: Origin): Promise<OpenedSession> {
  if (!deps.config.sandbox && !(await hasSetupEnded(db))) throw new AppError('REGISTRATION_CLOSED')
  await assertEmailDomain(db, deps, input.email)
  const phone = parsePhoneNumberFromString(input.phone)
  if (phone === undefined || !phone.isValid()) throw new AppError('PHONE_REFUSED')
  assertPassword(input.password, deps.config, input)
  if (await hasOwner(db, input.email)) throw new AppError('EMAIL_TAKEN')
  if (input.referralCode !== undefined && (await memberByReferralCode(db, input.referralCode)) === undefined) {
    throw new AppError('REFERRAL_UNKNOWN')
  }
  const passwordHash = await hashPassword(input.password, callerNetwork(origin.ip))
  const session = await inTransaction(db, (tx) => open(tx, deps, { ...input, phone: phone.number, passwordHash }, origin))
  if (session === undefined) throw new AppError('EMAIL_TAKEN')
  return session
}

/**
 * Adds the member. If an unfinished registration that has not expired holds the address, the address gets a mail instead. The mail's link
 * completes this registration.
 * @returns undefined if the address is held
 */
async function open(tx: Tx, deps: Deps, input: Attempt, origin: Origin): Promise<OpenedSession | undefined> {
  const sponsor = input.referralCode === undefined ? undefined : await memberByReferralCode(tx, input.referralCode)
  const member = await addOrReplace(tx, deps, { ...input, sponsorId: sponsor?.id ?? null, passwordProved: false })
  if (member === undefined) {
    await recordAttempt(tx, deps, { ...input, sponsorId: sponsor?.id ?? null })
    await auditAuth(tx, deps, { action: 'register', origin, outcome: 'EMAIL_TAKEN' })
    return undefined
  }
  await openAccounts(tx, member.id)
  await mailVerification(tx, deps, member, 'register')
  const session = await openSession(tx, deps, member, origin)
  await auditAuth(tx, deps, { action: 'register', member, origin })
  return session
}

async function addOrReplace(tx: Tx, deps: Deps, input: NewMember): Promise<Member | undefined> {
  const added = await addMember(tx, deps, input)
  if (added !== undefined) return added
  const held = await memberByEmail(tx, input.email)
  if (held === undefined) return undefined
  const holder = await lockMember(tx, held.id)
  if (holder.email !== input.email || !(await isAbandoned(tx, deps, holder))) return undefined
  await releaseUnfinished(tx, deps, [holder])
  return addMember(tx, deps, input)
}

/**
 * Returns true if a registration is unfinished and its last link has expired. The expired link asks the visitor to sign up again (ER-52),
 * so the address must be free.
 */
async function isAbandoned(db: Db, deps: Deps, member: Member): Promise<boolean> {
  if (!isUnfinished(member) || member.role !== 'MEMBER') return false
  const last = await db
    .selectFrom('mail_link')
    .select('expires_at')
    .where('member_id', '=', member.id)
    .where('purpose', '=', 'verify')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last !== undefined && last.expires_at <= deps.clock.now()
}
