import { FACTOR_RESET_DAYS } from '@tizara/contract/limits'
import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { acceptsSignIn, distrustPasswords, freezePayouts, lockMember, type Member } from '../members/index.ts'
import { auditAuth } from './audit-auth.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import { removeSecondFactor } from './second-factor.ts'
import type { Origin } from './sessions.ts'

/**
 * Resets a lost second factor after a waiting period in which its owner can still cancel (docs/decisions/0052-lost-second-factor.md).
 */

/** Time between the reminder and the reset, in ms. */
const REMINDER_MS = 2 * DAY_MS
/** Earlier addresses that get the mails. */
const MAX_EARLIER_ADDRESSES = 5

/**
 * Starts the waiting period and notifies the owner at all known addresses. The caller has checked both approvers and writes the audit entry.
 * @returns when the second factor is removed
 * @throws AppError SECOND_FACTOR_OFF, ALREADY_DECIDED if a reset is pending
 */
export async function startFactorReset(tx: Tx, deps: Deps, memberId: bigint): Promise<Date> {
  const member = await lockMember(tx, memberId)
  if (!member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
  const resetsAt = new Date(deps.clock.now().getTime() + FACTOR_RESET_DAYS * DAY_MS)
  const started = await tx
    .updateTable('second_factor')
    .set({ resets_at: resetsAt, reset_reminder_at: new Date(resetsAt.getTime() - REMINDER_MS) })
    .where('member_id', '=', member.id)
    .where('resets_at', 'is', null)
    .executeTakeFirst()
  if (started.numUpdatedRows === 0n) throw new AppError('ALREADY_DECIDED')
  await notify(tx, deps, member, { what: 'reset-started', until: resetsAt.toISOString() })
  return resetsAt
}

/** Cancels a pending reset at a sign-in with the second factor: the owner still has it. The caller has locked the member. */
export async function cancelFactorResetBySignIn(tx: Tx, deps: Deps, member: Member, origin: Origin): Promise<void> {
  if (member.second_factor && (await cancelFactorReset(tx, deps, member)))
    await auditAuth(tx, deps, { action: 'cancel-factor-reset', member, origin })
}

/**
 * Cancels a pending reset and notifies the owner. The caller has locked the member and writes the audit entry.
 * @returns false if none was pending
 */
export async function cancelFactorReset(tx: Tx, deps: Deps, member: Member): Promise<boolean> {
  const cancelled = await tx
    .updateTable('second_factor')
    .set({ resets_at: null, reset_reminder_at: null })
    .where('member_id', '=', member.id)
    .where('resets_at', 'is not', null)
    .executeTakeFirst()
  if (cancelled.numUpdatedRows === 0n) return false
  await notify(tx, deps, member, { what: 'reset-cancelled' })
  return true
}

/** Cancels the pending resets of all accounts, for a restored database. Their owners may have cancelled them since the backup. */
export async function cancelAllFactorResets(tx: Tx): Promise<void> {
  await tx.updateTable('second_factor').set({ resets_at: null, reset_reminder_at: null }).where('resets_at', 'is not', null).execute()
}

/** Returns when a pending reset takes effect. */
export async function factorResetOf(db: Db, memberId: bigint): Promise<Date | null> {
  const found = await db.selectFrom('second_factor').select('resets_at').where('member_id', '=', memberId).executeTakeFirst()
  return found?.resets_at ?? null
}

/** Sends the reminders, and removes the second factors whose waiting period is over. */
export const factorResetJob: Job = {
  name: 'reset-second-factors',
  everySeconds: 60,
  run: (lease, deps) =>
    lease.untilDone(async (tx) => {
      const { rows } = await sql<{ id: bigint }>`
        select member_id as id from second_factor where least(resets_at, reset_reminder_at) <= ${deps.clock.now()}
        order by least(resets_at, reset_reminder_at) limit 1`.execute(tx)
      // One member in each transaction: it waits for no second lock while a transfer holds it.
      for (const { id } of rows) await continueReset(tx, deps, await lockMember(tx, id))
      return { done: rows.length, more: rows.length === 1 }
    }),
}

async function continueReset(tx: Tx, deps: Deps, member: Member): Promise<void> {
  const now = deps.clock.now()
  const resetsAt = await factorResetOf(tx, member.id)
  // A sign-in cancelled it meanwhile.
  if (resetsAt === null) return
  if (resetsAt > now) {
    await tx.updateTable('second_factor').set({ reset_reminder_at: null }).where('member_id', '=', member.id).execute()
    await notify(tx, deps, member, { what: 'reset-soon', until: resetsAt.toISOString() })
    return
  }
  // Staff who block an account may suspect the reset itself. It must then not be weaker when it is unblocked.
  if (!acceptsSignIn(member)) {
    await cancelFactorReset(tx, deps, member)
    await audit(tx, deps, member, 'cancel-factor-reset')
    return
  }
  await removeSecondFactor(tx, deps, member.id)
  // The next sign-in needs a mailed code: the password alone was never enough for this account.
  await distrustPasswords(tx, [member.id], now)
  const until = new Date(now.getTime() + FACTOR_RESET_DAYS * DAY_MS)
  await freezePayouts(tx, { id: member.id, at: now, until, cause: 'second-factor' })
  await audit(tx, deps, member, 'second-factor-reset')
}

const audit = (tx: Tx, deps: Deps, member: Member, action: string) =>
  recordAudit(tx, {
    at: deps.clock.now(),
    actorId: null,
    actorRole: 'SYSTEM',
    action: `auth.${action}`,
    subject: { type: 'member', id: member.public_id },
    outcome: 'ok',
  })

/** Notifies the owner in the app and at all known addresses. The present address may be the thief's. */
async function notify(tx: Tx, deps: Deps, member: Member, facts: Parameters<typeof notifyFactorChange>[3]): Promise<void> {
  const earlier = await tx
    .selectFrom('email_change')
    .select('previous_email')
    .where('member_id', '=', member.id)
    .where('confirmed_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_EARLIER_ADDRESSES)
    .execute()
  await notifyFactorChange(
    tx,
    deps,
    member,
    facts,
    earlier.map((row) => row.previous_email),
  )
}
