import type { AuditCheck } from '../../ledger/index.ts'

/** `ledger:audit` checks on the referral graph. */
export const memberChecks: readonly AuditCheck[] = [
  {
    invariant: 'I11',
    title: 'a sponsor is older than the member: the referral graph is a forest',
    sql: 'select id, sponsor_id from member where sponsor_id >= id',
  },
  {
    invariant: 'I11',
    title: 'the count of direct referrals matches the members',
    sql: `
      select coalesce(c.member_id, r.sponsor_id) as member_id, c.direct_count, r.found from member_referrals c
      full join (select sponsor_id, count(*) as found from member where sponsor_id is not null and is_verified group by sponsor_id) r
        on r.sponsor_id = c.member_id
      where coalesce(c.direct_count, 0) <> coalesce(r.found, 0)`,
  },
]
