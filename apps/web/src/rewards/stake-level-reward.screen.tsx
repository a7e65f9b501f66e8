import { stackBonusHistory, type levelRewardRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

const columns = texts<readonly ListColumn<InferOutput<typeof levelRewardRow>>[]>('header', [
  rewardColumn('amount', 'Amount', 'coin', (row) => row.bonusAmount),
  { key: 'from', header: 'Reward From', phone: 'title', value: (row) => row.email },
  { key: 'level', header: 'My Level', phone: 'state', align: 'right', value: (row) => row.level },
  { key: 'time', header: 'Time', phone: 'second', value: (row) => row.createdAt, time: true },
  stateColumn,
])

/** `/stake-reward` (LS-24). */
export default function StakeLevelRewardScreen() {
  return (
    <PagedList
      title={t('Stake Level Reward')}
      subtitle={t('Rewards from new stakes of your team, by level.')}
      list={stackBonusHistory}
      columns={columns}
      details={rewardDetails}
      emptyHint={t('A reward appears here when a member of your team opens a stake.')}
    >
      <Shares list="level" />
    </PagedList>
  )
}
