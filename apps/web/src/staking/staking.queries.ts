import { MAX_ROWS, pageOf } from '@tizara/contract'
import { myStakeLogs, myStakes, type StakeRow, stakePlans } from '@tizara/contract/staking'
import { useQuery } from '@tanstack/react-query'
import { partRows } from '../lib/lists/damaged-row.ts'
import { read } from '../lib/http/query.ts'

/** Loads plans on offer (API-67, UI-STAKE-03), split into complete and damaged rows. */
export function useActivePlans() {
  const query = useQuery({
    ...read(stakePlans, { query: { status: 'ACTIVE' } }),
    select: (reply) => partRows(pageOf(reply).data),
  })
  const { data, isPending } = query
  return { query, data: data?.whole.filter((plan) => plan.status === 'ACTIVE'), damaged: data?.damaged ?? [], isPending }
}

/** Damaged stakes appear only in the list. */
const running = (stakes: StakeRow[]): StakeRow[] => partRows(stakes).whole.filter((stake) => stake.status === 'ACTIVE')

/** Returns running stakes and stake logs, each newest first. */
export function useRunningStakes(): StakeRow[] | undefined {
  const query = { page: 1, limit: MAX_ROWS }
  const stakes = useQuery({ ...read(myStakes, { query }), select: (reply) => running(pageOf(reply).data) })
  const logs = useQuery({ ...read(myStakeLogs, { query }), select: (reply) => running(pageOf(reply).data) })
  if (stakes.isPending || logs.isPending) return undefined
  return [...(stakes.data ?? []), ...(logs.data ?? [])]
}
