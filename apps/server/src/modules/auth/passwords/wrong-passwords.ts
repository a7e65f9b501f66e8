import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { MAX_WRONG_PASSWORDS, WRONG_PASSWORD_WINDOW_MS } from '../auth.rules.ts'

/**
 * Counts wrong passwords of an account over all networks. The count never blocks a sign-in; above the limit, new devices also need a mailed
 * code (docs/decisions/0031-no-account-lockout.md).
 */

const hourOf = (time: number): Date => new Date(Math.floor(time / HOUR_MS) * HOUR_MS)

/** Counts a wrong password. Unknown addresses are counted in the same way, so that the call takes as long. */
export async function countWrongPassword(db: Db, email: string, now: Date): Promise<void> {
  await sql`
    insert into wrong_password_hour as existing (account_digest, hour, failures) values (${digest(email)}, ${hourOf(now.getTime())}, 1)
    on conflict (account_digest, hour) do update set failures = existing.failures + 1`.execute(db)
}

/**
 * Returns true after more than 100 wrong passwords in 24 hours. Passwords are counted per full hour, so that the window is up to one hour
 * longer.
 */
export async function hasManyWrongPasswords(db: Db, email: string, now: Date): Promise<boolean> {
  const { failures } = await db
    .selectFrom('wrong_password_hour')
    .select(sql<number>`coalesce(sum(failures), 0)::int`.as('failures'))
    .where('account_digest', '=', digest(email))
    .where('hour', '>=', hourOf(now.getTime() - WRONG_PASSWORD_WINDOW_MS))
    .executeTakeFirstOrThrow()
  return failures > MAX_WRONG_PASSWORDS
}

/** Deletes the counts of an account after a password reset by mail. */
export async function deleteWrongPasswords(db: Db, email: string): Promise<void> {
  await db.deleteFrom('wrong_password_hour').where('account_digest', '=', digest(email)).execute()
}
