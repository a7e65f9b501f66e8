import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Difference, MIN_AMOUNT, settledAt } from './check-addresses.ts'
import { type Checkpoint, type CheckpointOf, NOTHING_SUMMED, summableUntil } from './checkpoint.ts'

/** Tokens of the ledger's assets, and their chain. */
export interface Books {
  chainId: number
  tokens: readonly { asset: 'COIN' | 'USD'; token: string; decimals: number }[]
  /** True if demo data contains payments from before the chain, as on a development chain. Otherwise each payment has a transfer. */
  hasDemoPayments: boolean
}

/** Compared ledger accounts for external money. */
export const BOOKS = ['SYS-DEPOSIT COIN', 'SYS-DEPOSIT USD', 'SYS-BRIDGE COIN', 'SYS-WITHDRAW USD'] as const

/** Identifies the saved sums for some books. */
export const checkpointOf = ({ chainId, tokens }: Books): CheckpointOf => ({
  chainId,
  part: 'BOOKS',
  settings: tokens.map(({ asset, token, decimals }) => `${asset} ${token} ${decimals}`).join(', '),
})

/**
 * Compares the external accounts of the ledger with chain transfers, provider payments and payouts, in units. A credit or payout without a
 * transfer can look valid as a row, but changes the sums. The query reads one snapshot.
 * @param since saved sums; the query reads only later rows, or everything if omitted
 * @returns the differences, and the sums for the next round
 */
export async function compareBooks(
  db: Db,
  books: Books,
  now: Date,
  since: Checkpoint = NOTHING_SUMMED,
): Promise<{ differences: Difference[]; checkpoint: Checkpoint }> {
  const { rows } = await sql<{ account: string; untilBlock: bigint; found: string; rested: string; young: string }>`
    with checkpoint as (${lastRested(books.chainId, now, since)}), moved as (${movesSince(books, now, since)})
    select a.account, (select block from checkpoint) as "untilBlock",
      -- System accounts have numbers below 0.
      (select coalesce(sum(balance), 0) * case a.kind when 'SYS-DEPOSIT' then -1 else 1 end from ledger_account l
        where l.id < 0 and l.kind = a.kind and l.asset = a.asset)::text as found,
      coalesce(sum(m.amount) filter (where m.rested), 0)::numeric(78, 0)::text as rested,
      coalesce(sum(m.amount) filter (where not m.rested), 0)::numeric(78, 0)::text as young
    from (select account, split_part(account, ' ', 1) as kind, split_part(account, ' ', 2) as asset from unnest(${[...BOOKS]}::text[]) b (account)) a
    left join moved m on m.account = a.account group by a.account, a.kind, a.asset`.execute(db)
  const sums = new Map(rows.map(({ account, rested }) => [account, (since.sums.get(account) ?? 0n) + BigInt(rested)]))
  const differences = rows.flatMap(({ account, found, young }) => {
    const expected = (sums.get(account) ?? 0n) + BigInt(young)
    const kind = account.startsWith('SYS-DEPOSIT') ? ('DEPOSITS' as const) : ('PAYOUTS' as const)
    return expected === BigInt(found) ? [] : [{ kind, subject: account, expected, found: BigInt(found) }]
  })
  return { differences, checkpoint: { until: summableUntil(now), untilBlock: rows[0]?.untilBlock ?? since.untilBlock, sums } }
}

/** SQL: last block with a settled transfer and a final decision. */
const lastRested = (chainId: number, now: Date, { untilBlock }: Checkpoint) => sql`
  select coalesce(max(block), ${untilBlock}) as block from chain_transfer
  where chain_id = ${chainId} and block > ${untilBlock} and state <> 'GONE' and block_time < ${summableUntil(now)}
    and block <= (select final_block from chain_cursor where chain_id = ${chainId})`

/**
 * SQL: expected movements per account since a time, and whether they are settled. A reversible movement has two rows, each with its
 * own time, so that settled rows never change.
 */
function movesSince({ chainId, tokens, hasDemoPayments }: Books, now: Date, { until, untilBlock }: Checkpoint) {
  const column = <T>(of: (token: Books['tokens'][number]) => T) => tokens.map(of)
  const key = sql`concat_ws(':', c.chain_id, c.tx_hash, c.token, c.address, c.ordinal)`
  const rested = (moment: string) => sql`${sql.ref(moment)} < ${summableUntil(now)} as rested`
  const since = (moment: string) => sql`${sql.ref(moment)} >= ${until}`
  const paid = sql`case p.kind when 'withdrawal' then 'SYS-WITHDRAW USD' else 'SYS-BRIDGE COIN' end as account`
  const amount = sql`case when s.request_id is null or t.decimals is null then p.received
    else floor(s.exact_amount * 10::numeric ^ (8 - t.decimals)) end`
  return sql`
    with token as (select * from unnest(${column(({ token }) => token)}::text[], ${column(({ asset }) => asset)}::text[],
      ${column(({ decimals }) => decimals)}::int[]) t (token, asset, decimals))
    -- What is young may be on its way into the books.
    select 'SYS-DEPOSIT ' || t.asset as account, c.amount::numeric as amount, c.block <= (select block from checkpoint) as rested
    from chain_transfer c join token t on t.token = c.token
    where c.chain_id = ${chainId} and c.block > ${untilBlock} and c.state = 'FINAL' and c.amount >= ${MIN_AMOUNT}
      -- A transfer without an invoice is credited only after two people have decided.
      and not exists (select from chain_address a where a.address = c.address and a.invoice_id is null)
      and (c.block_time < ${settledAt(now)}
        or exists (select from invoice_transfer i where i.transfer_key = ${key} and (i.credited_at is not null or i.held is not null)))
    union all
    select 'SYS-DEPOSIT ' || asset, -amount, false from invoice_transfer
    where held is not null and decided_at is null and credited_at is null and is_live
    union all
    select 'SYS-DEPOSIT ' || asset, -amount, ${rested('decided_at')} from invoice_transfer
    where held is not null and decided_at is not null and credited_at is null and is_live and ${since('decided_at')}
    union all
    select 'SYS-DEPOSIT ' || i.asset, i.amount, ${rested('i.credited_at')} from invoice_transfer i join deposit d on d.id = i.deposit_id
    where ${hasDemoPayments} and i.credited_at is not null and ${since('i.credited_at')}
      and not exists (select from chain_address a where a.address = d.address)
    union all
    select 'SYS-DEPOSIT ' || i.asset, -i.amount, ${rested('r.created_at')}
    from ledger_reversal r join invoice_transfer i on i.transfer_id = r.reverses where i.is_live and ${since('r.created_at')}
    union all
    select 'SYS-DEPOSIT USD', amount, ${rested('credited_at')} from payment_credit where ${since('credited_at')}
    union all
    select 'SYS-DEPOSIT USD', -p.amount, ${rested('r.created_at')}
    from ledger_reversal r join payment_credit p on p.transfer_id = r.reverses where ${since('r.created_at')}
    union all
    -- A returned payment was excluded above. It came in and left, and came back if it cannot arrive.
    select v.account, v.amount, v.rested from (
      select r.*, 1 as sign, ${rested('r.created_at')} from payment_return r where ${since('r.created_at')}
      union all
      select r.*, -1, ${rested('s.ended_at')} from payment_return r join payout_sending s on s.request_id = r.id
      where s.state in ('FAILED', 'CANCELLED') and ${since('s.ended_at')}) r
    cross join lateral (values ('SYS-DEPOSIT ' || r.asset, r.amount::numeric * r.sign, r.rested),
      (case r.asset when 'USD' then 'SYS-WITHDRAW USD' else 'SYS-BRIDGE COIN' end, r.received::numeric * r.sign, r.rested)) v (account, amount, rested)
    union all
    select ${paid}, ${amount}, ${rested('p.decided_at')}
    from payout_request p left join payout_sending s on s.request_id = p.id left join token t on t.token = s.token
    where p.kind <> 'transfer' and (s.request_id is not null or p.status = 'APPROVED' or p.returned_at is not null) and ${since('p.decided_at')}
    union all
    select ${paid}, -(${amount}), ${rested('s.ended_at')}
    from payout_sending s join payout_request p on p.id = s.request_id left join token t on t.token = s.token
    where s.state in ('FAILED', 'CANCELLED') and ${since('s.ended_at')}
    union all
    select 'SYS-WITHDRAW USD', m.amount, ${rested('m.created_at')} from proceeds_payout m
    where ${since('m.created_at')}
    union all
    select 'SYS-WITHDRAW USD', -m.amount, ${rested('s.ended_at')}
    from payout_sending s join proceeds_payout m on m.id = s.proceeds_id
    where s.state in ('FAILED', 'CANCELLED') and ${since('s.ended_at')}
    union all
    select ${paid}, -p.received, ${rested('p.returned_at')} from payout_request p
    where ${since('p.returned_at')} and not exists (select from payout_sending s where s.request_id = p.id)`
}
