import type { AuditCheck } from '../../../ledger/index.ts'
import { OBJECTS } from './erase-account.ts'

/** `ledger:audit` checks on erased accounts, so that nobody hides an action behind an erasure. */
export const erasureChecks: readonly AuditCheck[] = [
  {
    invariant: 'I17',
    title: 'each erased value of the audit log is by or about an account whose personal data is erased',
    sql: `select e.id, e.action from audit_event e
      where (octet_length(e.ip_salt) = 32 or octet_length(e.reason_salt) = 32 or octet_length(e.detail_salt) = 32)
        and not exists (select from member m where m.id = e.actor_id and m.erased_at is not null)
        and not exists (select from member m where e.subject_type = 'member' and m.public_id = e.subject_id and m.erased_at is not null)
        and not exists (select from member m where e.subject_type = 'member' and m.id::text = e.subject_id and m.erased_at is not null)
        and not exists (select from (${OBJECTS}) o join member m on m.id = o.member_id where o.public_id = e.subject_id and m.erased_at is not null)
        and not exists (select from staff_proposal c where e.subject_type = 'change' and c.public_id = e.subject_id and c.reason = 'Erased')
        and not exists (select from linked_account l join member m on m.id in (l.member_id, l.upline_id)
          where e.subject_type = 'linked_account' and l.id::text = e.subject_id and m.erased_at is not null)`,
  },
  {
    invariant: 'I17',
    title: 'the worker erased each erased account, and the account has no contact data',
    sql: `select m.id, m.public_id from member m where m.erased_at is not null and (m.email <> 'erased-' || m.id || '@invalid' or m.phone <> ''
      or not exists (select from audit_event e where e.subject_type = 'member' and e.subject_id = m.public_id
        and e.action = 'auth.account-erased' and e.actor_id is null and e.at = m.erased_at))`,
  },
]
