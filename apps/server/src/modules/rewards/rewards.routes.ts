import {
  myRankedBonus,
  nftLevelBonus,
  nftMonthlyRoiHistory,
  nftProfitBountyHistory,
  profitBountyHistory,
  rewardProgramme,
  royBonusHistory,
  stackBonusHistory,
  stakeLogBountyHistory,
  stakeLogRewardHistory,
  transactionHistory,
  weeklyRewards as weeklyRewardsRoute,
} from '@tizara/contract/rewards'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import {
  listDailyRewards,
  listLevelRewards,
  listNftBounties,
  listNftLevelBonuses,
  listNftRewards,
  listProfitBounties,
  listRankBonuses,
  listReferrals,
  type ReadNfts,
} from './lists/list-rows.ts'
import { rankProgress } from './lists/rank-progress.ts'
import { weeklyRewards } from './lists/reward-totals.ts'

export function rewardRoutes(bind: Bind, { readNfts }: { readNfts: ReadNfts }): void {
  bind.read(transactionHistory, async ({ db, viewer, query }) => answer(await listReferrals(db, viewer.memberId, query)))
  bind.read(stackBonusHistory, async ({ db, viewer, query }) => answer(await listLevelRewards(db, viewer.memberId, query)))
  bind.read(royBonusHistory, async ({ db, viewer, query }) => answer(await listDailyRewards(db, viewer.memberId, 0, query)))
  bind.read(stakeLogRewardHistory, async ({ db, viewer, query }) => answer(await listDailyRewards(db, viewer.memberId, 1, query)))
  bind.read(profitBountyHistory, async ({ db, viewer, query }) => answer(await listProfitBounties(db, viewer.memberId, 0, query)))
  bind.read(stakeLogBountyHistory, async ({ db, viewer, query }) => answer(await listProfitBounties(db, viewer.memberId, 1, query)))
  bind.read(nftMonthlyRoiHistory, async ({ db, viewer, query }) => answer(await listNftRewards(db, viewer.memberId, query, readNfts)))
  bind.read(nftLevelBonus, async ({ db, viewer, query }) => answer({ data: await listNftLevelBonuses(db, viewer.memberId, query) }))
  bind.read(nftProfitBountyHistory, async ({ db, viewer, query }) => answer({ data: await listNftBounties(db, viewer.memberId, query) }))
  bind.read(myRankedBonus, async ({ db, viewer, query }) => answer(await listRankBonuses(db, viewer.memberId, query)))
  bind.read(rewardProgramme, async ({ db, deps, viewer }) => answer(await rankProgress(db, viewer.memberId, deps.clock.now())))
  bind.read(weeklyRewardsRoute, async ({ db, deps, viewer, query }) =>
    answer(await weeklyRewards(db, viewer.memberId, query.weeks, deps.clock.now())),
  )
}
