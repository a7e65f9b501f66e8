import type { AuditCheck } from '../../ledger/index.ts'

/** What `ledger:audit` checks about stakes, written apart from the code that moves them. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I2',
    title: 'each stakeWallet holds the principal of the running stakes',
    sql: `with resting as (select member_id, sum(amount) as amount from stake where status = 'ACTIVE' group by member_id)
      select a.owner_id, a.balance, r.amount from ledger_account a left join resting r on r.member_id = a.owner_id
      where a.kind = 'stakeWallet' and a.balance <> coalesce(r.amount, 0)`,
  },
  {
    invariant: 'I4',
    title: 'each stake moved its principal once, and back once when it ended, not before its time, or was undone',
    sql: `with moved as (
        select cause_id, kind, count(*) as times, sum(amount) as amount from ledger_transfer
        where cause_type = 'stake' and kind in ('stake', 'stakeMatured', 'stakeUndone') group by cause_id, kind)
      select s.public_id from stake s
      left join moved i on i.cause_id = s.public_id and i.kind = 'stake'
      left join moved o on o.cause_id = s.public_id and o.kind = 'stakeMatured'
      left join moved u on u.cause_id = s.public_id and u.kind = 'stakeUndone'
      where coalesce(i.times, 0) <> 1 or i.amount <> s.amount
        or coalesce(o.times, 0) <> case s.status when 'COMPLETED' then 1 else 0 end or coalesce(o.amount, s.amount) <> s.amount
        or coalesce(u.times, 0) <> case s.status when 'UNDONE' then 1 else 0 end or coalesce(u.amount, s.amount) <> s.amount
        or s.matured_at < s.matures_at or s.undone_at >= s.matures_at
      union all
      select m.cause_id from moved m where not exists (select from stake s where s.public_id = m.cause_id)`,
  },
]
