import type { BusinessFigures, BusinessTotals } from '@tizara/contract/staff-business'
import { type RawBuilder, sql } from 'kysely'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'

/** Columns of `business_day` that can be summed over days, with their names in the API. */
export const FIGURE_COLUMNS = {
  registered: 'registered',
  verified: 'verified',
  deposited: 'deposited',
  bought: 'bought',
  staked: 'staked',
  usdDeposited: 'usd_deposited',
  coinDeposited: 'coin_deposited',
  coinSold: 'coin_sold',
  usdForCoin: 'usd_for_coin',
  coinBoughtBack: 'coin_bought_back',
  usdForBoughtBack: 'usd_for_bought_back',
  nftsSold: 'nfts_sold',
  usdForNfts: 'usd_for_nfts',
  usdFees: 'usd_fees',
  coinFees: 'coin_fees',
  stakesStarted: 'stakes_started',
  stakesEnded: 'stakes_ended',
  coinStaked: 'coin_staked',
  coinUnstaked: 'coin_unstaked',
  withdrawalsRequested: 'withdrawals_requested',
  withdrawalsPaid: 'withdrawals_paid',
  withdrawalsRejected: 'withdrawals_rejected',
  withdrawalsReturned: 'withdrawals_returned',
  usdRequested: 'usd_requested',
  usdPaid: 'usd_paid',
  coinBridged: 'coin_bridged',
  usdProceeds: 'usd_proceeds',
} as const satisfies Record<keyof BusinessFigures, string>

/** Totals at the end of a day: the column, and the columns that each day adds and subtracts. */
export const TOTAL_COLUMNS = {
  totalRegistered: { column: 'total_registered', adds: 'registered' },
  totalVerified: { column: 'total_verified', adds: 'verified' },
  totalDeposited: { column: 'total_deposited', adds: 'deposited' },
  totalBought: { column: 'total_bought', adds: 'bought' },
  totalStaked: { column: 'total_staked', adds: 'staked' },
  stakesActive: { column: 'stakes_active', adds: 'stakes_started', subtracts: 'stakes_ended' },
  coinInStakes: { column: 'coin_in_stakes', adds: 'coin_staked', subtracts: 'coin_unstaked' },
} as const satisfies Record<keyof BusinessTotals, { column: string; adds: string; subtracts?: string }>

/** Returns true if a figure is an amount in units; otherwise it is a count. */
export const isAmount = (name: string): boolean => /^(usd|coin)/i.test(name)

/** A range of times, the end excluded. */
export interface TimeRange {
  from: Date
  until: Date
}

const dayOf = (column: string) => sql`(${sql.ref(column)} at time zone 'UTC')::date`
const within = (column: string, { from, until }: TimeRange) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${until}`

/** Transfer ids and times differ in order by less than this. */
const ORDER_SLACK_MS = HOUR_MS

/** SQL: the transfers of some kinds in a range, by the index of rare kinds. */
const transfersOf = (kinds: readonly string[], range: TimeRange) => sql`(
  select * from ledger_transfer where kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})
    and id > ledger_last_before(0, ${new Date(range.from.getTime() - ORDER_SLACK_MS)})
    and id <= ledger_last_before(0, ${new Date(range.until.getTime() + ORDER_SLACK_MS)}) and ${within('created_at', range)})`

/** Returns a payout that staff approved, even if it returned later. */
const PAID = sql`kind <> 'transfer' and (status = 'APPROVED' or returned_at is not null)`

/** SQL: each member's steps in a range that are not recorded yet, as (member_id, step, day). */
export const newSteps = (range: TimeRange): RawBuilder<unknown> => sql`
  select taken.member_id, taken.step, min(taken.day) as day from (
    select t.credit_account / 16 as member_id, 'deposited' as step, ${dayOf('t.created_at')} as day
      from ${transfersOf(['deposit', 'tokenDeposit'], range)} t
    union all select member_id, 'bought', ${dayOf('created_at')} from coin_purchase where ${within('created_at', range)}
    union all select member_id, 'bought', ${dayOf('purchased_at')} from nft_purchase where ${within('purchased_at', range)}
    union all select member_id, 'staked', ${dayOf('started_at')} from stake where ${within('started_at', range)}) taken
  where not exists (select from business_first_step known where known.member_id = taken.member_id and known.step = taken.step)
  group by taken.member_id, taken.step`

/** SQL: USD that members paid for coin and NFTs in a range, as (member_id, day, figure, usd). A reversed purchase counts as negative. */
const revenueSql = (range: TimeRange) => sql`
  select member_id, ${dayOf('created_at')} as day, 'usd_for_coin' as figure, charged as usd from coin_purchase where ${within('created_at', range)}
  union all select member_id, ${dayOf('reversed_at')}, 'usd_for_coin', -charged from coin_purchase where ${within('reversed_at', range)}
  union all select debit_account / 16, ${dayOf('created_at')}, 'usd_for_coin', amount
    from ${transfersOf(['convertToMyWallet'], range)} t where asset = 'USD'
  union all select member_id, ${dayOf('purchased_at')}, 'usd_for_nfts', paid_amount
    from nft_purchase where paid_asset = 'usd' and imported_at is null and ${within('purchased_at', range)}
  union all select member_id, ${dayOf('reversed_at')}, 'usd_for_nfts', -paid_amount
    from nft_purchase where paid_asset = 'usd' and ${within('reversed_at', range)}`

/** SQL: amounts that the rows of a range add to a figure of their day, as (day, figure, amount), without the first steps. */
const additions = (range: TimeRange) => sql`
  select ${dayOf('created_at')} as day, 'registered' as figure, 1::bigint as amount from member where ${within('created_at', range)}
  union all select ${dayOf('verified_at')}, 'verified', 1 from member where ${within('verified_at', range)}
  union all select day, figure, usd from (${revenueSql(range)}) paid
  union all select ${dayOf('t.created_at')}, f.figure, f.amount from ${transfersOf(['deposit', 'tokenDeposit', 'convertToMyWallet', 'myWalletToUsd', 'rcmToUsd', 'reversal', 'proceeds', 'proceedsReturned'], range)} t
    join ledger_account s on s.id = t.credit_account
    cross join lateral (values
      ('usd_deposited', case when t.kind = 'deposit' then t.amount when t.kind = 'reversal' and t.asset = 'USD' and s.kind = 'SYS-DEPOSIT' then -t.amount end),
      ('coin_deposited', case when t.kind = 'tokenDeposit' then t.amount when t.kind = 'reversal' and t.asset = 'COIN' and s.kind = 'SYS-DEPOSIT' then -t.amount end),
      ('coin_sold', case when t.kind = 'convertToMyWallet' and t.asset = 'COIN' then t.amount end),
      ('coin_bought_back', case when t.kind in ('myWalletToUsd', 'rcmToUsd') and t.asset = 'COIN' then t.amount end),
      ('usd_proceeds', case t.kind when 'proceeds' then t.amount when 'proceedsReturned' then -t.amount end),
      ('usd_for_bought_back', case when t.kind in ('myWalletToUsd', 'rcmToUsd') and t.asset = 'USD' then t.amount end)) f (figure, amount)
    where f.amount is not null
  union all select ${dayOf('created_at')}, 'coin_sold', coin_amount from coin_purchase where ${within('created_at', range)}
  union all select ${dayOf('reversed_at')}, 'coin_sold', -coin_amount from coin_purchase where ${within('reversed_at', range)}
  union all select ${dayOf('purchased_at')}, 'nfts_sold', 1 from nft_purchase where ${within('purchased_at', range)}
  union all select ${dayOf('reversed_at')}, 'nfts_sold', -1 from nft_purchase where ${within('reversed_at', range)}
  union all select ${dayOf('started_at')}, f.figure, f.amount from stake
    cross join lateral (values ('stakes_started', 1::bigint), ('coin_staked', stake.amount)) f (figure, amount) where ${within('started_at', range)}
  union all select (coalesce(reversed_at, matured_at) at time zone 'UTC')::date, f.figure, f.amount from stake
    cross join lateral (values ('stakes_ended', 1::bigint), ('coin_unstaked', stake.amount)) f (figure, amount)
    where coalesce(reversed_at, matured_at) >= ${range.from} and coalesce(reversed_at, matured_at) < ${range.until}
  union all select ${dayOf('created_at')}, f.figure, f.amount from payout_request p
    cross join lateral (values ('withdrawals_requested', 1::bigint), ('usd_requested', p.amount)) f (figure, amount)
    where kind = 'withdrawal' and ${within('created_at', range)}
  union all select ${dayOf('decided_at')}, f.figure, f.amount from payout_request p
    cross join lateral (values ('withdrawals_paid', case kind when 'withdrawal' then 1::bigint end),
      ('usd_paid', case kind when 'withdrawal' then received end), ('coin_bridged', case kind when 'bridge' then received end),
      ('usd_fees', case kind when 'withdrawal' then platform_fee + network_fee end),
      ('coin_fees', case kind when 'bridge' then platform_fee + network_fee end)) f (figure, amount)
    where ${PAID} and ${within('decided_at', range)} and f.amount is not null
  union all select ${dayOf('returned_at')}, f.figure, f.amount from payout_request p
    cross join lateral (values ('withdrawals_returned', case kind when 'withdrawal' then 1::bigint end),
      ('usd_paid', case kind when 'withdrawal' then -received end), ('coin_bridged', case kind when 'bridge' then -received end),
      ('usd_fees', case kind when 'withdrawal' then -platform_fee - network_fee end),
      ('coin_fees', case kind when 'bridge' then -platform_fee - network_fee end)) f (figure, amount)
    where ${PAID} and ${within('returned_at', range)} and f.amount is not null
  union all select ${dayOf('decided_at')}, 'withdrawals_rejected', 1 from payout_request
    where kind = 'withdrawal' and status = 'REJECTED' and returned_at is null and ${within('decided_at', range)}`

/**
 * SQL: one row per day with activity, with the columns of {@link FIGURE_COLUMNS}. Each row counts once, on its own UTC day, so that a
 * closed day never changes.
 * @param steps SQL for the first steps as (step, day)
 */
export const figuresByDay = (range: TimeRange, steps: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select day, ${sql.join(
    Object.values(FIGURE_COLUMNS).map(
      (column) => sql`coalesce(sum(amount) filter (where figure = ${sql.lit(column)}), 0)::bigint as ${sql.ref(column)}`,
    ),
  )}
  from (${additions(range)} union all select day, step, 1 from (${steps}) step) added group by day`

/** SQL: verified members, USD taken and coin staked in a range, by member, as (member_id, day, verified, usd_taken, coin_staked). */
export const volumeByMember = (range: TimeRange): RawBuilder<unknown> => sql`
  select member_id, day, sum(verified)::bigint as verified, sum(usd)::bigint as usd_taken, sum(coin)::bigint as coin_staked from (
    select id as member_id, ${dayOf('verified_at')} as day, 1 as verified, 0::bigint as usd, 0::bigint as coin from member where ${within('verified_at', range)}
    union all select member_id, day, 0, usd, 0 from (${revenueSql(range)}) paid
    union all select member_id, ${dayOf('started_at')}, 0, 0, amount from stake where ${within('started_at', range)}) part
  group by member_id, day`

/** Returns the heading of a figure in a file: `usdForCoin` as `USD for coin`. */
export const describeFigure = (name: string): string => {
  const words = name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\busd\b/, 'USD')
    .replace('nfts', 'NFTs')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
