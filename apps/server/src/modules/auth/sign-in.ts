import { enqueueMail } from '../../gateways/mailer/index.ts'
import { callerNetwork } from '../../http/server/caller-network.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { acceptsSignIn, anyImportedHash, lockMember, type Member, memberByEmail, renewPasswordHash } from '../members/index.ts'
import { cancelClosing } from './account/account-closing.ts'
import { cancelRecoveryBySignIn } from './account/account-recovery.ts'
import { recordEvent } from '../notices/index.ts'
import { auditAuth } from './audit-auth.ts'
import { mailSignInCode } from './codes.ts'
import { startPayoutFreeze } from './passwords/payout-freeze.ts'
import { knownDevice } from './sessions/known-devices.ts'
import { hashPassword, isOutdated, passwordMatches } from './passwords/password-hash.ts'
import { assertPasskey, challengePasskeys, isPasskeyOf, type PasskeyAnswer, SIGN_IN } from './factors/passkey-sign-in.ts'
import { assertSecondFactor } from './factors/second-factor.ts'
import { openSession, type OpenedSession, type Origin } from './sessions/sessions.ts'
import { clearAttempts, oneAtATime, registerAttempt, signInBudget, signInFactorBudget, type AttemptBudget } from './sign-in-limit.ts'
import { countWrongPassword, hasManyWrongPasswords } from './passwords/wrong-passwords.ts'

/** Sign-in form (EN-01). */
export interface Credentials {
  /** Normalised to lower case. */
  email: string
  password: string
  /** Authenticator app code or recovery code. */
  otp?: string | undefined
  /** Response of a passkey, instead of the code. */
  passkey?: PasskeyAnswer | undefined
}

/**
 * Creates a passkey challenge for a sign-in after the password was checked. Wrong passwords count as in every sign-in.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, NO_PASSKEY, TOO_MANY_REQUESTS
 */
export function beginPasskeySignIn(db: Db, deps: Deps, input: Credentials, origin: Origin) {
  return inBudget(db, input.email, origin, async (budget) => {
    const member = await memberByEmail(db, input.email)
    try {
      const known = await assertPassword(db, deps, member, input, { budget, origin })
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
  /** False if the member must first enter a mailed code. */
  isVerified: boolean
}

/**
 * Signs in by address and password, and by a second factor if one is set up (API-18, API-19). After many wrong passwords, a new device gets
 * a session that accepts only the code mailed to the member. An unknown address gets the same response as a wrong password, after the same
 * time.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED, TOO_MANY_REQUESTS
 */
export function signIn(db: Db, deps: Deps, input: Credentials, origin: Origin): Promise<SignedIn> {
  return inBudget(db, input.email, origin, async (budget) => {
    const member = await memberByEmail(db, input.email)
    try {
      const known = await assertCredentials(db, deps, member, input, { passwordBudget: budget, origin })
      const renewedHash = isOutdated(known.password_hash) ? await hashPassword(input.password, callerNetwork(origin.ip)) : undefined
      return await inTransaction(db, async (tx) => {
        const held = await assertStillHolds(tx, known, input.passkey)
        await cancelClosing(tx, deps, held, origin)
        await cancelRecoveryBySignIn(tx, deps, held, origin)
        return admit(tx, deps, held, origin, renewedHash)
      })
    } catch (error) {
      if (error instanceof AppError && error.statusCode < 500 && error.code !== 'TOO_MANY_REQUESTS') {
        await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'login', member, origin, outcome: error.code }))
      }
      throw error
    }
  })
}

/** Runs a sign-in in the budget of its device or network. */
async function inBudget<T>(db: Db, email: string, origin: Origin, work: (budget: AttemptBudget) => Promise<T>): Promise<T> {
  const budget = await signInBudget(db, email, origin)
  return oneAtATime(budget, () => work(budget))
}

/**
 * Checks a password. A correct password resets the count of wrong passwords. The second factor has a separate limit.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, TOO_MANY_REQUESTS, BUSY
 */
async function assertPassword(
  db: Db,
  deps: Deps,
  member: Member | undefined,
  { email, password }: Credentials,
  { budget, origin }: { budget: AttemptBudget; origin: Origin },
): Promise<Member> {
  const imported = await anyImportedHash(db)
  const register = () => registerAttempt(db, budget, deps.clock.now())
  const right = await passwordMatches(member?.password_hash, password, { caller: callerNetwork(origin.ip), register, imported })
  if (!right || member === undefined) {
    await countWrongPassword(db, email, deps.clock.now())
    throw new AppError('LOGIN_REFUSED')
  }
  await clearAttempts(db, budget)
  if (!acceptsSignIn(member)) throw new AppError('ACCOUNT_BLOCKED')
  return member
}

async function assertCredentials(
  db: Db,
  deps: Deps,
  found: Member | undefined,
  input: Credentials,
  { passwordBudget, origin }: { passwordBudget: AttemptBudget; origin: Origin },
): Promise<Member> {
  const member = await assertPassword(db, deps, found, input, { budget: passwordBudget, origin })
  const budget = signInFactorBudget(member.email)
  if (input.passkey !== undefined) {
    if (!member.second_factor) throw new AppError('PASSKEY_REFUSED')
    await assertPasskey(db, deps, member, { ...SIGN_IN, answer: input.passkey, budget })
  } else if (member.second_factor) {
    if (input.otp === undefined) throw new AppError('SECOND_FACTOR_REQUIRED')
    await assertSecondFactor(db, deps, member, { otp: input.otp, budget, origin })
  }
  return member
}

/** Checks the credentials again under the lock, because the password or factor may have changed during the comparison. */
async function assertStillHolds(tx: Tx, shown: Member, passkey: PasskeyAnswer | undefined): Promise<Member> {
  const member = await lockMember(tx, shown.id)
  if (!acceptsSignIn(member)) throw new AppError('ACCOUNT_BLOCKED')
  const same = member.password_hash === shown.password_hash && member.second_factor === shown.second_factor
  if (!same || (passkey !== undefined && !(await isPasskeyOf(tx, member, passkey)))) throw new AppError('LOGIN_REFUSED')
  return member
}

async function admit(tx: Tx, deps: Deps, member: Member, origin: Origin, renewedHash: string | undefined): Promise<SignedIn> {
  const now = deps.clock.now()
  const awaitsCode = await needsMailedCode(tx, member, origin, now)
  const session = await openSession(tx, deps, member, origin, { secondFactor: member.second_factor, awaitsCode })
  if (renewedHash !== undefined) await renewPasswordHash(tx, { id: member.id, passwordHash: renewedHash, at: now })
  if (awaitsCode) await mailSignInCode(tx, deps, member)
  else if (session.isNewDevice) {
    await startPayoutFreeze(tx, member.id, 'device', now)
    await enqueueMail(tx, deps, {
      to: member.email,
      language: member.language,
      template: 'newDevice',
      data: { name: member.name, device: session.device, ip: origin.ip, at: now },
    })
    await recordEvent(tx, deps, member.id, { event: 'sign-in', facts: { device: session.device, ip: origin.ip } })
  }
  await auditAuth(tx, deps, { action: 'login', member, origin, ...(awaitsCode ? { detail: { awaitsCode } } : {}) })
  return { ...session, isVerified: member.is_verified && member.password_proved && !awaitsCode }
}

/**
 * Returns true if a correct password needs a mailed code: on a new device, after many wrong passwords. A second factor replaces the code.
 */
async function needsMailedCode(tx: Tx, member: Member, origin: Origin, now: Date): Promise<boolean> {
  if (member.second_factor || !(await hasManyWrongPasswords(tx, member.email, now))) return false
  return (await knownDevice(tx, member.email, origin.deviceTokens ?? [])) === undefined
}
