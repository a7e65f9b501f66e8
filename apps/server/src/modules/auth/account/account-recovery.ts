import { RECOVERY_DAYS } from '@tizara/contract/limits'
import { noticeTexts } from '@tizara/contract/notice-text'
import type { NoticeOf } from '@tizara/contract/notices'
import { enqueueMail, mailLanguage, shownInMail } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { keysOf } from '../../../platform/crypto/encrypt.ts'
import { signatureOf } from '../../../platform/crypto/sign.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { hasOwner, isUnfinished, lockMember, type Member } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { assertEmailDomain } from '../registration/allowed-domain.ts'
import { auditAuth } from '../audit-auth.ts'
import { isTrustedDevice } from '../sessions/known-devices.ts'
import type { Origin } from '../sessions/sessions.ts'

/**
 * Recovers an account whose owner lost the second factor, the mailbox or both. The owner can cancel it during a waiting period
 * (docs/decisions/0052-account-recovery.md). `account-recovery.jobs.ts` completes it.
 */

/** Waiting period, and the payout freeze after it. */
export const RECOVERY_MS = RECOVERY_DAYS * DAY_MS
/** Time between the reminder and the completion, in ms. */
const REMINDER_MS = 2 * DAY_MS
/** Earlier addresses that get the mails. */
const MAX_EARLIER_ADDRESSES = 5

/** What a recovery replaces. */
export interface RecoveryScope {
  secondFactor: boolean
  /** New address in lower case; null if the mailbox is not lost. */
  newEmail: string | null
}

/**
 * Starts the waiting period, notifies the owner at all known addresses and mails a link to the new address. The caller has checked both
 * approvers and writes the audit entry.
 * @returns when the recovery is completed
 * @throws AppError SECOND_FACTOR_OFF, EMAIL_NOT_VERIFIED, EMAIL_DOMAIN_REFUSED, EMAIL_UNCHANGED, EMAIL_TAKEN, ALREADY_DECIDED if one is pending
 */
export async function startRecovery(tx: Tx, deps: Deps, memberId: bigint, { secondFactor, newEmail }: RecoveryScope): Promise<Date> {
  const member = await lockMember(tx, memberId)
  if (secondFactor && !member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
  if (newEmail !== null) await assertReplaceable(tx, deps, member, newEmail)
  if ((await recoveryOf(tx, member.id)) !== undefined) throw new AppError('ALREADY_DECIDED')
  const now = deps.clock.now()
  const completesAt = new Date(now.getTime() + RECOVERY_MS)
  const change = newEmail === null ? undefined : await addChange(tx, deps, member, newEmail, completesAt)
  await tx
    .insertInto('account_recovery')
    .values({
      member_id: member.id,
      second_factor: secondFactor,
      email_change_id: change?.id ?? null,
      completes_at: completesAt,
      remind_at: new Date(completesAt.getTime() - REMINDER_MS),
    })
    .execute()
  await notifyRecovery(tx, deps, member, {
    step: 'started',
    replaces: replacedName({ secondFactor, newEmail }),
    until: completesAt,
    stopToken: change?.stopToken,
  })
  return completesAt
}

async function assertReplaceable(tx: Tx, deps: Deps, member: Member, newEmail: string): Promise<void> {
  // An unfinished registration has no owner to recover it.
  if (isUnfinished(member)) throw new AppError('EMAIL_NOT_VERIFIED')
  await assertEmailDomain(tx, deps, newEmail)
  if (member.email === newEmail) throw new AppError('EMAIL_UNCHANGED')
  if (await hasOwner(tx, newEmail)) throw new AppError('EMAIL_TAKEN')
}

/** Adds the change of address, and mails its link to the new address. The stop link stays valid as long as the payout freeze. */
async function addChange(tx: Tx, deps: Deps, { id, name, email: previous, language }: Member, email: string, completesAt: Date) {
  const now = deps.clock.now()
  const token = deps.ids.secret()
  const confirmDigest = digest(token)
  const stopToken = stopTokenOf(deps.config.dataKey, confirmDigest)
  const added = await tx
    .insertInto('email_change')
    .values({
      member_id: id,
      email,
      previous_email: previous,
      confirm_digest: confirmDigest,
      stop_digest: digest(stopToken),
      created_at: now,
      expires_at: completesAt,
      stoppable_until: new Date(completesAt.getTime() + RECOVERY_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const data = { name, token, until: completesAt, isRecovery: true }
  await enqueueMail(tx, deps, { to: email, language, template: 'newEmail', data, notAfter: completesAt, replaceKey: `email:${id}` })
  return { id: added.id, stopToken }
}

/** Derives the token of the stop link from the random link to the new mailbox, because both mails have it and only its digest is stored. */
const stopTokenOf = (dataKey: string, confirmDigest: string): string => signatureOf(dataKey, 'recovery stop link', confirmDigest)

/** Reminds the owner of a pending recovery, with the stop link of the first mail. The caller has locked the member. */
export async function remindOfRecovery(tx: Tx, deps: Deps, member: Member, recovery: Recovery): Promise<void> {
  await tx.updateTable('account_recovery').set({ remind_at: null }).where('member_id', '=', member.id).execute()
  await notifyRecovery(tx, deps, member, {
    step: 'soon',
    replaces: replacedName(recovery),
    until: recovery.completesAt,
    stopToken: recovery.emailChangeId === null ? undefined : await repeatStopToken(tx, deps, recovery.emailChangeId),
  })
}

/** Returns the token of the first mail, or a new one in its place if DATA_KEY was rotated since. */
async function repeatStopToken(tx: Tx, { config, ids }: Deps, emailChangeId: bigint): Promise<string> {
  const change = await tx
    .selectFrom('email_change')
    .select(['confirm_digest', 'stop_digest'])
    .where('id', '=', emailChangeId)
    .executeTakeFirstOrThrow()
  const tokens = keysOf(config).map((key) => stopTokenOf(key, change.confirm_digest ?? ''))
  const known = tokens.find((token) => digest(token) === change.stop_digest)
  if (known !== undefined) return known
  const fresh = ids.secret()
  await tx
    .updateTable('email_change')
    .set({ stop_digest: digest(fresh) })
    .where('id', '=', emailChangeId)
    .execute()
  return fresh
}

/** A pending recovery, with the new address if it replaces the mailbox. */
export interface Recovery extends RecoveryScope {
  emailChangeId: bigint | null
  /** True if the owner of the new mailbox has opened the mailed link. */
  isNewEmailProved: boolean
  completesAt: Date
}

/** Returns a member's pending recovery. */
export async function recoveryOf(db: Db, memberId: bigint): Promise<Recovery | undefined> {
  const found = await db
    .selectFrom('account_recovery')
    .leftJoin('email_change', 'email_change.id', 'account_recovery.email_change_id')
    .select(['second_factor', 'email_change_id', 'email', 'address_proved_at', 'completes_at'])
    .where('account_recovery.member_id', '=', memberId)
    .executeTakeFirst()
  return (
    found && {
      secondFactor: found.second_factor,
      newEmail: found.email,
      emailChangeId: found.email_change_id,
      isNewEmailProved: found.address_proved_at !== null,
      completesAt: found.completes_at,
    }
  )
}

/**
 * Records that the new mailbox belongs to the person who opened the mailed link. The address takes effect at the end of the recovery. The
 * caller has locked the member.
 * @returns when the recovery is completed; undefined if the change of address belongs to no recovery
 * @throws AppError EMAIL_LINK_INVALID for a used or expired link
 */
export async function proveRecoveryAddress(tx: Tx, emailChangeId: bigint, now: Date): Promise<Date | undefined> {
  const found = await tx
    .selectFrom('account_recovery')
    .select(['address_proved_at', 'completes_at'])
    .where('email_change_id', '=', emailChangeId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  if (found.address_proved_at !== null || found.completes_at <= now) throw new AppError('EMAIL_LINK_INVALID')
  await tx.updateTable('account_recovery').set({ address_proved_at: now }).where('email_change_id', '=', emailChangeId).execute()
  return found.completes_at
}

/**
 * Cancels a pending recovery and notifies the owner. The caller has locked the member and writes the audit entry.
 * @returns false if none was pending
 */
export async function cancelRecovery(tx: Tx, deps: Deps, member: Member): Promise<boolean> {
  const recovery = await recoveryOf(tx, member.id)
  if (recovery === undefined) return false
  await deleteRecovery(tx, member.id)
  if (recovery.emailChangeId !== null) {
    const links = { stopped_at: deps.clock.now(), stop_digest: `used ${recovery.emailChangeId}` }
    await tx.updateTable('email_change').set(links).where('id', '=', recovery.emailChangeId).execute()
  }
  await notifyRecovery(tx, deps, member, { step: 'cancelled', replaces: replacedName(recovery) })
  return true
}

/** Deletes a member's pending recovery. */
export async function deleteRecovery(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('account_recovery').where('member_id', '=', memberId).execute()
}

/**
 * Cancels a pending recovery because its owner still has what was reported as lost: the second factor, a trusted device or the mailbox. The
 * mailbox says nothing about a lost second factor. The caller has locked the member.
 */
export async function cancelRecoveryByProof(
  tx: Tx,
  deps: Deps,
  member: Member,
  origin: Origin,
  proof: 'second-factor' | 'device' | 'mailbox',
): Promise<void> {
  const recovery = await recoveryOf(tx, member.id)
  if (recovery === undefined || (proof === 'mailbox' && recovery.newEmail === null)) return
  await cancelRecovery(tx, deps, member)
  await auditAuth(tx, deps, { action: 'cancel-recovery', member, origin, detail: { proof } })
}

/** Cancels a pending recovery at a sign-in with the second factor, or without one on a trusted device. The caller has locked the member. */
export async function cancelRecoveryBySignIn(tx: Tx, deps: Deps, member: Member, origin: Origin): Promise<void> {
  if (member.second_factor) await cancelRecoveryByProof(tx, deps, member, origin, 'second-factor')
  else if (await isTrustedDevice(tx, member.id, origin.deviceTokens ?? [], deps.clock.now()))
    await cancelRecoveryByProof(tx, deps, member, origin, 'device')
}

/** Cancels a pending recovery after a proof within a session. */
export async function cancelRecoveryByStepUp(
  db: Db,
  deps: Deps,
  memberId: bigint,
  origin: Origin,
  proof: 'second-factor' | 'device',
): Promise<void> {
  if ((await recoveryOf(db, memberId)) === undefined) return
  await inTransaction(db, async (tx) => cancelRecoveryByProof(tx, deps, await lockMember(tx, memberId), origin, proof))
}

/** Cancels the pending recoveries of all accounts, for a restored database. Their owners may have cancelled them since the backup. */
export async function cancelAllRecoveries(tx: Tx): Promise<void> {
  await tx.deleteFrom('account_recovery').execute()
}

type RecoveryFacts = NoticeOf<'recovery'>['facts']

export const replacedName = ({ secondFactor, newEmail }: RecoveryScope): RecoveryFacts['replaces'] =>
  newEmail === null ? 'second-factor' : secondFactor ? 'both' : 'mailbox'

/**
 * Notifies the owner in the app and at all known addresses. The present address may be the thief's.
 * @param input `stopToken` is the token of the link that keeps the present address
 */
export async function notifyRecovery(
  tx: Tx,
  deps: Deps,
  { id, email, name, language }: Member,
  input: Omit<RecoveryFacts, 'until'> & { until?: Date; stopToken?: string | undefined; alsoTo?: string },
): Promise<void> {
  const { step, replaces, until, stopToken, alsoTo } = input
  const facts = { step, replaces, ...(until === undefined ? {} : { until: until.toISOString() }) }
  const words = mailLanguage(deps.config, language)
  const { t } = words
  const { title, text } = noticeTexts.recovery(facts, shownInMail(words, deps.clock.now()))
  const earlier = await tx
    .selectFrom('email_change')
    .select('previous_email')
    .where('member_id', '=', id)
    .where('confirmed_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_EARLIER_ADDRESSES)
    .execute()
  const addresses = [email, ...(alsoTo === undefined ? [] : [alsoTo]), ...earlier.map((row) => row.previous_email)]
  for (const to of new Set(addresses)) {
    if (stopToken === undefined) {
      const lines = [text, t('If that was not you, change your password at once and contact us.')]
      await enqueueMail(tx, deps, { to, language, template: 'notice', data: { name, title, lines } })
    } else await enqueueMail(tx, deps, { to, language, template: 'recovery', data: { name, title, text, token: stopToken } })
  }
  await recordEvent(tx, deps, id, { event: 'recovery', facts })
}
