import * as v from 'valibot'
import { amount, extra, moment, wholeInQuery } from './fields.ts'
import { nft } from './nfts.ts'
import { deepListOf, listOf, ownList } from './paging.ts'
import { memberRead } from './route.ts'
import { asset } from './wallet-keys.ts'
import { rowExtras } from './wallets.ts'

/**
 * State of a reward: paid to the wallet, owed until the pool is funded, pending until a day, reversed, or a purchase without a reward
 * (RW-01).
 */
export const rewardStatus = v.picklist(['paid', 'owed', 'held', 'reversed', 'unearned'])
export type RewardStatus = v.InferOutput<typeof rewardStatus>

/** Adds this server's keys to a reward row. */
/*#__NO_SIDE_EFFECTS__*/
const rewardExtras = <const Kind extends string>(...kinds: Kind[]) => ({
  ...rowExtras(...kinds),
  status: extra(rewardStatus),
  releaseAt: extra(moment),
  reason: extra(v.string()),
})

/** Referral reward (EN-22, RW-01): coin. */
export const referralRow = v.object({ amount, bonusFrom: v.string(), createdAt: moment, ...rewardExtras('referral-reward') })

export const transactionHistory = ownList({
  name: 'transactionHistory',
  path: '/transaction-history',
  history: 'referral-reward',
  summary: "Lists the member's referral rewards (API-62). A purchase that earned nothing, or only for a part, has a row with the reason.",
  reply: listOf(referralRow),
})

/** Level reward (EN-24, RW-02): coin; `email` is the staker's. */
export const levelRewardRow = v.object({
  bonusAmount: amount,
  email: v.string(),
  level: v.number(),
  createdAt: moment,
  ...rewardExtras('level-reward'),
})

export const stackBonusHistory = ownList({
  name: 'stackBonusHistory',
  path: '/stack-bonus-history',
  history: 'level-reward',
  summary: "Lists the member's level rewards (API-61).",
  reply: listOf(levelRewardRow),
})

/** Daily reward for a stake or stake log (EN-32, EN-33): coin. */
export const dailyRewardRow = v.object({
  createdAt: moment,
  dailyRoy: amount,
  userStake: v.object({ planName: v.string(), stakeAmount: amount, apy: amount, duration: v.number() }),
  day: extra(v.number()),
  ...rewardExtras('daily-reward', 'stake-log-reward'),
})

export const royBonusHistory = ownList({
  name: 'royBonusHistory',
  path: '/roy-bonus-historys',
  history: 'daily-reward',
  summary: "Lists the daily rewards of the member's stakes (API-64).",
  reply: listOf(dailyRewardRow),
})

export const stakeLogRewardHistory = ownList({
  name: 'stakeLogRewardHistory',
  path: '/stake-logs/reward-history',
  history: 'stake-log-reward',
  summary: "Lists the daily rewards of the member's stake logs (API-79).",
  reply: listOf(dailyRewardRow),
})

/** Share in a team member's daily reward (EN-34, EN-35): coin. */
export const profitBountyRow = v.object({
  profit: amount,
  level: v.number(),
  createdAt: moment,
  dailyBonus: v.object({
    dailyRoy: amount,
    userStake: v.object({
      user: v.object({ email: v.string(), name: v.string() }),
      planName: v.string(),
      duration: v.number(),
    }),
    /** Duplicates the plan, because the row's text allows both readings (EN-34). */
    planName: extra(v.string()),
    duration: extra(v.number()),
  }),
  ...rewardExtras('profit-bounty', 'stake-log-bounty'),
})

export const profitBountyHistory = ownList({
  name: 'profitBountyHistory',
  path: '/profit-bounty/my-bounty-historys',
  history: 'profit-bounty',
  summary: "Lists the member's shares of the team's daily rewards (API-63).",
  reply: listOf(profitBountyRow),
})

export const stakeLogBountyHistory = ownList({
  name: 'stakeLogBountyHistory',
  path: '/stake-logs/my-bounty-historys',
  history: 'stake-log-bounty',
  summary: "Lists the member's shares of the team's stake-log rewards (API-78).",
  reply: listOf(profitBountyRow),
})

/** Monthly NFT reward (EN-37, LS-42): USD. */
export const nftRewardRow = v.object({
  createdAt: extra(moment),
  myNft: nft,
  amount: extra(amount),
  month: extra(v.number()),
  ...rewardExtras('nft-reward'),
})

export const nftMonthlyRoiHistory = ownList({
  name: 'nftMonthlyRoiHistory',
  path: '/nft-monthly-roi-history',
  history: 'nft-reward',
  summary: "Lists the monthly rewards of the member's NFTs (API-70).",
  reply: listOf(nftRewardRow),
})

/** Share in a team member's NFT price (EN-40, RW-07): USD. */
export const nftLevelBonusRow = v.object({
  createdAt: moment,
  email: v.string(),
  bonusAmount: amount,
  level: v.number(),
  duration: v.number(),
  dailyRoi: amount,
  ...rewardExtras('nft-level-bonus'),
})

export const nftLevelBonus = ownList({
  name: 'nftLevelBonus',
  path: '/nft-level-bonus',
  history: 'nft-level-bonus',
  summary: "Lists the member's NFT level bonuses. The rows are in `data.data.data` (API-71, API-12).",
  reply: deepListOf(nftLevelBonusRow),
})

/** Share in a team member's NFT reward (EN-41, RW-08, LS-28): USD. */
export const nftProfitBountyRow = v.object({
  createdAt: moment,
  profit: amount,
  level: v.number(),
  duration: v.number(),
  dailyRoi: amount,
  nftDailyRoiHistory: v.object({
    user: v.object({ email: v.string() }),
    myNft: v.object({ name: v.string() }),
    dailyRoi: amount,
  }),
  ...rewardExtras('nft-profit-bounty'),
})

export const nftProfitBountyHistory = ownList({
  name: 'nftProfitBountyHistory',
  path: '/nft-monthly-roi-history/my-profit-bounty-history',
  history: 'nft-profit-bounty',
  summary: "Lists the member's shares of the team's NFT rewards. The rows are in `data.data.data` (API-72, API-12).",
  reply: deepListOf(nftProfitBountyRow),
})

/** Rank bonus (EN-46, RW-05): coin. */
export const rankBonusRow = v.object({
  createdAt: moment,
  user: v.object({ email: v.string() }),
  rank: v.string(),
  bonus: amount,
  desc: v.nullish(v.string()),
  ...rewardExtras('rank-bonus'),
})

export const myRankedBonus = ownList({
  name: 'myRankedBonus',
  path: '/rank/my-ranked-bonus',
  history: 'rank-bonus',
  summary: "Lists the member's rank bonuses (API-81).",
  reply: listOf(rankBonusRow),
})

/** Reward kinds (MF-15 to MF-23). */
export const rewardKinds = [
  'referral',
  'level',
  'daily',
  'profit-bounty',
  'stake-log',
  'stake-log-bounty',
  'rank',
  'nft-monthly',
  'nft-level',
  'nft-profit-bounty',
] as const
export type RewardKind = (typeof rewardKinds)[number]
export const rewardKind = v.picklist(rewardKinds)

export const weeklyRewards = memberRead({
  name: 'weeklyRewards',
  path: '/rewards/weekly',
  summary: "Sums the member's rewards by ISO week and kind, oldest week first. Weeks without rewards have no sums.",
  query: v.object({ weeks: wholeInQuery(260, 26) }),
  reply: v.object({
    weeks: v.array(
      v.object({
        /** ISO week such as `2026-W07`, and its Monday. */
        week: v.string(),
        startsOn: v.string(),
        sums: v.array(v.object({ kind: rewardKind, asset, amount })),
      }),
    ),
  }),
})

/** Percentages per upline level, nearest first. */
const shares = v.pipe(v.array(amount), v.readonly())

export const rewardProgramme = memberRead({
  name: 'rewardProgramme',
  path: '/rewards/programme',
  summary: 'Returns the current percentages and ranks of rewards (RW-01 to RW-09).',
  reply: v.object({
    version: v.number(),
    startsAt: moment,
    referralPercent: amount,
    levelPercents: shares,
    bountyPercents: shares,
    stakeLogLevelPercents: shares,
    stakeLogBountyPercents: shares,
    nftLevelPercents: shares,
    nftBountyPercents: shares,
    /** Shorter stakes pay only duration / these days from the level shares (RW-02). */
    fullLevelShareDays: extra(v.number()),
    /**
     * Ranks in ascending order: required team stake, one-time bonus, and the part of the bonus that matured stakes have filled for the
     * member; in coin.
     */
    ranks: v.pipe(v.array(v.object({ rank: v.string(), teamStake: amount, bonus: amount, filled: extra(amount) })), v.readonly()),
    /** Coin of the team that counts for a rank now. One direct referral contributes at most half of a threshold (RW-05). */
    rankStake: extra(amount),
  }),
})
