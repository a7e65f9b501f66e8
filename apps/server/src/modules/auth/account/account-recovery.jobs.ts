import { sql } from 'kysely'
import type { Job } from '../../../jobs/job.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import {
  acceptsSignIn,
  markPasswordsUnproved,
  freezePayouts,
  hasOwner,
  lockMember,
  markVerified,
  type Member,
} from '../../members/index.ts'
import {
  cancelRecovery,
  deleteRecovery,
  notifyRecovery,
  type Recovery,
  RECOVERY_MS,
  recoveryOf,
  remindOfRecovery,
  replacedName,
} from './account-recovery.ts'
import { deleteDevices } from '../sessions/known-devices.ts'
import { removeSecondFactor } from '../factors/second-factor.ts'
import { revokeSessionsOf } from '../sessions/sessions.ts'
import { takeAddress } from '../registration/take-address.ts'

/** Sends the reminders, and completes the recoveries whose waiting period is over. */
export const accountRecoveryJob: Job = {
  name: 'recover-accounts',
  everySeconds: 60,
  run: (lease, deps) =>
    lease.untilDone(async (tx) => {
      const { rows } = await sql<{ id: bigint }>`
        select member_id as id from account_recovery where least(completes_at, remind_at) <= ${deps.clock.now()}
        order by least(completes_at, remind_at) limit 1`.execute(tx)
      // One member in each transaction: it waits for no second lock while a transfer holds it.
      for (const { id } of rows) await continueRecovery(tx, deps, await lockMember(tx, id))
      return { done: rows.length, more: rows.length === 1 }
    }),
}

async function continueRecovery(tx: Tx, deps: Deps, member: Member): Promise<void> {
  const now = deps.clock.now()
  const recovery = await recoveryOf(tx, member.id)
  // A sign-in cancelled it meanwhile.
  if (recovery === undefined) return
  if (recovery.completesAt > now) {
    await remindOfRecovery(tx, deps, member, recovery)
    return
  }
  const obstacle = await obstacleTo(tx, member, recovery)
  if (obstacle !== undefined) {
    await cancelRecovery(tx, deps, member)
    await audit(tx, deps, member, 'cancel-recovery', { because: obstacle })
    return
  }
  await complete(tx, deps, member, recovery)
}

/** Returns why a recovery must not be completed. */
async function obstacleTo(tx: Tx, member: Member, { newEmail, isNewEmailProved }: Recovery): Promise<string | undefined> {
  // Staff who block an account may suspect the recovery itself. The account must then not be weaker when it is unblocked.
  if (!acceptsSignIn(member)) return 'blocked'
  if (newEmail === null) return undefined
  if (!isNewEmailProved) return 'new address not confirmed'
  return (await hasOwner(tx, newEmail)) ? 'new address taken' : undefined
}

async function complete(tx: Tx, deps: Deps, member: Member, recovery: Recovery): Promise<void> {
  const now = deps.clock.now()
  const { secondFactor, newEmail, emailChangeId } = recovery
  await deleteRecovery(tx, member.id)
  if (secondFactor) await removeSecondFactor(tx, deps, member.id)
  if (newEmail !== null) {
    await takeAddress(tx, deps, member, newEmail)
    await tx.updateTable('email_change').set({ confirmed_at: now }).where('id', '=', emailChangeId).execute()
    await revokeSessionsOf(tx, member.id, 'email', now)
    // The lost devices may be with the person who has the mailbox.
    await deleteDevices(tx, member.id)
    // Its link was opened, which an imported member may never have done for an earlier address.
    await markVerified(tx, member.id, now)
  }
  // The next sign-in needs a mailed code: the password alone was never enough for this account.
  await markPasswordsUnproved(tx, [member.id], now)
  const until = new Date(now.getTime() + RECOVERY_MS)
  await freezePayouts(tx, { id: member.id, at: now, until, cause: newEmail === null ? 'second-factor' : 'contact' })
  // The change of the second factor has its own mail.
  if (newEmail !== null) await notifyRecovery(tx, deps, member, { step: 'done', replaces: replacedName(recovery), until, alsoTo: newEmail })
  await audit(tx, deps, member, 'account-recovered', { replaced: replacedName(recovery) })
}

const audit = (tx: Tx, deps: Deps, member: Member, action: string, detail: Record<string, unknown>) =>
  recordAudit(tx, {
    at: deps.clock.now(),
    actorId: null,
    actorRole: 'SYSTEM',
    action: `auth.${action}`,
    subject: { type: 'member', id: member.public_id },
    outcome: 'ok',
    detail,
  })
