import type { Route } from '@tizara/contract'
import type { HistoryKind } from '@tizara/contract/history-kinds'
import * as wire from '@tizara/contract/rewards'
import { earningPeople, earningRows, earnings, promisedRewards } from '@tizara/contract/rewards-earnings'
import { walletsMark } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { History } from '../histories/index.ts'
import { instantReceipt } from './lists/instant-receipt.ts'
import { bountyReceipt, ownReceipt, type ReceiptHead } from './lists/receipts.ts'
import type { InstantKind, Stream } from './programme/rewards.rules.ts'

type Find<Source> = (db: Db, memberId: bigint, source: Source, head: ReceiptHead) => ReturnType<typeof ownReceipt>

/** Describes a list of rewards. The runs and instant rewards update the counts and sums of the list, so no triggers are needed. */
const listOf =
  <Source>(find: Find<Source>) =>
  (kind: HistoryKind, source: Source, list: Route, title: string): History => ({
    kind,
    lists: [list],
    receipt: (db, memberId, id) => find(db, memberId, source, { kind, id, title }),
    also: [wire.weeklyRewards, earnings, earningRows, earningPeople, promisedRewards],
    follows: walletsMark,
  })
const instant = listOf<InstantKind>(instantReceipt)
const own = listOf<Stream>(ownReceipt)
const bounty = listOf<Stream>(bountyReceipt)

/** All lists of rewards, each with the table of its rows. */
export const rewardHistories: readonly History[] = [
  instant('referral-reward', 'referral', wire.transactionHistory, 'Referral reward'),
  instant('level-reward', 'level', wire.stackBonusHistory, 'Stake level reward'),
  instant('nft-level-bonus', 'nft-level', wire.nftLevelBonus, 'NFT level bonus'),
  instant('rank-bonus', 'rank', wire.myRankedBonus, 'Rank bonus'),
  own('daily-reward', 0, wire.royBonusHistory, 'Daily staking reward'),
  own('stake-log-reward', 1, wire.stakeLogRewardHistory, 'Stake log reward'),
  own('nft-reward', 2, wire.nftMonthlyRoiHistory, 'NFT monthly reward'),
  bounty('profit-bounty', 0, wire.profitBountyHistory, 'Profit bounty'),
  bounty('stake-log-bounty', 1, wire.stakeLogBountyHistory, 'Stake log profit bounty'),
  bounty('nft-profit-bounty', 2, wire.nftProfitBountyHistory, 'NFT profit bounty'),
]
