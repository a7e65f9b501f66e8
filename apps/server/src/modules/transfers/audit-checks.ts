import { type AuditCheck, factCheck, systemSql, walletSql } from '../../ledger/index.ts'

/** `ledger:audit` checks for transfers, written independently from the posting code. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I4',
    title: 'each exchange moved its amount once',
    kinds: ['exchange'],
    compare: ['created_at', 'rule_version', 'posting_id'],
    facts: `select 'exchange', e.public_id, ${walletSql('e.member_id', 'newIcoWallet')}, ${walletSql('e.member_id', 'icoWallet')}, e.amount,
      e.created_at, e.settings_version, e.posting_id from wallet_exchange e`,
  }),
  factCheck({
    invariant: 'I13',
    title:
      'each conversion has two legs of one member, the second calculated from the first by the settings that it refers to, rounded down',
    kinds: ['convertToMyWallet', 'myWalletToUsd', 'rcmToUsd'],
    compare: ['created_at', 'rule_version', 'posting_id'],
    // Reads the member's leg as the fact for both legs, including the system account's.
    facts: (transfers) => `
      select t.kind, s.version::text, leg.debited, leg.credited, leg.amount, t.created_at, s.version, t.posting_id
      from ${transfers} t join setting s on s.version::text = t.cause_id and (s.starts_at <= t.created_at or s.starts_at = s.created_at)
      cross join lateral (values
        (t.debit_account, case t.kind when 'convertToMyWallet' then ${systemSql('SYS-SALES', 'USD')} else ${systemSql('SYS-COIN', 'COIN')} end,
          t.amount::numeric),
        (case t.kind when 'convertToMyWallet' then ${systemSql('SYS-COIN', 'COIN')} else ${systemSql('SYS-SALES', 'USD')} end,
          t.debit_account / 16 * 16 + case t.kind when 'convertToMyWallet' then 3 else 1 end,
          case t.kind when 'convertToMyWallet' then div(t.amount::numeric * 100000000, s.buy_rate)
            else div(t.amount::numeric * s.sell_price, 100000000) end)) leg (debited, credited, amount)
      where t.debit_account > 0`,
  }),
  {
    invariant: 'I13',
    title: 'each sell request was sold by its sales: its coin, its USD, no price below its lowest, and only while it was open',
    sql: `with sale as (
        select s.request_id, s.transfer_id, c.amount as coin, u.amount as usd, c.created_at, g.sell_price
        from sell_request_sale s join sell_request r on r.id = s.request_id
        left join ledger_transfer c on c.id = s.transfer_id and c.kind = 'myWalletToUsd' and c.posting_id = c.id
          and c.debit_account = ${walletSql('r.member_id', 'icoWallet')}
        left join ledger_transfer u on u.posting_id = c.id and u.kind = c.kind
          and u.credit_account = ${walletSql('r.member_id', 'depositWallet')}
        left join setting g on g.version = c.rule_version)
      select r.public_id from sell_request r
      left join (select request_id, sum(coin) as coin, sum(usd) as usd from sale group by request_id) s on s.request_id = r.id
      where r.sold <> coalesce(s.coin, 0) or r.received <> coalesce(s.usd, 0) or (r.status = 'SOLD') <> (r.sold = r.amount)
        or (r.status = 'OPEN') <> (r.closed_at is null)
      union all
      select r.public_id from sale s join sell_request r on r.id = s.request_id
      where s.coin is null or s.usd is null or s.sell_price is null or s.sell_price < r.lowest_price
        or s.created_at < r.created_at or s.created_at >= r.expires_at or s.created_at > coalesce(r.closed_at, s.created_at)`,
  },
  {
    invariant: 'I4',
    title: 'a movement between wallets is one transfer and refers to its member: the owner or the receiver',
    afterClose: 'same',
    sql: `select t.id, t.kind, t.cause_id from ledger_transfer t
      where t.kind in ('swapNative', 'nftToDeposit', 'userToUser')
        and (t.cause_id <> (t.credit_account / 16)::text or t.posting_id <> t.id
          or (t.kind = 'userToUser') <> (t.debit_account / 16 <> t.credit_account / 16))`,
  },
]
