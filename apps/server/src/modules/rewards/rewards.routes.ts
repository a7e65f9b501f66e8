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
import * as earning from '@tizara/contract/rewards-earnings'
import { startEarningsStatement } from '@tizara/contract/wallets-statements'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { startJob } from '../../jobs/start-job.ts'
import { earningsJob } from './lists/earnings.job.ts'
import { listEarningPeople, listEarningRows, readEarnings } from './lists/earnings.ts'
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
import { promisedTo } from './lists/promised.ts'
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
  bindEarnings(bind)
}

function bindEarnings(bind: Bind): void {
  bind.read(earning.earnings, async ({ db, deps, viewer, query }) =>
    answer(await readEarnings(db, viewer.memberId, deps.clock.now(), query.year === undefined ? undefined : Number(query.year))),
  )
  bind.read(earning.earningRows, async ({ db, viewer, query }) => answer(await listEarningRows(db, viewer.memberId, query)))
  bind.read(earning.earningPeople, async ({ db, viewer, query }) => answer(await listEarningPeople(db, viewer.memberId, query)))
  bind.read(earning.promisedRewards, async ({ db, deps, viewer }) => answer(await promisedTo(db, viewer.memberId, deps.clock.now())))
  bind.write(startEarningsStatement, async ({ tx, deps, viewer, body }) =>
    answer({ jobId: await startJob(tx, deps, earningsJob, { ownerId: viewer.memberId, input: body }) }, 'Your statement is being written'),
  )
}
