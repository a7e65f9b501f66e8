import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { type Difference, LEAST, settledAt } from './check-addresses.ts'

/** Which tokens stand for what the ledger counts, and on which chain. */
export interface Books {
  chainId: number
  tokens: readonly { asset: 'COIN' | 'USD'; token: string; decimals: number }[]
  /** Whether a story was told of payments before the chain began, as on a play chain; otherwise each has its transfer there. */
  told: boolean
}

interface Sums {
  subject: string
  kind: 'DEPOSITS' | 'PAYOUTS'
  expected: string
  found: string
}

/** What the ledger's accounts of money from and to outside are compared for. */
export const BOOKS = ['SYS-DEPOSIT COIN', 'SYS-DEPOSIT USD', 'SYS-BRIDGE COIN', 'SYS-WITHDRAW USD'] as const

/**
 * Compares the balances of the ledger's accounts of money from and to outside with what came over the chain, by the provider and
 * out by payouts, in units. Each row for itself may look right: a credit that has no transfer, or a payout that none has, shows
 * in the sums. Everything is read at one moment.
 */
export async function compareBooks(db: Db, { chainId, tokens, told }: Books, now: Date): Promise<Difference[]> {
  const column = <T>(of: (token: Books['tokens'][number]) => T) => tokens.map(of)
  const key = sql`concat_ws(':', c.chain_id, c.tx_hash, c.token, c.address, c.ordinal)`
  const { rows } = await sql<Sums>`
    with token as (select * from unnest(${column(({ token }) => token)}::text[], ${column(({ asset }) => asset)}::text[],
      ${column(({ decimals }) => decimals)}::int[]) t (token, asset, decimals)),
    asset as (select asset from unnest(array['COIN', 'USD']) a (asset)),
    ledger as (select kind, asset, sum(balance) as balance from ledger_account
      where owner_id is null and kind in ('SYS-DEPOSIT', 'SYS-WITHDRAW', 'SYS-BRIDGE') group by 1, 2),
    -- What is young may be on its way into the books.
    arrived as (select t.asset, sum(c.amount) as amount from chain_transfer c join token t on t.token = c.token
      where c.chain_id = ${chainId} and c.state = 'FINAL' and c.amount >= ${LEAST} and (c.block_time < ${settledAt(now)}
        or exists (select from invoice_transfer i where i.transfer_key = ${key} and (i.credited_at is not null or i.held is not null)))
      group by 1),
    held as (select asset, sum(amount) as amount from invoice_transfer where held is not null and credited_at is null and is_live group by 1),
    told as (select i.asset, sum(i.amount) as amount from invoice_transfer i join deposit d on d.id = i.deposit_id
      where ${told} and i.credited_at is not null and not exists (select from chain_address a where a.address = d.address) group by 1),
    reversed as (select i.asset, sum(i.amount) as amount from ledger_reversal r join invoice_transfer i on i.transfer_id = r.reverses
      where i.is_live group by 1),
    hosted as (select coalesce(sum(p.amount), 0) as amount from payment_credit p
      where not exists (select from ledger_reversal r where r.reverses = p.transfer_id)),
    paid as (select p.kind, sum(case when s.request_id is null then p.received
        when t.decimals is null then p.received else floor(s.exact_amount * 10::numeric ^ (8 - t.decimals)) end) as amount
      from payout_request p left join payout_sending s on s.request_id = p.id left join token t on t.token = s.token
      where case when s.request_id is null then p.status = 'APPROVED' else s.state not in ('FAILED', 'CANCELLED') end group by 1)
    select 'DEPOSITS' as kind, 'SYS-DEPOSIT ' || a.asset as subject, coalesce(-l.balance, 0)::numeric(78, 0)::text as found,
      (coalesce(c.amount, 0) - coalesce(h.amount, 0) + coalesce(o.amount, 0) - coalesce(r.amount, 0)
        + case a.asset when 'USD' then (select amount from hosted) else 0 end)::numeric(78, 0)::text as expected
    from asset a left join arrived c using (asset) left join held h using (asset) left join told o using (asset) left join reversed r using (asset)
    left join ledger l on l.kind = 'SYS-DEPOSIT' and l.asset = a.asset
    union all
    select 'PAYOUTS', w.account || ' ' || w.asset, coalesce(l.balance, 0)::numeric(78, 0)::text, coalesce(p.amount, 0)::numeric(78, 0)::text
    from (values ('withdrawal', 'SYS-WITHDRAW', 'USD'), ('bridge', 'SYS-BRIDGE', 'COIN')) w (kind, account, asset)
    left join paid p on p.kind = w.kind left join ledger l on l.kind = w.account and l.asset = w.asset`.execute(db)
  return rows
    .map(({ kind, subject, expected, found }) => ({ kind, subject, expected: BigInt(expected), found: BigInt(found) }))
    .filter(({ expected, found }) => expected !== found)
}
