import type { AuditCheck } from '../../ledger/index.ts'

/** SQL: the newest published tree, with its totals from the signed text. */
const NEWEST = `newest as (
  select s.number, s.tree_id, s.at, (regexp_match(s.text, '\\nmembers (\\d+)\\n'))[1]::bigint as members,
    (regexp_match(s.text, '\\nowed leaves (\\d+) '))[1]::bigint as leaves,
    (regexp_match(s.text, '\\nowed leaves \\d+ root \\w+ usd (\\d+) coin'))[1]::numeric as owed_usd,
    (regexp_match(s.text, '\\nowed leaves \\d+ root \\w+ usd \\d+ coin (\\d+)'))[1]::numeric as owed_coin,
    (regexp_match(s.text, '\\npromised leaves \\d+ root \\w+ usd (\\d+) coin'))[1]::numeric
      - (regexp_match(s.text, '\\nunassigned usd (\\d+) '))[1]::numeric as promised_usd,
    (regexp_match(s.text, '\\npromised leaves \\d+ root \\w+ usd \\d+ coin (\\d+)'))[1]::numeric
      - (regexp_match(s.text, '\\nunassigned usd \\d+ coin (\\d+)'))[1]::numeric as promised_coin
  from trust_statement s order by s.number desc limit 1)`

/**
 * `ledger:audit` checks on the published balances. The checks read members and wallets, and share no code with the construction of the
 * trees.
 */
export const trustChecks: readonly AuditCheck[] = [
  {
    invariant: 'I21',
    title: 'the present amounts of all members add up to the amounts owed and promised on the page',
    // Liabilities without an earner belong to no member. While a run records accruals, its rewards are neither liabilities nor owed.
    sql: `with members as (
        select v.asset, sum(v.amount) as owed from ledger_owed_by_member() l
        cross join lateral (values ('USD', l.wallet_usd + l.hold_usd), ('COIN', l.wallet_coin + l.hold_coin)) v (asset, amount) group by v.asset
      ), unpaid as (
        select v.asset, sum(v.amount) as owed from reward_unpaid_by_member() u cross join lateral (values ('USD', u.usd), ('COIN', u.coin)) v (asset, amount) group by v.asset
      ), future as (
        select v.asset, sum(v.amount) as promised from reward_liability_by_member() p cross join lateral (values ('USD', p.usd), ('COIN', p.coin)) v (asset, amount) group by v.asset
      ), page as (
        select a.asset, sum(a.balance) filter (where a.kind = 'SYS-HOLD') as holds, -sum(a.balance) as wallets
        from ledger_account a where a.id < 0 group by a.asset
      )
      select asset, coalesce(m.owed, 0) + coalesce(u.owed, 0) as owed, p.wallets + coalesce(p.holds, 0) + c.owed as page_owed, f.promised, c.promised as page_promised
      from page p cross join lateral reward_coverage(p.asset) c left join members m using (asset) left join unpaid u using (asset) left join future f using (asset)
      where not exists (select from reward_run where status = 'RECORDING')
        and (coalesce(m.owed, 0) + coalesce(u.owed, 0) <> p.wallets + coalesce(p.holds, 0) + c.owed or f.promised > c.promised)`,
  },
  {
    invariant: 'I21',
    title: 'each member is in the newest published tree',
    // Transactions of sign-ups end in any order: a member who signs up while the tree is read may be missing.
    sql: `with ${NEWEST} select n.number, m.public_id from newest n
      join member m on m.created_at < n.at - interval '1 hour' and m.id <= (select t.newest_member from trust_tree t where t.id = n.tree_id)
      where not exists (select from trust_leaf l where l.tree_id = n.tree_id and l.member_id = m.id)`,
  },
  {
    invariant: 'I21',
    title: 'the members of the newest published tree add up to its published numbers',
    sql: `with ${NEWEST}, sums as (
        select count(l.member_id) as members, coalesce(sum(l.owed_usd), 0) as owed_usd, coalesce(sum(l.owed_coin), 0) as owed_coin,
          coalesce(sum(l.promised_usd), 0) as promised_usd, coalesce(sum(l.promised_coin), 0) as promised_coin
        from newest n left join trust_leaf l on l.tree_id = n.tree_id)
      select n.number, s.* from newest n cross join sums s
      where (s.members, s.owed_usd, s.owed_coin, s.promised_usd, s.promised_coin)
        is distinct from (n.members, n.owed_usd, n.owed_coin, n.promised_usd, n.promised_coin) or n.leaves <> 4 * n.members + 1`,
  },
  {
    invariant: 'I21',
    title: 'a wallet that has not moved since the newest published tree has the amount in it',
    sql: `with ${NEWEST}, wallets as (
        select owner_id, coalesce(sum(balance) filter (where asset = 'USD'), 0) as usd, coalesce(sum(balance) filter (where asset = 'COIN'), 0) as coin,
          sum(version) as version from ledger_account where owner_id is not null group by owner_id)
      select n.number, l.member_id from newest n join trust_leaf l on l.tree_id = n.tree_id left join wallets w on w.owner_id = l.member_id
      where (l.wallet_version = coalesce(w.version, 0) and (l.wallet_usd, l.wallet_coin) is distinct from (coalesce(w.usd, 0), coalesce(w.coin, 0)))
        or l.wallet_version > coalesce(w.version, 0) or l.owed_usd < l.wallet_usd or l.owed_coin < l.wallet_coin`,
  },
  {
    invariant: 'I21',
    title: 'the newest published trees have all their nodes, and each leaf has its own position',
    sql: `with ${NEWEST}, nodes as (
        select n.number, n.leaves, t.tree, (select sum(length(k.nodes)) / 48 from trust_node k where k.tree_id = n.tree_id and k.tree = t.tree and k.level = 0) as stored
        from newest n cross join (values ('owed'), ('promised')) t (tree)
      ), positions as (
        select n.number, (select count(distinct p) from trust_leaf l cross join unnest(l.owed_positions) p where l.tree_id = n.tree_id) as owed,
          (select count(distinct p) from trust_leaf l cross join unnest(l.promised_positions) p where l.tree_id = n.tree_id) as promised, n.members
        from newest n)
      select number, tree, stored from nodes where stored is distinct from leaves
      union all select number, 'positions', owed from positions where owed <> 4 * members or promised <> 4 * members`,
  },
  {
    invariant: 'I21',
    title: 'each published statement follows the one before it, and is in the audit log',
    sql: `select s.number, s.day from (
        select number, day, text, digest, lag(digest, 1, repeat('0', 64)) over (order by number) as before,
          row_number() over (order by number) as ordinal from trust_statement) s
      where s.number <> s.ordinal or s.digest <> encode(sha256(convert_to(s.text, 'UTF8')), 'hex')
        or s.text not like '%' || chr(10) || 'previous ' || s.before || chr(10) || '%'
        or not exists (select from audit_event e where e.action = 'trust.publish' and e.subject_type = 'proof' and e.subject_id = s.number::text
          and e.detail ->> 'digest' = s.digest)
      union all
      select e.subject_id::int, null from audit_event e where e.action = 'trust.publish' and e.subject_type = 'proof'
        and not exists (select from trust_statement s where s.number::text = e.subject_id)`,
  },
  {
    invariant: 'I21',
    title: 'each transaction that publishes a digest has the digest of its statement as data',
    // RLP: 32 bytes of data after a0.
    sql: `select d.hash, d.number from trust_digest_transaction d join trust_statement s using (number)
      where position('80a0' || s.digest || 'c0' in d.raw) = 0`,
  },
]
