import { accountSql, type AuditCheck, factCheck, inSql, overRows, systemSql } from '../../../ledger/index.ts'
import { APPROVAL_ACTIONS, FIRST_APPROVAL } from '../duties/approval-audit-match.ts'

const approvalActions = Object.values(APPROVAL_ACTIONS)
  .flat()
  .map((word) => `'${word}'`)
  .join(', ')

/** SQL: operator money moved by staff, from the audit log. */
const MOVED = `
  select e.id, e.at, e.actor_id, e.reason, e.detail ->> 'approvedBy' as second, e.detail ->> 'change' as change, (e.detail ->> 'amount')::bigint as amount,
    case e.action when 'rewards.credit-rcm' then 'credit' else 'fund' end as subject, coalesce(e.detail ->> 'asset', 'COIN') as asset,
    e.detail ->> 'source' as source, e.detail ->> 'into' as into_fund, e.detail ? 'opening' as opening, case e.action when 'rewards.credit-rcm' then e.subject_id end as member_id
  from audit_event e where e.action in ('rewards.credit-rcm', 'rewards.fund-pool') and e.outcome = 'ok'`

/** SQL: a row has the values of a proposal, compared by name. Amounts are in units, counts are whole numbers. */
const HAS_FIGURES = `not exists (
  select from jsonb_each(c.value) f (name, wanted)
  cross join lateral (select to_jsonb(v) -> lower(regexp_replace(f.name, '([A-Z])', '_\\1', 'g')) as has) h
  where f.name <> 'ranks' and not coalesce(case
    when jsonb_typeof(f.wanted) = 'number' then (h.has #>> '{}')::numeric in ((f.wanted #>> '{}')::numeric, (f.wanted #>> '{}')::numeric * 100000000)
    when jsonb_typeof(f.wanted -> 0) = 'number' then
      (select array_agg(e::numeric * 100000000) from jsonb_array_elements_text(f.wanted) e) = (select array_agg(e::numeric) from jsonb_array_elements_text(h.has) e)
    else h.has = f.wanted end, false))`

/** SQL: recorded reversals without a matching ledger transfer. */
const WRITTEN = `select r.reverses, r.reversed_by from ledger_reversal r
      left join ledger_transfer t on t.id = r.reversed_by and t.kind = 'reversal' and t.cause_id = r.proposal_id and t.created_at = r.created_at
      where t.id is null`

/** SQL: booked losses without the decision of two about a deposit of at least that amount. */
const LOSSES = `select r.reverses, r.loss from ledger_reversal r left join ledger_transfer t on t.id = r.reverses
      left join staff_proposal c on c.public_id = r.proposal_id and c.subject = 'reversal' and c.status = 'APPROVED' and c.decided_by <> c.proposed_by
      where r.loss > 0 and (c.id is null or c.value ->> 'coversLoss' is distinct from 'true'
        or t.kind is null or t.kind not in ('deposit', 'tokenDeposit') or r.loss > t.amount)`

/** Checks by `ledger:audit` on staff decisions: the approval behind each movement from system accounts. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I17',
    title: 'each movement by two staff members matches the proposal of one and the approval of the other, each proposal once',
    sql: `with moved as (${MOVED})
      select m.id, m.change from moved m
      left join member p on p.id::text = m.member_id
      left join staff_proposal c on c.public_id = m.change and c.subject = m.subject and c.status = 'APPROVED'
      where (m.second is not null or m.change is not null) and (c.id is null or m.second is null
        or c.proposed_by <> m.actor_id or c.decided_by::text <> m.second or c.decided_at <> m.at
        or (c.value ->> 'amount')::numeric * 100000000 <> m.amount
        or case m.subject when 'credit' then c.value ->> 'memberId' is distinct from p.public_id
          else upper(c.value ->> 'asset') is distinct from m.asset or c.value ->> 'source' is distinct from m.source
            or c.value ->> 'into' is distinct from m.into_fund end)
      union all
      select min(m.id), m.change from moved m where m.change is not null group by m.change having count(*) > 1
      union all
      select c.id, c.public_id from staff_proposal c where c.subject in ('credit', 'fund') and c.status = 'APPROVED'
        and not exists (select from moved m where m.change = c.public_id)`,
  },
  factCheck({
    invariant: 'I17',
    title: 'each reversal reverses one transfer in full, as two staff members decided',
    kinds: ['reversal'],
    compare: ['created_at', 'id'],
    facts: `select 'reversal', c.public_id, ${accountSql('t.credit_account')}, ${accountSql('t.debit_account')}, t.amount, c.decided_at, r.reversed_by
      from staff_proposal c left join ledger_reversal r on r.proposal_id = c.public_id and c.value ->> 'transferId' = r.reverses::text
      left join ledger_transfer t on t.id = r.reverses and t.created_at <= r.created_at and t.resolves is null and not t.pending
        and t.kind in ('deposit', 'tokenDeposit', 'rcmCredit', 'userToUser', 'swapNative', 'nftToDeposit')
        and (c.value ->> 'amount')::numeric * 100000000 = t.amount
      where c.subject = 'reversal' and c.status = 'APPROVED' and c.decided_by <> c.proposed_by`,
  }),
  factCheck({
    invariant: 'I17',
    title: 'each booked loss is the missing part of a reversed deposit, as recorded with its reversal',
    kinds: ['depositLoss'],
    compare: ['created_at'],
    facts: `select 'depositLoss', r.proposal_id, case t.asset when 'USD' then ${systemSql('SYS-LOSS', 'USD')} else ${systemSql('SYS-LOSS', 'COIN')} end,
        t.credit_account, r.loss, r.created_at
      from ledger_reversal r join ledger_transfer t on t.id = r.reverses where r.loss > 0`,
  }),
  {
    invariant: 'I17',
    title: 'two staff members decided each booked loss, of a deposit and at most its amount',
    sql: LOSSES,
    afterClose: { within: ({ own }) => overRows(LOSSES, { ledger_reversal: [inSql('reversed_by', own)] }) },
  },
  {
    invariant: 'I17',
    title: 'each record of a reversal belongs to one reversal in the ledger',
    sql: WRITTEN,
    afterClose: { within: ({ own }) => overRows(WRITTEN, { ledger_reversal: [inSql('reversed_by', own)] }) },
  },
  {
    invariant: 'I17',
    title: 'no staff member alone moved more in 24 hours than the settings then allowed, or any external money',
    // Setup may run alone, before a second staff member exists.
    sql: `with moved as (${MOVED}), alone as (
        select * from moved m where second is null and not (opening and not exists (
          select from audit_event o where o.id < m.id and o.actor_id <> m.actor_id and o.actor_role in ('SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR'))))
      select m.id, m.amount from alone m
      cross join lateral (select s.four_eyes_above_usd::numeric as usd, s.four_eyes_above_coin::numeric as coin
        from setting s where s.starts_at <= m.at order by s.starts_at desc, s.version desc limit 1) allowed
      cross join lateral (select coalesce(sum(b.amount) filter (where b.asset = 'USD'), 0) as usd,
          coalesce(sum(b.amount) filter (where b.asset = 'COIN'), 0) as coin
        from alone b where b.actor_id = m.actor_id and b.id <= m.id and b.at > m.at - interval '24 hours') total
      where m.source = 'operator' or total.usd > allowed.usd or total.coin > allowed.coin
        or total.usd * allowed.coin + total.coin * allowed.usd > allowed.usd * allowed.coin`,
  },
  {
    invariant: 'I17',
    title: 'each second approval has a valid first approval in the audit log: not revoked, used or missing',
    sql: `select w.id from (
        select 'deposits' as type, public_id as id, first_approved_by as by, first_approved_at as at from deposit where first_approved_by is not null
        union all select case kind when 'bridge' then 'bridges' else 'withdrawals' end, public_id, first_approved_by, first_approved_at
          from payout_request where status = 'PENDING' and confirmed_at is not null and first_approved_by is not null
        union all select 'change', public_id, proposed_by, created_at from staff_proposal where status = 'PENDING') w
      left join lateral (select e.action, e.actor_id, e.at from audit_event e where e.subject_type = w.type and e.subject_id = w.id
        and e.outcome = 'ok' and e.action in (${approvalActions}) order by e.id desc limit 1) latest on true
      where latest.action is distinct from case w.type when 'change' then '${FIRST_APPROVAL.change}' else '${FIRST_APPROVAL.request}' end
        or latest.actor_id is distinct from w.by or latest.at is distinct from w.at`,
  },
  {
    invariant: 'I17',
    title: 'each set of payout rules was proposed by one staff member and approved by another',
    sql: `select v.version, v.created_by from payout_rules v where v.created_by is not null and v.rules <> '{"rules":[]}' and not exists (
      select from staff_proposal c where c.subject = 'payout-rules' and c.value = v.rules::jsonb and c.decided_by = v.created_by
        and c.decided_by <> c.proposed_by and c.status in ('APPROVED', 'CANCELLED', 'OUTDATED'))`,
  },
  {
    invariant: 'I13',
    title: 'each approved price, setting, limit and programme is in force, or planned, from its start on',
    sql: `select c.id, c.public_id from staff_proposal c where c.status = 'APPROVED' and (
        (c.subject in ('price', 'settings', 'limits', 'values') and not exists (
          select from setting v where ${HAS_FIGURES} and (v.starts_at = coalesce(c.starts_at, c.decided_at)
            -- The clock of another server may be ahead, by less than a minute.
            or (c.starts_at is null and v.starts_at = v.created_at and v.starts_at between c.decided_at and c.decided_at + interval '1 minute'))))
        or (c.subject = 'programme' and not exists (
          select from reward_programme v where v.starts_at = coalesce(c.starts_at, c.decided_at) and ${HAS_FIGURES})))`,
  },
]
