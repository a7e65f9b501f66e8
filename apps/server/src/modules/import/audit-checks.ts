import { atSql, type AuditCheck, factCheck, systemSql, walletKinds, walletSql } from '../../ledger/index.ts'

const USD_WALLETS = `'depositWallet', 'nftWallet'`
const IS_DONE = `b.status = 'DONE'`

const DIFFERENT_SUMS = `select b.id, b.usd, b.coin from import_batch b cross join lateral (
    select coalesce(sum(amount) filter (where wallet in (${USD_WALLETS})), 0) as usd,
      coalesce(sum(amount) filter (where wallet not in (${USD_WALLETS})), 0) as coin
    from import_balance where batch_id = b.id) i
  where ${IS_DONE} and (b.usd <> i.usd or b.coin <> i.coin)`

const DIFFERENT_STAKES = `select i.member_id, i.amount, s.amount as staked
  from import_batch b join import_balance i on i.batch_id = b.id and i.wallet = 'stakeWallet'
  cross join lateral (select coalesce(sum(amount), 0) as amount, min(transfer_id) as first, max(transfer_id) as last from stake
    where member_id = i.member_id and imported_at = b.ended_at) s
  left join ledger_transfer t on t.id = s.first and t.kind = 'importBalance' and t.cause_id = i.id::text
  where ${IS_DONE} and (i.amount <> s.amount or t.id is null or s.first <> s.last)`

/** `ledger:audit` checks of imports, written independently from the posting code. */
export const importChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I4',
    title: 'each imported balance reached its wallet once, and the coin of each import came from the stock',
    kinds: ['importBalance', 'importStock'],
    compare: ['created_at'],
    facts: `select 'importBalance', i.id::text,
        case when i.wallet in (${USD_WALLETS}) then ${systemSql('SYS-IMPORT', 'USD')} else ${systemSql('SYS-IMPORT', 'COIN')} end,
        case i.wallet ${walletKinds.map((wallet) => `when '${wallet}' then ${walletSql('i.member_id', wallet)}`).join(' ')} end,
        i.amount, b.ended_at from import_balance i join import_batch b on b.id = i.batch_id where ${IS_DONE}
      union all
      select 'importStock', b.hash, ${systemSql('SYS-COIN', 'COIN')}, ${systemSql('SYS-IMPORT', 'COIN')}, b.coin, b.ended_at
      from import_batch b where ${IS_DONE} and b.coin > 0`,
  }),
  {
    invariant: 'I4',
    title: 'the imported stakes of a member add up to the balance that the import moved into stakeWallet, and refer to that transfer',
    afterClose: { within: (window) => `${DIFFERENT_STAKES} and ${atSql('b.ended_at', window)}` },
    sql: `${DIFFERENT_STAKES}
      union all select s.member_id, null, s.amount from stake s
      where s.imported_at is not null and not exists (select from import_balance i join import_batch b on b.id = i.batch_id
        where i.member_id = s.member_id and i.wallet = 'stakeWallet' and b.ended_at = s.imported_at)`,
  },
  {
    invariant: 'I4',
    title: 'the balances of each import add up to the sums that two people approved',
    afterClose: { within: (window) => `${DIFFERENT_SUMS} and ${atSql('b.ended_at', window)}` },
    sql: DIFFERENT_SUMS,
  },
]
