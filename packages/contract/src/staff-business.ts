import * as v from 'valibot'
import { amount, answerId, moment } from './fields.ts'
import { staffRead } from './route.ts'

/** Periods of the business figures: complete UTC days, the calendar month up to the last complete day, or the last week from Monday to Sunday. */
export const businessPeriods = ['7', '30', '90', '365', 'month', 'week'] as const
export type BusinessPeriod = (typeof businessPeriods)[number]

/** Steps of the funnel, in order. A member counts once in each step, on the day of the first time. */
export const funnelSteps = ['registered', 'verified', 'deposited', 'bought', 'staked'] as const
export type FunnelStep = (typeof funnelSteps)[number]

const count = v.number()

/** Figures of a day or a period. Coin and USD are amounts, all others are counts. */
const figures = v.object({
  registered: count,
  verified: count,
  deposited: count,
  bought: count,
  staked: count,
  usdDeposited: amount,
  coinDeposited: amount,
  coinSold: amount,
  usdForCoin: amount,
  coinBoughtBack: amount,
  usdForBoughtBack: amount,
  nftsSold: count,
  usdForNfts: amount,
  usdFees: amount,
  coinFees: amount,
  stakesStarted: count,
  stakesEnded: count,
  coinStaked: amount,
  coinUnstaked: amount,
  withdrawalsRequested: count,
  withdrawalsPaid: count,
  withdrawalsRejected: count,
  withdrawalsReturned: count,
  usdRequested: amount,
  usdPaid: amount,
  coinBridged: amount,
  /** USD of the sales fund that was sent to the operator, without what came back. */
  usdProceeds: amount,
})

/** Totals at the end of a day. */
const totals = v.object({
  totalRegistered: count,
  totalVerified: count,
  totalDeposited: count,
  totalBought: count,
  totalStaked: count,
  stakesActive: count,
  coinInStakes: amount,
})

const day = v.string()
const period = v.picklist(businessPeriods, 'Invalid period')
const range = v.object({ from: day, through: day })

/** Open withdrawals and bridges of one state, by age. */
const openPayouts = v.object({
  asset: v.picklist(['usd', 'coin']),
  state: v.picklist(['unconfirmed', 'pending', 'sending']),
  /** Number of requests up to one day old, up to three days old, and older. */
  upToOneDay: count,
  upToThreeDays: count,
  older: count,
  amount,
})

export const staffBusiness = staffRead({
  name: 'staffBusiness',
  role: 'records',
  keyReads: 'figures',
  path: '/staff/business',
  summary:
    'Returns the business figures of a period of complete UTC days, by day and summed, with the period before, today so far, open payouts and capacity.',
  query: v.object({ period: v.optional(period, '30') }),
  reply: v.object({
    /** Time at which today's figures were read. */
    at: moment,
    /** The period and the period before; null before the first complete day. */
    period: v.nullable(range),
    before: v.nullable(range),
    /** Oldest first. */
    days: v.array(v.object({ day, ...figures.entries, ...totals.entries })),
    sums: figures,
    sumsBefore: figures,
    /** Totals at the end of the period, and at the end of the period before. */
    totals,
    totalsBefore: totals,
    /** Since the start of the UTC day. */
    today: figures,
    openPayouts: v.array(openPayouts),
    capacity: v.object({
      /** USD that the platform holds, and owes to members. */
      usdHeld: amount,
      usdOwed: amount,
      /** Coin left for sale, and USD left to buy coin back. */
      coinForSale: amount,
      usdForBuyingBack: amount,
      /** USD of the sales fund that can be sent to the operator now. */
      usdForProceeds: amount,
      rewardPool: v.object({ usd: amount, coin: amount }),
    }),
  }),
})
export type BusinessFigures = v.InferOutput<typeof figures>
export type BusinessTotals = v.InferOutput<typeof totals>

/** Teams in the list of the largest. */
export const TOP_TEAMS = 10

export const staffBusinessTeams = staffRead({
  name: 'staffBusinessTeams',
  role: 'records',
  personal: 'page',
  path: '/staff/business/teams',
  summary:
    'Returns the referral teams that brought in the most USD in a period of complete UTC days. Level 0 are teams of members without a sponsor, level 1 those directly below.',
  query: v.object({ period: v.optional(period, '30'), level: v.optional(v.picklist(['0', '1'], 'Invalid level'), '0') }),
  reply: v.object({
    period: v.nullable(range),
    before: v.nullable(range),
    teams: v.array(
      v.object({
        leader: v.object({ id: answerId, name: v.string() }),
        /** Members who proved their address in the period. */
        verified: count,
        usdTaken: amount,
        usdTakenBefore: amount,
        coinStaked: amount,
      }),
    ),
  }),
})
