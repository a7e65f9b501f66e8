import { myStakeLogs } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { stakeColumns, stakeDetails } from './stake-columns.tsx'

/** `/my-stack-logs` (LS-19). */
export default function MyStakedLogsScreen() {
  return (
    <PagedList
      title={t('My Staked Logs')}
      subtitle={t('Your stakes in Omega plans. Each pays once a day and returns its coin when it matures.')}
      list={myStakeLogs}
      columns={stakeColumns}
      details={stakeDetails}
      emptyHint={t('A stake in an Omega plan appears here as soon as you open one.')}
      emptyAction={{ href: '/stack-coin', label: t('Choose a plan') }}
    />
  )
}
