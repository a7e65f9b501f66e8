import { pageOf } from '@tizara/contract'
import { myStakeLogs } from '@tizara/contract/staking'
import { Link } from 'wouter'
import { call } from '../lib/api.ts'
import { PagedList } from '../lib/paged-list.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { stakeColumns, stakeDetails } from './stake-columns.tsx'

/** `/my-stack-logs` (LS-19). */
export default function MyStakedLogsScreen() {
  return (
    <PagedList
      title="My Staked Logs"
      subtitle="Your stakes in Omega plans. Each pays once a day and returns its coin when it matures."
      name={myStakeLogs.name}
      load={async (query, signal) => pageOf((await call(myStakeLogs, { query, signal })).data)}
      columns={stakeColumns}
      details={stakeDetails}
      emptyHint="A stake in an Omega plan appears here as soon as you open one."
      emptyAction={
        <Link href="/stack-coin" className={buttonClass('primary')}>
          Choose a plan
        </Link>
      }
    />
  )
}
