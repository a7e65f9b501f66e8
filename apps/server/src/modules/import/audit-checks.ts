import { atSql, type AuditCheck, factCheck, systemSql, walletKinds, walletSql } from '../../ledger/index.ts'

const USD_WALLETS = `'depositWallet', 'nftWallet'`
const DONE = `import_batch b where b.status = 'DONE'`

const DIFFERENT_SUMS = `select b.id, b.usd, b.coin from import_batch b cross join lateral (
    select coalesce(sum(amount) filter (where wallet in (${USD_WALLETS})), 0) as usd,
      coalesce(sum(amount) filter (where wallet not in (${USD_WALLETS})), 0) as coin
    from import_balance where batch_id = b.id) i
  where b.status = 'DONE' and (b.usd <> i.usd or b.coin <> i.coin)`

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
        i.amount, b.ended_at from import_balance i join ${DONE.replace(' where', ' on b.id = i.batch_id where')}
      union all
      select 'importStock', b.hash, ${systemSql('SYS-COIN', 'COIN')}, ${systemSql('SYS-IMPORT', 'COIN')}, b.coin, b.ended_at
      from ${DONE} and b.coin > 0`,
  }),
  {
    invariant: 'I4',
    title: 'the balances of each import add up to the sums that two people approved',
    later: { within: (window) => `${DIFFERENT_SUMS} and ${atSql('b.ended_at', window)}` },
    sql: DIFFERENT_SUMS,
  },
]
