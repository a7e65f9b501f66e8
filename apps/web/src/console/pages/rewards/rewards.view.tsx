import { staffRewardRuns, startRewardRun } from '@tizara/contract/staff-reward-runs'
import { staffRewardPool } from '@tizara/contract/staff-rewards'
import { useQuery } from '@tanstack/react-query'
import Play from 'lucide-react/icons/play'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { watch } from '../../kit/watch.ts'
import { Fund } from './fund.tsx'
import { PayDay } from './pay-day.tsx'
import { Proceeds } from './proceeds.tsx'
import { PoolCard } from './pool-card.tsx'
import { OpenSellRequests } from './sell-requests.tsx'
import { CurrentRun, Runs } from './runs.tsx'
import { Page } from '../../kit/page.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** `/staff/rewards`: pools, reward runs, manual runs and funding. */
export default function RewardsView() {
  const pool = useQuery(watch(staffRewardPool, {}))
  const newest = useQuery(watch(staffRewardRuns, { query: { page: 1, limit: 15 } }))
  const may = useMay('startRewardRun')
  const whoCan = useWhoCan('startRewardRun')
  const running = newest.data?.data.find((run) => run.phase === 'RECORDING' || run.phase === 'PAYING')
  const at = new Date(pool.dataUpdatedAt)

  async function start(): Promise<void> {
    try {
      const { message } = await call(startRewardRun, {})
      toast(message)
    } catch (error) {
      toast(toApiError(error).message)
    }
    await refetch(staffRewardPool, staffRewardRuns)
  }
  return (
    <Page
      title="Rewards and pool"
      width={1240}
      hint="Runs start every hour when something is due, and in full after midnight UTC. No reward is paid twice."
      right={
        may ? (
          <SendButton icon={<Play size={14} aria-hidden="true" />} aria-disabled={running !== undefined} onClick={start}>
            Pay due rewards now
          </SendButton>
        ) : (
          <span className="text-xs text-faint">{whoCan} pay due rewards</span>
        )
      }
    >
      <ListState query={pool} rows={pool.data?.assets.length ?? 0} none="No reward pool yet" />
      {pool.data?.haltedSince && (
        <Notice role="alert" tone="danger" icon={null} className="mb-4">
          <span>
            <b className="font-semi">Automatic payment has been stopped since {pool.data.haltedSince}.</b> It is too far behind to continue
            automatically. Pay the open days manually, the oldest first.
          </span>
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-3.5 max-[1000px]:grid-cols-[minmax(0,1fr)]">
        {pool.data?.assets.map((of) => (
          <PoolCard key={of.asset} of={of} at={at} />
        ))}
      </div>
      {running !== undefined && <CurrentRun run={running} />}
      <div className="grid gap-3.5 lg:grid-cols-12 mt-4">
        <Runs />
        <div className="grid gap-3.5 content-start lg:col-span-5">
          {pool.data?.openDay !== undefined && <PayDay openDay={pool.data.openDay} />}
          {pool.data?.sellRequests !== undefined && <OpenSellRequests open={pool.data.sellRequests} />}
          {pool.data !== undefined && <Fund assets={pool.data.assets} salesFund={pool.data.salesFund} />}
          {pool.data?.proceeds !== undefined && <Proceeds of={pool.data.proceeds} />}
        </div>
      </div>
    </Page>
  )
}
