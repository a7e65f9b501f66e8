import { type AuditCheck, factCheck, systemSql, walletSql, rowRule } from '../../ledger/index.ts'

const byKind = (usd: string, coin: string) => `case p.kind when 'bridge' then ${coin} else ${usd} end`
const WALLET = byKind(walletSql('p.member_id', 'depositWallet'), walletSql('p.member_id', 'icoWallet'))
const HOLD = byKind(systemSql('SYS-HOLD', 'USD'), systemSql('SYS-HOLD', 'COIN'))
/** SQL: ledger kind for a hold, and for a returned hold. */
const HELD_KIND = `case p.kind when 'transfer' then 'transferHeld' else p.kind end`
const RETURNED_KIND = `case p.kind when 'transfer' then 'transferReleased' else p.kind || 'Rejected' end`
const FEE = byKind(systemSql('SYS-FEE', 'USD'), systemSql('SYS-FEE', 'COIN'))
const OUT = byKind(systemSql('SYS-WITHDRAW', 'USD'), systemSql('SYS-BRIDGE', 'COIN'))
const byAsset = (usd: string, coin: string) => `case r.asset when 'USD' then ${usd} else ${coin} end`
/** SQL: accounts of payment return `r`, and the returns that cannot arrive. */
const CAME_IN = byAsset(systemSql('SYS-DEPOSIT', 'USD'), systemSql('SYS-DEPOSIT', 'COIN'))
const WENT_OUT = byAsset(systemSql('SYS-WITHDRAW', 'USD'), systemSql('SYS-BRIDGE', 'COIN'))
const RETURN_FEE = byAsset(systemSql('SYS-FEE', 'USD'), systemSql('SYS-FEE', 'COIN'))
const UNPAID_RETURN = `from payment_return r join payout_sending s on s.payment_return_id = r.id where s.state in ('FAILED', 'CANCELLED')`
const FUND = systemSql('SYS-SALES', 'USD')
/** Approved payouts, including those that the chain returned, and payouts without approval. */
const ENDED = {
  APPROVED: "(p.status = 'APPROVED' or p.returned_at is not null)",
  REJECTED: "p.status = 'REJECTED' and p.returned_at is null",
} as const
const ended = (status: keyof typeof ENDED) => `p.decided_at, p.hold_id from payout_request p where ${ENDED[status]}`

/** SQL: formats an integer of at most 120 bits as hex digits, as in transactions. */
const hexSql = (number: string) =>
  `ltrim(to_hex(div(${number}, 1152921504606846976)::bigint) || lpad(to_hex((${number} % 1152921504606846976)::bigint), 15, '0'), '0')`

/** Selects payouts requested, decided or returned in a window, and the pending ones. */
const inWindow = (at: (column: string) => string) => ({
  payout_request: [
    at('created_at'),
    `status = 'PENDING' and confirmed_at is null`,
    `status = 'PENDING' and confirmed_at is not null`,
    at('decided_at'),
    at('returned_at'),
  ],
})

/** SQL: the rule that approved payout `p`, as in the version of the rules then in force. */
const APPROVING_RULE = `select r.value as rule, v.starts_at from payout_rules v cross join lateral jsonb_array_elements(v.rules::jsonb -> 'rules') r
  where v.version = p.rule_version and r.value ->> 'name' = p.rule_name and r.value ->> 'action' = 'approve' and r.value ->> 'kind' = p.kind`
/** SQL: payouts that rules approved, with the number and sum on their UTC day up to each: of the rule, the member and the address. */
const RULED = (() => {
  const used = (name: string) => `count(*) over ${name} as ${name}_count, sum(o.amount) over ${name} as ${name}_sum`
  const upToIt = (name: string, by: string) =>
    `${name} as (partition by o.kind, ${by}, date_trunc('day', o.decided_at, 'UTC') order by o.decided_at)`
  return `select o.*, ${used('of_rule')}, ${used('of_member')}, ${used('of_address')} from payout_request o where o.rule_outcome = 'APPROVED'
    window ${upToIt('of_rule', 'o.rule_name')}, ${upToIt('of_member', 'o.member_id')}, ${upToIt('of_address', 'lower(o.address)')}`
})()

/** `ledger:audit` checks for payouts, written independently from the posting code. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I7',
    title: 'each payout was requested with one hold of its amount',
    kinds: ['withdrawal', 'bridge', 'transferHeld'],
    compare: ['created_at', 'rule_version', 'id'],
    facts: `select ${HELD_KIND}, p.public_id, ${WALLET}, ${HOLD}, p.amount, p.created_at, p.settings_version, p.hold_id from payout_request p`,
  }),
  factCheck({
    invariant: 'I7',
    title: 'an approved payout was paid and charged once, a rejected one was returned in full, the others moved nothing',
    kinds: ['payout', 'platformFee', 'networkFee', 'withdrawalRejected', 'bridgeRejected', 'transferReleased'],
    compare: ['created_at', 'resolves'],
    facts: `
      select 'payout', p.public_id, ${HOLD}, ${OUT}, p.received, ${ended('APPROVED')} and p.kind <> 'transfer'
      union all select 'platformFee', p.public_id, ${HOLD}, ${FEE}, p.platform_fee, ${ended('APPROVED')} and p.platform_fee > 0
      union all select 'networkFee', p.public_id, ${HOLD}, ${FEE}, p.network_fee, ${ended('APPROVED')} and p.network_fee > 0
      union all select ${RETURNED_KIND}, p.public_id, ${HOLD}, ${WALLET}, p.amount, ${ended('REJECTED')}
      union all select 'transferReleased', p.public_id, ${HOLD}, ${WALLET}, p.amount, ${ended('APPROVED')} and p.kind = 'transfer'`,
  }),
  factCheck({
    invariant: 'I7',
    title: 'a payout that failed on the chain was returned once, in full, with its fees',
    kinds: ['payoutReturned', 'payoutFeeReturned'],
    compare: ['created_at'],
    facts: `
      select 'payoutReturned', p.public_id, ${OUT}, ${WALLET}, p.received, p.returned_at from payout_request p where p.returned_at is not null
      union all select 'payoutFeeReturned', p.public_id, ${FEE}, ${WALLET}, p.platform_fee + p.network_fee, p.returned_at
        from payout_request p where p.returned_at is not null and p.platform_fee + p.network_fee > 0`,
  }),
  {
    invariant: 'I7',
    title: 'the amount sent for a payout is its net amount, and money was returned only where none can arrive',
    ...rowRule(
      `select p.public_id from payout_request p join payout_sending s on s.request_id = p.id
      where lower(p.address) <> s.to_address or (s.state in ('FAILED', 'CANCELLED')) <> (p.returned_at is not null)
        or p.returned_at is distinct from case when s.state in ('FAILED', 'CANCELLED') then s.ended_at end
        or s.state = 'DONE' and (p.tx_hash is null or not exists (
          select from signed_transaction t where t.hash = p.tx_hash and t.request_id = s.request_id and t.purpose = 'PAYMENT' and t.block is not null))
      union all select p.public_id from payout_request p join payout_sending s on s.request_id = p.id
      where s.exact_amount <> trunc(s.exact_amount) or s.exact_amount % p.received <> 0
        or s.exact_amount / p.received not in (select power(10::numeric, digits) from generate_series(0, 28) digits)
      union all select p.public_id from payout_request p
      where p.returned_at is not null and not exists (select from payout_sending s where s.request_id = p.id)`,
      inWindow,
    ),
  },
  factCheck({
    invariant: 'I7',
    title: 'each payment return was posted once with its network fee, and taken back once if it did not arrive',
    kinds: ['paymentReturned', 'returnFee', 'paymentReturnReversed', 'returnFeeReversed'],
    compare: ['created_at'],
    facts: `
      select 'paymentReturned', r.public_id, ${CAME_IN}, ${WENT_OUT}, r.received, r.created_at from payment_return r
      union all select 'returnFee', r.public_id, ${CAME_IN}, ${RETURN_FEE}, r.network_fee, r.created_at from payment_return r where r.network_fee > 0
      union all select 'paymentReturnReversed', r.public_id, ${WENT_OUT}, ${CAME_IN}, r.received, s.ended_at ${UNPAID_RETURN}
      union all select 'returnFeeReversed', r.public_id, ${RETURN_FEE}, ${CAME_IN}, r.network_fee, s.ended_at ${UNPAID_RETURN} and r.network_fee > 0`,
  }),
  {
    invariant: 'I7',
    title: 'each payment return was queued once, with its receiver, its amount and the fee of its settings',
    sql: `select r.public_id from payment_return r left join payout_sending s on s.payment_return_id = r.id
      left join setting f on f.version = r.settings_version
      where s.to_address is distinct from r.address or s.queued_at <> r.created_at or s.answer is not null
        or s.exact_amount / r.received not in (select power(10::numeric, digits) from generate_series(0, 28) digits)
        or r.network_fee is distinct from div(r.amount::numeric * f.network_fee_percent + 9999999999, 10000000000)`,
  },
  factCheck({
    invariant: 'I7',
    title: 'each payout of proceeds left the sales fund once, and returned only if it ended without arriving',
    kinds: ['proceeds', 'proceedsReturned'],
    compare: ['created_at'],
    facts: `select 'proceeds', m.public_id, ${FUND}, ${systemSql('SYS-WITHDRAW', 'USD')}, m.amount, m.created_at from proceeds_payout m
      union all select 'proceedsReturned', m.public_id, ${systemSql('SYS-WITHDRAW', 'USD')}, ${FUND}, m.amount, s.ended_at
        from proceeds_payout m join payout_sending s on s.proceeds_id = m.id where s.state in ('FAILED', 'CANCELLED')`,
  }),
  {
    invariant: 'I7',
    title: 'each payout of proceeds was queued once, with its receiver and amount',
    sql: `select m.public_id from proceeds_payout m left join payout_sending s on s.proceeds_id = m.id
      where s.to_address is distinct from m.address or s.queued_at <> m.created_at or s.answer is not null
        or s.exact_amount / m.amount not in (select power(10::numeric, digits) from generate_series(0, 28) digits)`,
  },
  {
    invariant: 'I7',
    title: 'each cold move was queued once, with its receiver and amount',
    sql: `select m.public_id from cold_move m left join payout_sending s on s.cold_move_id = m.id
      where s.to_address is distinct from m.address or s.queued_at <> m.created_at or s.answer is not null
        or s.exact_amount / m.amount not in (select power(10::numeric, digits) from generate_series(0, 28) digits)`,
  },
  {
    invariant: 'I7',
    title: 'each signed transaction has the payment of its payout and the fee of its row, and the nonces of a wallet have no gap',
    sql: `select t.hash from signed_transaction t join payout_sending s on s.request_id = t.request_id
      where s.nonce is null or position(${hexSql('t.gas_price')} in t.raw) = 0 or t.gas_paid > t.gas_price * t.gas_used
        or (t.block is null) <> (t.gas_used is null) or (t.block is null) <> (t.gas_paid is null)
        or t.purpose = 'PAYMENT' and (position(substr(s.token, 3) || '80b844a9059cbb' in t.raw) = 0
          or position(lpad(substr(s.to_address, 3), 64, '0') || lpad(${hexSql('s.exact_amount')}, 64, '0') in t.raw) = 0)
      union all select w.address from hot_wallet w join lateral (
        select count(*) as signed, min(n.nonce) as first, max(n.nonce) as last from (
          select nonce from payout_sending where chain_id = w.chain_id and wallet = w.address and nonce_taken_by is null
          union all select nonce from hot_wallet_empty where chain_id = w.chain_id and wallet = w.address) n) s on s.signed > 0
      where w.next_nonce <> s.last + 1 or s.last - s.first + 1 <> s.signed
      union all select s.wallet from payout_sending s
      where s.wallet is not null and not exists (select from hot_wallet w where w.chain_id = s.chain_id and w.address = s.wallet)`,
  },
  {
    invariant: 'I7',
    title: 'the fees of a payout are those of the settings that it refers to, rounded up, and a member of staff or a rule decided',
    ...rowRule(
      `select p.public_id, p.amount, p.platform_fee, p.network_fee, p.received
      from payout_request p join setting s on s.version = p.settings_version
      where p.kind <> 'transfer' and (p.platform_fee <> div(p.amount::numeric * ${byKind('s.platform_fee_percent', 's.bridge_fee_percent')} + 9999999999, 10000000000)
        or p.network_fee <> ${byKind('div(p.amount::numeric * s.network_fee_percent + 9999999999, 10000000000)', '0')}
        or p.received <> p.amount - p.platform_fee - p.network_fee or p.created_at < s.starts_at
        or p.kind = 'bridge' and p.amount < s.bridge_minimum
        or p.status in ('APPROVED', 'REJECTED') and p.return_reason is null
          and (p.decided_by is null and p.rule_outcome is distinct from 'APPROVED' or p.decided_by in (p.member_id, coalesce(p.first_approved_by, 0))))`,
      inWindow,
    ),
  },
  {
    invariant: 'I7',
    title: 'a payout was paid only after the member confirmed it in time, and returned without a decision only if staff had not decided it',
    ...rowRule(
      `select p.public_id from payout_request p
      where p.status = 'APPROVED' and (p.confirmed_at is null or p.confirmed_at > p.decided_at)
        or p.confirmed_at is not null and (p.confirmed_at < p.created_at or p.confirmed_at > p.confirm_by)
        or p.confirmed_how = 'step-up' and p.step_up_digest is null or p.confirmed_how in ('book', 'step-up') and p.confirmed_at <> p.created_at
        or p.return_reason is not null and (p.status <> 'REJECTED' or p.decided_by is not null)
        or p.return_reason = 'expired' and (p.confirmed_at is not null or p.decided_at < p.confirm_by)`,
      inWindow,
    ),
  },
  {
    invariant: 'I7',
    title: 'a payout that a rule approved was within the rule and its ceilings of the day',
    ...rowRule(
      `select p.public_id from (${RULED}) p left join lateral (${APPROVING_RULE}) r on true
      where r.rule is null or r.starts_at > p.decided_at or p.amount > (r.rule ->> 'atMost')::numeric * 100000000
        or p.of_rule_count > (r.rule ->> 'dayCount')::int or p.of_rule_sum > (r.rule ->> 'daySum')::numeric * 100000000
        or greatest(p.of_member_count, p.of_address_count) > (r.rule ->> 'memberDayCount')::int
        or greatest(p.of_member_sum, p.of_address_sum) > (r.rule ->> 'memberDaySum')::numeric * 100000000`,
      inWindow,
    ),
  },
  {
    invariant: 'I7',
    // A MAC does not show that SQL wrote an earlier state of the row again. A removal is final, and a stop removes confirmations and proofs.
    title: 'each address of a book is as in the audit log: proven by its member, not removed, confirmed after the last stop of payouts',
    sql: `select a.public_id from payout_address a where (a.confirmed_at is not null or a.proven_at is not null) and a.removed_at is null and (
      a.proven_at is not null and not exists (
        select from audit_event e where e.subject_type = 'payout_address' and e.subject_id = a.public_id and e.action = 'payout.address-prove'
          and e.actor_id = a.member_id and e.at = a.proven_at and not exists (
            select from audit_event s where s.actor_id = e.actor_id and s.id > e.id and s.action = 'payout.stop' and s.outcome = 'ok'))
      or exists (select from audit_event e where e.subject_type = 'payout_address' and e.subject_id = a.public_id
        and e.action = 'payout.address-remove' and e.outcome = 'ok')
      or exists (select from audit_event s where s.actor_id = a.member_id and s.action = 'payout.stop' and s.outcome = 'ok' and s.at > a.confirmed_at))`,
  },
  {
    invariant: 'I4',
    title: 'a returned withdrawal restored the new money that it took',
    afterClose: 'same',
    sql: `select t.cause_id, sum(coalesce(t.new_money, 0)) as back, h.new_money as taken from ledger_transfer t
      join payout_request p on p.public_id = t.cause_id join public.ledger_transfer h on h.id = p.hold_id
      where t.kind in ('withdrawalRejected', 'transferReleased', 'payoutReturned', 'payoutFeeReturned') group by t.cause_id, h.new_money
      having sum(coalesce(t.new_money, 0)) <> coalesce(h.new_money, 0)`,
  },
  {
    invariant: 'I7',
    title: 'a confirmed transfer was posted once to its receiver when its owner confirmed it',
    ...rowRule(
      `select p.public_id from payout_request p
      where p.kind = 'transfer' and p.status = 'APPROVED' and (p.confirmed_at <> p.decided_at or not exists (
        select from ledger_transfer t where t.id = p.transfer_id and t.kind = 'userToUser' and t.amount = p.amount
          and t.debit_account = ${walletSql('p.member_id', 'depositWallet')} and t.credit_account = ${walletSql('p.receiver_id', 'depositWallet')}
          and t.created_at = p.decided_at))
      union all select min(p.public_id) from payout_request p where p.transfer_id is not null group by p.transfer_id having count(*) > 1`,
      inWindow,
    ),
  },
]
