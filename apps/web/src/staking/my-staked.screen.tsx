import { myStakes } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { stakeColumns, stakeDetails } from './stake-columns.tsx'

/** `/my-stack-coin` (LS-18). */
export default function MyStakedScreen() {
  return (
    <PagedList
      title={t('My Staked')}
      subtitle={t('Your stakes. Each pays once a day and returns its coin when it matures.')}
      list={myStakes}
      columns={stakeColumns}
      details={stakeDetails}
      emptyHint={t('A stake appears here as soon as you open one.')}
      emptyAction={{ href: '/stack-coin', label: t('Choose a plan') }}
    />
  )
}
