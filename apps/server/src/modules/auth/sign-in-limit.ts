import { sql } from 'kysely'
import { rateLimitError } from '../../http/calls/rate-limit.ts'
import { callerNetwork } from '../../http/server/caller-network.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { FAILURE_WINDOW_MS, FIRST_DELAY_SECONDS, FREE_FAILURES } from './auth.rules.ts'
import { knownDevice } from './sessions/known-devices.ts'
import type { Origin } from './sessions/sessions.ts'
import { deleteWrongPasswords } from './passwords/wrong-passwords.ts'

/**
 * Budget of failed attempts. Each network, known device and session has its own, so that a stranger cannot use up the owner's
 * (docs/decisions/0031-no-account-lockout.md).
 */
export interface AttemptBudget {
  /** The account's email address. */
  email: string
  /** Key that separates this budget from the account's others. */
  scope: string
}

/**
 * Returns the limit that a sign-in counts in: one per known device, and one per network (IPv6 by /64) for all other devices. A stranger in
 * the member's network therefore does not use up the limit of the member's device.
 */
export async function signInBudget(db: Db, email: string, { ip, deviceTokens }: Origin): Promise<AttemptBudget> {
  const device = await knownDevice(db, email, deviceTokens ?? [])
  return { email, scope: device === undefined ? `sign-in from ${callerNetwork(ip)}` : `sign-in on device ${device}` }
}

/**
 * Returns the limit for the second factor of a sign-in. All networks share this limit, because only callers with the correct password reach
 * it. Only a correct code resets it.
 */
export const signInFactorBudget = (email: string): AttemptBudget => ({ email, scope: 'second factor at sign-in' })

/** Returns the budget for a proof within a session. */
export const sessionBudget = (email: string, sessionId: bigint, what: 'password' | 'second factor'): AttemptBudget => ({
  email,
  scope: `${what} in session ${sessionId}`,
})

const keyOf = ({ email, scope }: AttemptBudget) => digest(`${scope} of ${email}`)

/** Maximum queued calls per budget in this process. */
const MAX_QUEUE = 50
const queues = new Map<string, { length: number; tail: Promise<unknown> }>()

/**
 * Runs the attempts of one limit one after the other, so that each attempt is counted before the next check.
 * @throws AppError BUSY if too many are queued; the attempt is not counted then
 */
export async function oneAtATime<T>(budget: AttemptBudget, work: () => Promise<T>): Promise<T> {
  const key = keyOf(budget)
  const queue = queues.get(key) ?? { length: 0, tail: Promise.resolve() }
  if (queue.length >= MAX_QUEUE) throw new AppError('BUSY')
  queue.length += 1
  const result = queue.tail.then(work)
  queue.tail = result.catch(() => undefined)
  queues.set(key, queue)
  try {
    return await result
  } finally {
    queue.length -= 1
    if (queue.length === 0) queues.delete(key)
  }
}

/**
 * Counts an attempt before it is checked; {@link clearAttempts} resets the count after success. The fifth failure in the window blocks
 * further attempts for 30 seconds. Each further failure doubles the wait, up to the window. The single statement counts correctly across
 * processes. Unknown addresses are counted in the same way.
 * @throws AppError TOO_MANY_REQUESTS while the budget is blocked
 */
export async function registerAttempt(db: Db, budget: AttemptBudget, now: Date): Promise<void> {
  const windowStart = new Date(now.getTime() - FAILURE_WINDOW_MS)
  const key = keyOf(budget)
  const counted = await sql<{ failures: number }>`
    insert into sign_in_failure as existing (budget_digest, account_digest, failures, window_start)
    values (${key}, ${digest(budget.email)}, 1, ${now})
    on conflict (budget_digest) do update set
      failures = case when existing.window_start <= ${windowStart} then 1 else existing.failures + 1 end,
      window_start = case when existing.window_start <= ${windowStart} then excluded.window_start else existing.window_start end,
      blocked_until = case when existing.window_start <= ${windowStart} or existing.failures + 1 < ${FREE_FAILURES}::int then null
        else ${now}::timestamptz + make_interval(secs => least(${FAILURE_WINDOW_MS / 1000}::int,
          ${FIRST_DELAY_SECONDS}::int * power(2, least(existing.failures + 1 - ${FREE_FAILURES}::int, 16)))) end
    where existing.blocked_until is null or existing.blocked_until <= ${now}
    returning failures`.execute(db)
  if (counted.rows.length > 0) return
  const held = await db.selectFrom('sign_in_failure').select('blocked_until').where('budget_digest', '=', key).executeTakeFirst()
  throw rateLimitError(held?.blocked_until ?? now, now)
}

/** Clears the failures of a budget after a successful attempt. */
export async function clearAttempts(db: Db, budget: AttemptBudget): Promise<void> {
  await db.deleteFrom('sign_in_failure').where('budget_digest', '=', keyOf(budget)).execute()
}

/** Clears all failures of an account after a password reset by mail. */
export async function clearAccountAttempts(db: Db, email: string): Promise<void> {
  await db.deleteFrom('sign_in_failure').where('account_digest', '=', digest(email)).execute()
  await deleteWrongPasswords(db, email)
}
