import { CLOSING_DAYS } from '@tizara/contract/account-closing'
import { translateResponse } from '@tizara/contract/response-texts'
import { enqueueMail, mailLanguage } from '../../../gateways/mailer/index.ts'
import type { Job } from '../../../jobs/job.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  beginClosing,
  endClosing,
  isClosing,
  lockMember,
  type Member,
  membersToClose,
  postponeClosing,
  setActive,
} from '../../members/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'
import { assertOwner, type Proof } from '../factors/step-up.ts'

/**
 * Closes accounts at the request of their members (docs/decisions/0049-closing-an-account.md). The account is blocked at once, so that it
 * cannot earn, send or receive. A sign-in during the waiting time cancels the request.
 */

/** Returns the obstacles to closing an account, one English sentence each. The function reads tables of all modules, so `main` passes it in. */
export type ObstaclesOf = (db: Db, member: Pick<Member, 'id' | 'role'>) => Promise<string[]>

/** Time in ms from the closing to the erasure, so that the mail about the closing is sent before its address is erased. */
const ERASE_AFTER_MS = DAY_MS

/** Accounts closed in one run of the job. */
const BATCH = 100

/**
 * Requests that the account is closed. Ends all sessions and blocks the account.
 * @returns when it is closed
 * @throws AppError ACCOUNT_NOT_EMPTY, and the errors of the proof
 */
export async function closeAccount(
  db: Db,
  deps: Deps,
  { proof, ...holder }: Holder & { proof: Proof },
  origin: Origin,
  obstaclesOf: ObstaclesOf,
): Promise<{ closesAt: Date }> {
  await assertOwner(db, deps, { ...holder, proof }, origin)
  return inSession(db, holder, async (tx, member) => {
    if ((await obstaclesOf(tx, member)).length > 0) throw new AppError('ACCOUNT_NOT_EMPTY')
    const now = deps.clock.now()
    const closesAt = new Date(now.getTime() + CLOSING_DAYS * DAY_MS)
    await beginClosing(tx, { id: member.id, at: now, closesAt })
    await revokeSessionsOf(tx, member.id, 'closing', now)
    const { t, time } = mailLanguage(deps.config, member.language)
    await mail(tx, deps, member, t('your account will be closed'), [
      t('On {at} the closing of your account was requested. It is closed on {closesAt}.', { at: time(now), closesAt: time(closesAt) }),
      t('Until then you can sign in to keep it. If you did not request this, sign in, and change your password at once.'),
    ])
    await auditAuth(tx, deps, { action: 'close-account', member, origin, detail: { closesAt: closesAt.toISOString() } })
    return { closesAt }
  })
}

/** Cancels the closing of an account at a sign-in. The caller has checked the credentials and locked the member. */
export async function cancelClosing(tx: Tx, deps: Deps, member: Member, origin: Origin): Promise<void> {
  if (!isClosing(member)) return
  await setActive(tx, { id: member.id, isActive: true, at: deps.clock.now() })
  const { t, time } = mailLanguage(deps.config, member.language)
  await mail(tx, deps, member, t('your account stays open'), [
    t('Your account is not closed, because of a sign-in on {at}.', { at: time(deps.clock.now()) }),
    t('If that was not you, change your password at once and contact us.'),
  ])
  await auditAuth(tx, deps, { action: 'cancel-closing', member, origin })
}

/** Closes the accounts after their waiting time. An account that got money meanwhile is not closed, and the member gets a mail. */
export const closeAccountsJob = (obstaclesOf: ObstaclesOf): Job => ({
  name: 'close-accounts',
  everySeconds: 60,
  run: (lease, deps) =>
    lease.untilDone(async (tx) => {
      const now = deps.clock.now()
      const due = await membersToClose(tx, now, BATCH)
      for (const id of due) await closeDue(tx, deps, await lockMember(tx, id), obstaclesOf)
      return { done: due.length, more: due.length === BATCH }
    }),
})

async function closeDue(tx: Tx, deps: Deps, member: Member, obstaclesOf: ObstaclesOf): Promise<void> {
  const now = deps.clock.now()
  // A sign-in cancelled it meanwhile.
  if (!isClosing(member) || member.closes_at === null || member.closes_at > now) return
  const { t, time } = mailLanguage(deps.config, member.language)
  const obstacles = await obstaclesOf(tx, member)
  if (obstacles.length > 0) {
    const until = new Date(now.getTime() + CLOSING_DAYS * DAY_MS)
    await postponeClosing(tx, { id: member.id, closesAt: until })
    await mail(tx, deps, member, t('your account is not closed yet'), [
      t('Your account cannot be closed: {obstacles}', { obstacles: obstacles.map((one) => translateResponse(one, t)).join(' ') }),
      t('Please sign in, and settle this. Otherwise we try again on {until}.', { until: time(until) }),
    ])
    return
  }
  const erasesAt = new Date(now.getTime() + ERASE_AFTER_MS)
  await endClosing(tx, { id: member.id, at: now, erasesAt })
  await mail(tx, deps, member, t('your account is closed'), [
    t(
      'Nobody can sign in to your account any more. We erase your personal data from {at} on, unless an open inquiry needs it. The records of your payments stay, without your name.',
      { at: time(erasesAt) },
    ),
  ])
  await recordAudit(tx, {
    at: now,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'auth.account-closed',
    subject: { type: 'member', id: member.public_id },
    outcome: 'ok',
  })
}

const mail = (tx: Tx, deps: Deps, { email, name, language }: Member, title: string, lines: string[]) =>
  enqueueMail(tx, deps, { to: email, language, template: 'notice', data: { name, title, lines } })
