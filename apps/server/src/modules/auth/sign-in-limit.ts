import { sql } from 'kysely'
import { refusalUntil } from '../../http/calls/rate-limit.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { FAILURE_WINDOW_MS, FIRST_DELAY_SECONDS, FREE_FAILURES } from './auth.rules.ts'

/** Calls of one account that may wait for each other in this process. */
const LINE_LENGTH = 50
const lines = new Map<string, { length: number; tail: Promise<unknown> }>()

/**
 * Lets the sign-ins of one account run one after the other, so that each is counted before the next is looked at.
 * @throws AppError BUSY when too many wait already
 */
export async function oneAtATime<T>(email: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(email) ?? { length: 0, tail: Promise.resolve() }
  if (line.length >= LINE_LENGTH) throw new AppError('BUSY')
  line.length += 1
  const result = line.tail.then(work)
  line.tail = result.catch(() => undefined)
  lines.set(email, line)
  try {
    return await result
  } finally {
    line.length -= 1
    if (line.length === 0) lines.delete(email)
  }
}

/**
 * Counts a try before its password is looked at; {@link forgetFailures} takes the count back when it was right. The
 * fifth failure in the window makes the account wait 30 seconds, each further one twice as long, at most the window. One
 * statement, so that the count is right across processes. Unknown addresses are counted alike.
 * @throws AppError TOO_MANY_REQUESTS while the account has to wait
 */
export async function countTry(db: Db, email: string, now: Date): Promise<void> {
  const windowStart = new Date(now.getTime() - FAILURE_WINDOW_MS)
  const counted = await sql<{ failures: number }>`
    insert into sign_in_failure as held (account_digest, failures, window_start) values (${digest(email)}, 1, ${now})
    on conflict (account_digest) do update set
      failures = case when held.window_start <= ${windowStart} then 1 else held.failures + 1 end,
      window_start = case when held.window_start <= ${windowStart} then excluded.window_start else held.window_start end,
      blocked_until = case when held.window_start <= ${windowStart} or held.failures + 1 < ${FREE_FAILURES}::int then null
        else ${now}::timestamptz + make_interval(secs => least(${FAILURE_WINDOW_MS / 1000}::int,
          ${FIRST_DELAY_SECONDS}::int * power(2, least(held.failures + 1 - ${FREE_FAILURES}::int, 16)))) end
    where held.blocked_until is null or held.blocked_until <= ${now}
    returning failures`.execute(db)
  if (counted.rows.length > 0) return
  const held = await db.selectFrom('sign_in_failure').select('blocked_until').where('account_digest', '=', digest(email)).executeTakeFirst()
  throw refusalUntil(held?.blocked_until ?? now, now)
}

/** Forgets the failures of an account after a right password or a reset. */
export async function forgetFailures(db: Db, email: string): Promise<void> {
  await db.deleteFrom('sign_in_failure').where('account_digest', '=', digest(email)).execute()
}
