import { sql } from 'kysely'
import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { mailAdmins } from '../access/mail-admins.ts'

/** Cases that one call reminds of. The next call takes further ones. */
const CASES = 100

/**
 * Mails the owner of each case that is overdue, once per due date. The admins get the mail about a case without an owner, and of an owner
 * who is no longer staff. A mail names no member, because mails are not encrypted on their way.
 * @returns the number of cases
 */
export async function remindCaseOwners(tx: Tx, deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const { rows } = await sql<{ dueAt: Date; member: string; email: string | null; name: string | null }>`
    with late as (
      update staff_case set reminded_at = ${now} where id in (
        select id from staff_case where closed_at is null and reminded_at is null and due_at <= ${now} order by due_at limit ${CASES})
      returning due_at, member_id, owner_id)
    select late.due_at as "dueAt", m.public_id as member, o.email, o.name from late join member m on m.id = late.member_id
    left join member o on o.id = late.owner_id and o.role <> 'MEMBER' and o.is_active order by late.due_at`.execute(tx)
  const linesOf = (row: { dueAt: Date; member: string }) => [
    `It was due on ${mailTime(row.dueAt)}. Close it with an outcome, or set another due date.`,
    `${deps.config.publicUrl}/staff/members/${row.member}/timeline`,
  ]
  const title = 'a case is overdue'
  const mails = rows.flatMap(({ email, name, ...row }) =>
    email === null ? [] : [{ to: email, template: 'notice' as const, data: { name: name ?? '', title, lines: linesOf(row) } }],
  )
  if (mails.length > 0) await enqueueMails(tx, deps, mails)
  for (const row of rows) if (row.email === null) await mailAdmins(tx, deps, title, linesOf(row))
  return rows.length
}

/** Returns true if an open case is overdue. */
export async function hasOverdueCase(db: Pick<Tx, 'selectFrom'>, now: Date): Promise<boolean> {
  const found = await db.selectFrom('staff_case').select('id').where('closed_at', 'is', null).where('due_at', '<=', now).limit(1).execute()
  return found.length > 0
}
