import type { AuditCheck } from '../../ledger/index.ts'
import { CLOSE_ACTION } from './close-months.ts'

/** Audit check of the closes in the audit log. */
export const closeLogCheck: AuditCheck = {
  invariant: 'I17',
  title: 'the audit log has each period close unchanged',
  sql: `select s.month, s.close_hash, e.detail ->> 'close' as logged from ledger_close s
    full join (select subject_id::date as month, detail from audit_event where subject_type = 'month' and action = '${CLOSE_ACTION}') e on e.month = s.month
    where s.close_hash is distinct from e.detail ->> 'close'`,
}
