import { type AuditCheck, factCheck, systemSql } from '../../../ledger/index.ts'

/** SQL: final platform transactions, with their gas cost. `EMPTY` transactions moved no money: they were cancelled, or failed. */
const FINAL = `select t.hash, 'PAYOUT' as source, t.gas_paid as wei, s.ended_at
    from payout_sending s join signed_transaction t on t.request_id = s.request_id where s.ended_at is not null and t.block is not null
  union all select t.hash, 'MOVE', t.gas_paid, m.ended_at
    from chain_move m left join signed_transaction t on t.move_id = m.id and t.block is not null where m.ended_at is not null
  union all select e.hash, 'EMPTY', e.gas_paid, e.ended_at from hot_wallet_empty e`

/** `ledger:audit` checks for network costs, independent from the booking code. */
export const costChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I7',
    title: 'the network fee of each platform transaction was booked once, from money of the operator',
    kinds: ['networkCost'],
    compare: ['created_at'],
    facts: `select 'networkCost', c.hash, ${systemSql('SYS-OPERATOR', 'USD')}, ${systemSql('SYS-GAS', 'USD')}, c.usd, c.booked_at
      from network_cost c where c.usd > 0`,
  }),
  {
    invariant: 'I7',
    title: 'every final transaction has one booked network fee: gas × price, rounded up',
    sql: `with final as materialized (${FINAL})
      select c.hash, c.wei, c.usd from network_cost c left join final f on f.hash = c.hash and f.source = c.source
      where f.wei is distinct from c.wei or f.ended_at <> c.ended_at or c.booked_at < c.ended_at
        or c.usd <> ceil(c.wei * c.price / 1000000000000000000)
      union all select f.hash, f.wei, null from final f
      where f.ended_at < (select max(c.ended_at) - interval '1 day' from network_cost c where c.source = f.source)
        and not exists (select from network_cost c where c.hash = f.hash)
      union all select max(t.hash), null, null from signed_transaction t where t.block is not null group by t.request_id, t.move_id having count(*) > 1`,
  },
]
