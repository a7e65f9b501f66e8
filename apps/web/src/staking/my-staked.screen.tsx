import { pageOf } from '@tizara/contract'
import { myStakes } from '@tizara/contract/staking'
import { Link } from 'wouter'
import { call } from '../lib/api.ts'
import { PagedList } from '../lib/paged-list.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { stakeColumns, stakeDetails } from './stake-columns.tsx'

/** `/my-stack-coin` (LS-18). */
export default function MyStakedScreen() {
  return (
    <PagedList
      title="My Staked"
      subtitle="Your stakes. Each pays once a day and returns its coin when it matures."
      name={myStakes.name}
      load={async (query, signal) => pageOf((await call(myStakes, { query, signal })).data)}
      columns={stakeColumns}
      details={stakeDetails}
      emptyHint="A stake appears here as soon as you open one."
      emptyAction={
        <Link href="/stack-coin" className={buttonClass('primary')}>
          Choose a plan
        </Link>
      }
    />
  )
}
