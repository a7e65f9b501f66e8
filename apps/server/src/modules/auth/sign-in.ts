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
import { countTry, forgetFailures, oneAtATime } from './sign-in-limit.ts'

/** What is typed to sign in (EN-01). */
export interface Credentials {
  /** Normalised: lower case. */
  email: string
  password: string
  /** Code of an authenticator app. */
  otp?: string | undefined
  /** The answer of a passkey, in place of the code. */
  passkey?: PasskeyAnswer | undefined
}

/**
 * The challenge for signing in with a passkey: after the password, whose wrong tries count as on every sign-in.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, NO_PASSKEY, TOO_MANY_REQUESTS
 */
export function beginPasskeySignIn(db: Db, deps: Deps, input: Credentials, origin: Origin) {
  return oneAtATime(input.email, async () => {
    await countTry(db, input.email, deps.clock.now())
    const member = await memberByEmail(db, input.email)
    try {
      const known = await assertPassword(member, input.password)
      // Whoever has the password cannot guess it any more; wrong passkeys have a count of their own.
      await forgetFailures(db, input.email)
      return await challengePasskeys(db, deps, known, SIGN_IN)
    } catch (error) {
      if (error instanceof AppError && error.statusCode < 500) {
        await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'passkey-challenge', member, origin, outcome: error.code }))
      }
      throw error
    }
  })
}

/** A session and what the sign-in answer says about its owner. */
export interface SignedIn extends OpenedSession {
  isVerified: boolean
}

/**
 * Signs in by address and password, and by an authenticator app where one is set up (API-18, API-19). An unknown
 * address takes as long and is answered like a wrong password.
 * @throws AppError LOGIN_REFUSED, ACCOUNT_BLOCKED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED, TOO_MANY_REQUESTS
 */
export function signIn(db: Db, deps: Deps, input: Credentials, origin: Origin): Promise<SignedIn> {
  return oneAtATime(input.email, async () => {
    await countTry(db, input.email, deps.clock.now())
    const member = await memberByEmail(db, input.email)
    try {
      const known = await assertCredentials(db, deps, member, input)
      const renewedHash = isOutdated(known.password_hash) ? await hashPassword(input.password) : undefined
      return await inTransaction(db, async (tx) => {
        await assertStillHolds(tx, known, input.passkey)
        return admit(tx, deps, known, origin, renewedHash)
      })
    } catch (error) {
      if (error instanceof AppError && error.statusCode < 500) {
        await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'login', member, origin, outcome: error.code }))
      }
      throw error
    }
  })
}

async function assertPassword(member: Member | undefined, password: string): Promise<Member> {
  const right = await passwordMatches(member?.password_hash, password)
  if (!right || member === undefined) throw new AppError('LOGIN_REFUSED')
  if (!member.is_active) throw new AppError('ACCOUNT_BLOCKED')
  return member
}

async function assertCredentials(db: Db, deps: Deps, found: Member | undefined, input: Credentials): Promise<Member> {
  const member = await assertPassword(found, input.password)
  if (input.passkey !== undefined) {
    if (!member.second_factor) throw new AppError('PASSKEY_REFUSED')
    await assertPasskey(db, deps, member, { ...SIGN_IN, answer: input.passkey })
  } else if (member.second_factor) {
    if (input.otp === undefined) throw new AppError('SECOND_FACTOR_REQUIRED')
    await assertSecondFactor(db, deps, member, input.otp)
  }
  return member
}

/** What was shown may be good no more by the time it has been compared: a new password meanwhile is not outdone by the old one. */
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
  await forgetFailures(tx, member.email)
  if (session.newDevice) {
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
