import * as v from 'valibot'
import { amount, answerId, coinInput, day, email, extra, idParams, moment, payoutAddress } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { filed, person, reason } from './staff.ts'
import { asset } from './wallet-keys.ts'

export const fundRewardPool = staffAct({
  name: 'fundRewardPool',
  role: 'money',
  path: '/staff/reward-pool/fund',
  money: true,
  summary:
    "Moves coin stock or USD of the platform into the reward pool, or the operator's external money into the sales fund. External money, and amounts above the solo limit, create a proposal.",
  body: v.strictObject({
    asset,
    amount: coinInput,
    reason,
    source: v.optional(v.picklist(['stock', 'operator'], 'Invalid source'), 'stock'),
    /** The sales fund takes USD from outside only (MF-10). */
    into: v.optional(v.picklist(['rewards', 'sales'], 'Invalid fund'), 'rewards'),
  }),
  reply: filed,
  errors: ['INVALID_INPUT', 'INSUFFICIENT_BALANCE', 'COIN_SOLD_OUT', 'SALES_FUND_SHORT', 'FOUR_EYES'],
})

export const proposeProceeds = staffAct({
  name: 'proposeProceeds',
  role: 'money',
  path: '/staff/reward-pool/proceeds',
  summary:
    'Proposes to send USD of the sales fund to an address of the operator in the settings. After another person approves it, the worker sends it like a payout.',
  body: v.strictObject({ amount: coinInput, address: payoutAddress, reason }),
  reply: filed,
  errors: ['NOT_APPROVED', 'INVALID_ADDRESS', 'PROCEEDS_SHORT'],
})

export const staffRewardPool = staffRead({
  name: 'staffRewardPool',
  role: 'all',
  personal: 'page',
  path: '/staff/reward-pool',
  summary:
    'Returns the state of the reward pool: balance, commitments, liabilities, owed rewards, and how long it lasts; since when runs wait for a person; the sales fund; open sell requests.',
  reply: v.object({
    assets: v.array(
      v.object({
        asset,
        pool: amount,
        committed: amount,
        promised: amount,
        owed: amount,
        /** Money paid in by the operator so far. */
        fromOperator: amount,
        /** Pool and commitment, in percent of liabilities and debts; null if there are none. */
        coverage: extra(v.nullable(amount)),
        /** UTC day on which the pool alone is depleted; null if it lasts. */
        poolDepletionDate: extra(v.nullable(v.string())),
        /** Liabilities by month, soonest first. */
        forecast: extra(v.array(v.object({ month: v.string(), amount }))),
        /** Amounts of operator money above this within 24 hours require two people. */
        fourEyesAbove: extra(amount),
      }),
    ),
    haltedSince: v.nullable(v.string()),
    /** Oldest unpaid day, the only one payable manually. */
    openDay: extra(v.string()),
    /** USD that the sales fund can pay for coin now. */
    salesFund: extra(amount),
    /** Bounds of the USD that can be sent to the operator now, and the addresses of PROCEEDS_ADDRESSES. `available` is the least bound. */
    proceeds: extra(
      v.object({
        available: amount,
        /** Older than the hold period. */
        pastHold: amount,
        holdDays: v.number(),
        /** Left over by open sell requests. */
        pastRequests: amount,
        /** Free amount of the balance sheet. */
        free: amount,
        /** USD in the hot wallet at the last comparison. */
        inWallet: amount,
        addresses: v.array(v.string()),
      }),
    ),
    /** Open sell requests of members: their number, their coin, and the oldest ones (MF-10). */
    sellRequests: extra(
      v.object({
        count: v.number(),
        coin: amount,
        /** USD that the requests need at the price in force. Requests with a higher lowest price do not count. */
        needed: amount,
        oldest: v.array(
          v.object({
            member: v.object({ id: answerId, email: v.string() }),
            amount,
            sold: amount,
            lowestPrice: amount,
            createdAt: moment,
            expiresAt: moment,
          }),
        ),
      }),
    ),
  }),
})

const dayTotals = v.object({
  /** Hash over all its payments. */
  hash: v.string(),
  rewards: v.number(),
  totals: v.array(v.object({ kind: v.string(), asset, rewards: v.number(), amount })),
})

export const previewRewardDay = staffAct({
  name: 'previewRewardDay',
  role: 'money',
  path: '/staff/reward-runs/dry',
  summary: 'Previews the payment of the oldest open day with the same statements, without storing anything.',
  body: v.strictObject({ day }),
  reply: v.object({ day: v.string(), ...dayTotals.entries }),
  errors: ['RUN_IN_PROGRESS'],
})

export const payRewardDay = staffAct({
  name: 'payRewardDay',
  role: 'money',
  path: '/staff/reward-runs/day',
  summary: 'Pays the oldest open day if the result still equals the preview; otherwise pays nothing.',
  body: v.strictObject({ day, hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Not a hash')), reason }),
  reply: v.nullish(dayTotals),
  errors: ['RUN_IN_PROGRESS', 'CHANGE_OUTDATED'],
})

export const staffHeldRewards = staffRead({
  name: 'staffHeldRewards',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id/held-rewards',
  summary: "Lists a member's pending rewards, earliest release first, with the purchase that each depends on.",
  params: idParams,
  query: v.object(listQueryEntries),
  reply: listOf(
    v.object({
      id: answerId,
      kind: v.string(),
      /** The buyer or staker; null for a rank. */
      from: v.nullable(person),
      asset,
      amount,
      createdAt: moment,
      releaseAt: moment,
      /** False while the member is blocked, because the reward is then not paid. */
      promised: v.boolean(),
    }),
  ),
  errors: ['NOT_FOUND'],
})

export const cancelRewards = staffAct({
  name: 'cancelRewards',
  role: 'money',
  path: '/staff/members/:id/cancel-rewards',
  summary:
    "Proposes to cancel a member's pending rewards, all of them or those from purchases of `from`. A second staff member approves. The member sees the reason.",
  params: idParams,
  body: v.strictObject({ from: v.optional(email), reason }),
  reply: v.object({ proposalId: answerId }),
  errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'FOUR_EYES'],
})
