import { enqueueMail, mailTime } from '../../gateways/mailer/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { lockMember, type Member, memberByEmail, renewPasswordHash } from '../members/index.ts'
import { auditAuth } from './audit-auth.ts'
import { restPayouts } from './hold-payouts.ts'
import { hashPassword, isOutdated, passwordMatches } from './password-hash.ts'
import { assertPasskey, challengePasskeys, isPasskeyOf, type PasskeyAnswer, SIGN_IN } from './passkey-sign-in.ts'
import { assertSecondFactor } from './second-factor.ts'
import { openSession, type OpenedSession, type Origin } from './sessions.ts'
import { clearTries, oneAtATime, registerTry, signInBudget, signInFactorBudget } from './sign-in-limit.ts'

/** Sign-in form (EN-01). */
export interface Credentials {
  /** Normalised to lower case. */
  email: string
  password: string
  /** Authenticator app code. */
  otp?: string | undefined
  /** Passkey response, in place of the code. */
  passkey?: PasskeyAnswer | undefined
}

/**
 * Creates a sign-in challenge for a passkey after checking the password. Wrong passwords count as on every sign-in.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, NO_PASSKEY, TOO_MANY_REQUESTS
 */
export function beginPasskeySignIn(db: Db, deps: Deps, input: Credentials, origin: Origin) {
  return oneAtATime(signInBudget(input.email, origin), async () => {
    const member = await memberByEmail(db, input.email)
    try {
      const known = await assertPassword(db, deps, member, input, origin)
      return await challengePasskeys(db, deps, known, SIGN_IN)
    } catch (error) {
      if (error instanceof AppError && error.statusCode < 500 && error.code !== 'TOO_MANY_REQUESTS') {
        await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'passkey-challenge', member, origin, outcome: error.code }))
      }
      throw error
    }
  })
}

/** Session with the member's status for the sign-in response. */
export interface SignedIn extends OpenedSession {
  isVerified: boolean
}

/**
 * Signs in by address and password, and by a second factor if one is set up (API-18, API-19). An unknown address takes as long as a wrong
 * password and gets the same response.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED, TOO_MANY_REQUESTS
 */
export function signIn(db: Db, deps: Deps, input: Credentials, origin: Origin): Promise<SignedIn> {
  return oneAtATime(signInBudget(input.email, origin), async () => {
    const member = await memberByEmail(db, input.email)
    try {
      const known = await assertCredentials(db, deps, member, input, origin)
      const renewedHash = isOutdated(known.password_hash) ? await hashPassword(input.password) : undefined
      return await inTransaction(db, async (tx) => {
        await assertStillHolds(tx, known, input.passkey)
        return admit(tx, deps, known, origin, renewedHash)
      })
    } catch (error) {
      if (error instanceof AppError && error.statusCode < 500 && error.code !== 'TOO_MANY_REQUESTS') {
        await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'login', member, origin, outcome: error.code }))
      }
      throw error
    }
  })
}

/**
 * Checks a password. A correct one clears its budget; the second factor has a separate one.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, TOO_MANY_REQUESTS, BUSY
 */
async function assertPassword(
  db: Db,
  deps: Deps,
  member: Member | undefined,
  { email, password }: Credentials,
  origin: Origin,
): Promise<Member> {
  const budget = signInBudget(email, origin)
  const right = await passwordMatches(member?.password_hash, password, () => registerTry(db, budget, deps.clock.now()))
  if (!right || member === undefined) throw new AppError('LOGIN_REFUSED')
  await clearTries(db, budget)
  if (!member.is_active) throw new AppError('ACCOUNT_BLOCKED')
  return member
}

async function assertCredentials(db: Db, deps: Deps, found: Member | undefined, input: Credentials, origin: Origin): Promise<Member> {
  const member = await assertPassword(db, deps, found, input, origin)
  const budget = signInFactorBudget(member.email)
  if (input.passkey !== undefined) {
    if (!member.second_factor) throw new AppError('PASSKEY_REFUSED')
    await assertPasskey(db, deps, member, { ...SIGN_IN, answer: input.passkey, budget })
  } else if (member.second_factor) {
    if (input.otp === undefined) throw new AppError('SECOND_FACTOR_REQUIRED')
    await assertSecondFactor(db, deps, member, input.otp, budget)
  }
  return member
}

/** Checks the credentials again under the lock, because the password or factor may have changed during the comparison. */
async function assertStillHolds(tx: Tx, shown: Member, passkey: PasskeyAnswer | undefined): Promise<void> {
  const member = await lockMember(tx, shown.id)
  if (!member.is_active) throw new AppError('ACCOUNT_BLOCKED')
  const same = member.password_hash === shown.password_hash && member.second_factor === shown.second_factor
  if (!same || (passkey !== undefined && !(await isPasskeyOf(tx, member, passkey)))) throw new AppError('LOGIN_REFUSED')
}

async function admit(tx: Tx, deps: Deps, member: Member, origin: Origin, renewedHash: string | undefined): Promise<SignedIn> {
  const now = deps.clock.now()
  const session = await openSession(tx, deps, member, origin, { secondFactor: member.second_factor })
  if (renewedHash !== undefined) await renewPasswordHash(tx, { id: member.id, passwordHash: renewedHash, at: now })
  if (session.isNewDevice) {
    await restPayouts(tx, member.id, 'device', now)
    await enqueueMail(tx, deps, {
      to: member.email,
      template: 'newDevice',
      data: { name: member.name, device: session.device, ip: origin.ip, at: mailTime(now) },
    })
  }
  await auditAuth(tx, deps, { action: 'login', member, origin })
  return { ...session, isVerified: member.is_verified && member.password_proved }
}
