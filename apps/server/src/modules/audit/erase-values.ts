import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** Types of audit subjects about a member or the member's objects. */
const SUBJECTS = [
  'member',
  'ticket',
  'change',
  'deposit',
  'deposits',
  'withdrawals',
  'bridges',
  'withdrawal',
  'bridge',
  'request',
  'payout_request',
  'payout_address',
  'payment_return',
  'purchase',
]

/**
 * Erases the personal values of the audit rows by and about a member: reasons, details, and the IP addresses of the member and of
 * visitors. Replaces each value by its digest, so that the hashes stay valid (docs/decisions/0064-erasing-personal-data.md). The addresses
 * of staff stay. So do the details of credits: the audit compares these ids and amounts with the ledger.
 * @param input public ids of the member and the member's objects, and subjects with a number instead
 */
export async function eraseAuditValues(
  tx: Tx,
  { memberId, ids, numbered }: { memberId: bigint; ids: readonly string[]; numbered: readonly { type: string; id: bigint }[] },
): Promise<void> {
  const subjects = [
    ...ids.flatMap((id) => SUBJECTS.map((type) => ({ type, id }))),
    ...numbered.map(({ type, id }) => ({ type, id: String(id) })),
  ]
  const erased = (column: string, when = sql`true`) => {
    const [value, salt] = [sql.ref(`e.${column}`), sql.ref(`e.${column}_salt`)]
    const text = column === 'detail' ? sql`nullif(${value}::text, '{}')` : value
    const none = column === 'detail' ? sql`'{}'::jsonb` : sql`null`
    return sql`${sql.ref(column)} = case when ${when} then ${none} else ${value} end,
      ${sql.ref(`${column}_salt`)} = case when ${when} then audit_digest(${salt}, ${text}) else ${salt} end`
  }
  await sql`
    with about as (
      select id from audit_event where actor_id = ${memberId}
      union select a.id from json_to_recordset(${JSON.stringify(subjects)}::json) s (type text, id text)
        join audit_event a on a.subject_type = s.type and a.subject_id = s.id)
    update audit_event e set ${erased('reason')}, ${erased('detail', sql`e.action not like 'rewards.%'`)},
      ${erased('ip', sql`e.actor_id is null or e.actor_id = ${memberId}`)}
    from about where e.id = about.id`.execute(tx)
}
