import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** For tests: rules that no sequence of calls may break, computed from the stored facts without code of the product. */

/** What the test itself has brought onto the platform, in units, and the random offers. */
export interface Facts {
  /** USD of confirmed deposits. */
  deposits: Units
  /** Coin of confirmed deposits. */
  coinIn: Units
  price: Units
  hasPriceChanges: boolean
  hasAnnouncedPrices: boolean
  hasBlocks: boolean
}

/** A rule with the figure that must not be above its limit. */
interface Judge {
  title: string
  /** SQL for the columns `figure` and `most`, both numeric. */
  query: (facts: Facts) => ReturnType<typeof sql>
  applies?: (facts: Facts) => boolean
}

const sum = (text: string) => sql.raw(`coalesce(sum(${text}), 0)`)

/** Rewards that a source still owes to its owner and, by each level's share, to the uplines; and its rank budget. */
const LEFT = `(s.steps - s.processed) * (s.amount
    + (select coalesce(sum(div(s.amount::numeric * percent, 10000000000)), 0) from unnest(case s.stream when 0 then p.bounty_percents when 1 then p.stake_log_bounty_percents else p.nft_bounty_percents end) percent))
  + case when s.rank_settled_at is null then s.rank_budget else 0 end`
const SHARE = `(case s.stream when 0 then p.level_percents when 1 then p.stake_log_level_percents else p.nft_level_percents end)[i.level]`

/** Compares the promised rewards of one asset with its pool. */
const coverage = (asset: 'USD' | 'COIN') => sql`
  select (select ${sum(LEFT)} from reward_source s join reward_programme p on p.version = s.programme_version
      where s.reversed_at is null and (s.stream = 2) = ${asset === 'USD'})
    + (select ${sum('amount - reversed')} from reward_instant where asset = ${asset} and status in ('held', 'owed'))
    + (select ${sum('filled')} from reward_rank_bonus where completed_at is null and ${asset === 'COIN'}) as figure,
    (select ${sum('balance')} from ledger_account where kind = 'SYS-REWARD' and asset = ${asset}) as most`

/** New money that pending and paid referral rewards have used, by the price of each purchase. */
const REWARDED = sql`(select coalesce(sum(p.charged::numeric * (i.base - i.base_returned) / p.coin_amount), 0)
  from reward_instant i join coin_purchase p on p.id = i.cause_id where i.kind = 'referral' and i.status <> 'unearned')`

const JUDGES: readonly Judge[] = [
  { title: 'promised coin is at most the reward pool', query: () => coverage('COIN'), applies: ({ hasBlocks }) => !hasBlocks },
  { title: 'promised USD is at most the reward pool', query: () => coverage('USD'), applies: ({ hasBlocks }) => !hasBlocks },
  {
    title: 'new and rewarded money is at most the deposits',
    query: ({ deposits }) =>
      sql`select (select ${sum('new_money')} from ledger_account) + ${REWARDED} as figure, ${deposits}::numeric + 1000 as most`,
  },
  {
    title: "a member's rewarded money is at most the new money of the member's purchases that did not come back or leave over a bridge",
    query: () => sql`
      select ${sum('rewarded - used + returned + sent')} as figure, 1000 as most from (
        select m.id,
          (select ${sum('p.charged::numeric * (i.base - i.base_returned) / p.coin_amount')} from reward_instant i
            join coin_purchase p on p.id = i.cause_id where i.kind = 'referral' and i.status <> 'unearned' and p.member_id = m.id) as rewarded,
          (select ${sum('t.new_money')} from ledger_transfer t where t.kind = 'buyToken' and t.debit_account = m.id * 16 + 1) as used,
          (select ${sum('r.amount')} from ledger_new_money_return r join ledger_transfer t on t.id = r.transfer_id
            where t.credit_account = m.id * 16 + 1) as returned,
          (select ${sum('p.charged::numeric * s.coin / p.coin_amount')} from reward_sent_coin s join reward_instant i on i.id = s.reward_id
            join coin_purchase p on p.id = i.cause_id where p.member_id = m.id) as sent
        from member m) totals
      where rewarded > used - returned - sent + 1000`,
  },
  {
    title: 'unannounced prices move at most 5 % in 24 hours',
    applies: ({ hasPriceChanges, hasAnnouncedPrices }) => hasPriceChanges && !hasAnnouncedPrices,
    query: () => sql`
      with path as (select starts_at, created_by, abs(coin_price::numeric / lag(coin_price) over (order by starts_at, version) - 1) as move from setting)
      select (select ${sum('other.move')} from path other where other.created_by is not null
          and other.starts_at between path.starts_at - interval '24 hours' and path.starts_at) as figure, 0.0501 as most
      from path where created_by is not null`,
  },
  { title: 'nothing pauses the platform', query: () => sql`select count(*) as figure, 0 as most from ledger_stop` },
  {
    title: 'a sell request gets at least its lowest price',
    query: () =>
      sql`select ${sum('greatest(sold::numeric * lowest_price / 100000000 - received - 10, 0)')} as figure, 0 as most from sell_request`,
  },
  {
    title: 'referral rewards are at most 5 % of the deposits at the price of their purchase',
    query: ({ deposits }) => sql`
      select (select coalesce(sum((i.amount - i.reversed)::numeric * p.charged / p.coin_amount), 0) from reward_instant i
        join coin_purchase p on p.id = i.cause_id where i.kind = 'referral') as figure, ${deposits}::numeric / 20 + 1000 as most`,
  },
  {
    title: 'a level reward is at most its share of the principal, for at most one year',
    query: () => sql`
      select ${sum(`greatest(i.amount - s.principal::numeric * ${SHARE} / 10000000000 * case s.stream when 2 then 1 else least(s.steps, 365) / 365.0 end, 0)`)} as figure,
        0.01 as most
      from reward_instant i join reward_source s on s.id = i.cause_id join reward_programme p on p.version = s.programme_version
      where i.kind in ('level', 'nft-level')`,
  },
  {
    title: 'a rank bonus needs stakes below two direct referrals',
    query: () => sql`
      select count(*) as figure, 0 as most from (select member_id from reward_rank_share group by member_id) r
      where (select count(distinct t.member_id) from team_member t where t.sponsor_id = r.member_id and exists (
        with recursive below as (select t.member_id as id union all select b.member_id from team_member b join below on b.sponsor_id = below.id)
        select from stake join below on below.id = stake.member_id)) < 2`,
  },
  {
    title: 'a reversed NFT returns exactly its payment',
    query: () => sql`
      select count(*) as figure, 0 as most from ledger_transfer back join ledger_transfer paid on paid.kind = 'nftPurchase' and paid.cause_id = back.cause_id
      where back.kind = 'nftPurchaseReversed' and (back.amount, back.asset) <> (paid.amount, paid.asset)`,
  },
  {
    title: 'a sale brings at most 6 % more than a purchase of the 24 hours before',
    query: () => sql`
      select count(*) as figure, 0 as most from ledger_transfer coin
      join ledger_transfer usd on usd.posting_id = coin.posting_id and usd.asset = 'USD' and coin.asset = 'COIN' and usd.credit_account > 0
      join coin_purchase p on p.created_at between coin.created_at - interval '24 hours' and coin.created_at
      where coin.kind in ('myWalletToUsd', 'rcmToUsd') and coin.amount > 100000000 and p.coin_amount > 100000000
        and usd.amount::numeric / coin.amount > 1.06 * p.charged / p.coin_amount`,
  },
  {
    title: 'members hold at most their deposits and declared rewards',
    // Coin counts at its only price. Money that has left the platform counts as the members' money.
    applies: ({ hasPriceChanges }) => !hasPriceChanges,
    query: ({ deposits, coinIn, price }) => sql`
      with rewards as (select t.asset, t.amount from ledger_transfer t join ledger_account a on a.id = t.debit_account
        join ledger_account m on m.id = t.credit_account where a.kind = 'SYS-REWARD' and m.owner_id is not null),
      owned as (select asset, balance as amount from ledger_account where owner_id is not null
        union all select case kind when 'bridge' then 'COIN' else 'USD' end, amount from payout_request where status <> 'REJECTED')
      select (select coalesce(sum(case asset when 'USD' then amount else amount::numeric * ${price} / 100000000 end), 0) from owned) as figure,
        ${deposits}::numeric + ${coinIn}::numeric * ${price} / 100000000
        + (select coalesce(sum(case asset when 'USD' then amount else amount::numeric * ${price} / 100000000 end), 0) from rewards) as most`,
  },
]

/** Returns the broken rules with their figures. One statement compares all, because the test compares them after each step. */
export async function brokenRules(db: Db, facts: Facts): Promise<string[]> {
  const rules = JUDGES.filter(({ applies }) => applies?.(facts) !== false)
  const found = await sql<{ broken: string }>`${sql.join(
    rules.map(
      ({ title, query }) =>
        sql`select ${sql.lit(title)} || ': ' || figure || ' of at most ' || most as broken from (${query(facts)}) j where figure > most`,
    ),
    sql` union all `,
  )}`.execute(db)
  return found.rows.map(({ broken }) => broken)
}

/** Returns the free coverage of an asset in units: its pool, less the promised rewards. */
export async function freeCoverage(db: Db, asset: 'USD' | 'COIN'): Promise<Units> {
  const found = await sql<{ free: Units }>`select (most - figure)::bigint as free from (${coverage(asset)}) c`.execute(db)
  return found.rows[0]?.free ?? 0n
}

/** Returns the number of days that reward runs have paid. */
export async function countRewardDays(db: Db): Promise<number> {
  const found = await sql<{ days: number }>`select count(*)::int as days from reward_day where status = 'DONE'`.execute(db)
  return found.rows[0]?.days ?? 0
}

/** Compares the rewards of a member, who has only staked and whose stakes have ended, with the receipts of the stakes. */
export async function unpaidRewards(db: Db, memberId: bigint): Promise<string[]> {
  const found = await sql<{ due: string; paid: string }>`
    select (select ${sum('daily_reward * duration_days')} from stake where member_id = ${memberId} and status <> 'REVERSED')::text as due,
      (select ${sum('t.amount')} from ledger_transfer t join ledger_account p on p.id = t.debit_account and p.kind = 'SYS-REWARD'
        join ledger_account m on m.id = t.credit_account where m.owner_id = ${memberId})::text as paid`.execute(db)
  return found.rows.filter(({ due, paid }) => due !== paid).map(({ due, paid }) => `receipts promise ${due}, and ${paid} was paid`)
}
