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
    invariant: 'I4',
    title: 'a movement between wallets is one transfer and refers to its member: the owner or the receiver',
    later: 'same',
    sql: `select t.id, t.kind, t.cause_id from ledger_transfer t
      where t.kind in ('swapNative', 'nftToDeposit', 'userToUser')
        and (t.cause_id <> (t.credit_account / 16)::text or t.posting_id <> t.id
          or (t.kind = 'userToUser') <> (t.debit_account / 16 <> t.credit_account / 16))`,
  },
]
