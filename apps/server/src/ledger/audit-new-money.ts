import type { AuditCheck } from './audit.ts'

/** New money into deposit wallets (above 0) and out of them, by transfer, with the balance after each outflow. */
const MOVED = `select t.debit_account as account, t.id, t.kind, t.amount, -coalesce(t.new_money, 0) as moved, t.debit_balance_after as left_over,
    t.credit_account as other, t.cause_id from ledger_transfer t where t.debit_account > 0 and t.debit_account % 16 = 1
  union all
  select t.credit_account, t.id, t.kind, t.amount, coalesce(t.new_money, 0) + coalesce(r.amount, 0), null, t.debit_account, t.cause_id
  from ledger_transfer t left join ledger_new_money_return r on r.transfer_id = t.id where t.credit_account > 0 and t.credit_account % 16 = 1`

/** @param start SQL of an account's value before the transfers read */
const foldSql = (start: string) => `
  select a.id, a.new_money, f.moved from ledger_account a left join (select account, sum(moved) as moved from (${MOVED}) m group by 1) f on f.account = a.id
  where a.new_money <> ${start} + coalesce(f.moved, 0) or a.new_money not between 0 and greatest(a.balance, 0)`

/**
 * SQL: new money that a transfer moves before other money: all available for a coin purchase or reversed deposit, and the original amount
 * for a reversed payment.
 */
const TAKEN_FIRST = `case when m.kind = 'buyToken' or m.kind = 'reversal' and m.other / 100 = -21 then m.before
  when m.kind = 'reversal' and m.other > 0 then least(m.before, coalesce((select o.new_money from ledger_reversal v
    join public.ledger_transfer o on o.id = v.reverses where v.reversed_by = m.id), 0)) else 0 end`

const orderSql = (start: string) => `
  select m.id, m.account, m.before, m.moved from (
    select e.*, ${start} + coalesce(sum(e.moved) over (partition by e.account order by e.id rows between unbounded preceding and 1 preceding), 0) as before
    from (${MOVED}) e) m
  where m.left_over is not null and -m.moved <> greatest(m.before - m.left_over, least(m.amount, ${TAKEN_FIRST}))`

const closed = (account: string) => `coalesce((select b.new_money from ledger_closed_balance b where b.account = ${account}), 0)`

/** Audit checks of new money (RW-01), recomputed from all transfers and separate from the posting code. */
export const newMoneyChecks: readonly AuditCheck[] = [
  {
    invariant: 'I2',
    title: "the new money of each wallet is the fold of its transfers, and at most the wallet's balance",
    sql: foldSql('0'),
    afterClose: { sql: foldSql(closed('a.id')) },
  },
  {
    invariant: 'I2',
    title: 'a purchase of coin takes new money first, and everything else other money first',
    sql: orderSql('0'),
    afterClose: { sql: orderSql(closed('e.account')) },
  },
]
