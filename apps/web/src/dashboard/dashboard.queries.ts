import { depositRequests } from '@tizara/contract/deposits'
import { myTeam } from '@tizara/contract/members'
import { myNftWallet } from '@tizara/contract/nfts'
import { stackBonusHistory, weeklyRewards } from '@tizara/contract/rewards'
import { myStakeLogs, myStakes, upcoming } from '@tizara/contract/staking'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/http/api.ts'
import { sumOfList } from '../lib/lists/list-sum.ts'
import { read } from '../lib/http/query.ts'

/** Counts the member's direct referrals (UI-DASH-20, UI-DASH-27). */
export function useDirectReferrals() {
  const { data, isError } = useQuery(read(myTeam, { query: { page: 1, limit: 1 } }))
  return { data: data?.meta.total, isError }
}

/** Sums approved deposits in USD (UI-DASH-21, UI-DASH-28). */
export const useTotalDeposit = () =>
  useQuery({
    queryKey: [depositRequests.name, 'sum'],
    queryFn: ({ signal }) =>
      sumOfList(
        async (query) => (await call(depositRequests, { query, signal })).data,
        (meta) => (meta.sumByStatus === undefined ? undefined : (meta.sumByStatus['APPROVE'] ?? 0n)),
        (row) => (row.status === 'APPROVE' ? row.amount : 0n),
      ),
  })

/** Sums level rewards in coin (UI-DASH-22, UI-DASH-28). */
export const useLevelReward = () =>
  useQuery({
    queryKey: [stackBonusHistory.name, 'sum'],
    queryFn: ({ signal }) =>
      sumOfList(
        async (query) => (await call(stackBonusHistory, { query, signal })).data,
        (meta) => meta.sum,
        (row) => row.bonusAmount,
      ),
  })

/** Returns true if the member never had a stake or stake log; false while unknown. */
export function useNeverStaked(enabled: boolean): boolean {
  const stakes = useQuery({ ...read(myStakes, { query: { page: 1, limit: 1 } }), enabled })
  const logs = useQuery({ ...read(myStakeLogs, { query: { page: 1, limit: 1 } }), enabled })
  return enabled && stakes.data?.meta.total === 0 && logs.data?.meta.total === 0
}

/** Loads the member's NFT holdings (UI-DASH-30 to UI-DASH-36). */
export const useNftHoldings = () => useQuery(read(myNftWallet))

/** Weeks in the reward chart. */
const WEEKS = 13

/** Loads rewards by week and kind. Servers that implement only the specification lack this call. */
export const useWeeklyRewards = () => useQuery(read(weeklyRewards, { query: { weeks: WEEKS } }))

/** Loads items due in the next 30 days. Servers that implement only the specification lack this call. */
export const useUpcoming = () => useQuery(read(upcoming, { query: { days: 30 } }))
