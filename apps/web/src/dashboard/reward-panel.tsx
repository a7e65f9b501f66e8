import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { WhenNear } from '../lib/when-near.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useGeneralSettings } from '../wallets/index.ts'
import { useWeeklyRewards } from './dashboard.queries.ts'

const RewardChart = lazy(() => import('./reward-chart.tsx'))

const PLACEHOLDER = <Skeleton className="h-[272px] w-full rounded-lg" />

/** Shows rewards by week and kind; hidden if they or the coin price are unavailable. */
export function RewardPanel() {
  const { data, isError } = useWeeklyRewards()
  const settings = useGeneralSettings()
  const price = settings.data?.coinPrice
  if (isError || (price === undefined && settings.isError)) return null
  return (
    <Card aria-labelledby="weeks-heading" className="flex flex-col">
      <CardHeader
        id="weeks-heading"
        title={t('Rewards by week')}
        className="mb-3"
        action={
          <span className="text-xs text-faint">
            {price !== undefined && t('in USD, estimate at {price} per coin', { price: formatUnits(price) })}
          </span>
        }
      />
      <WhenNear className="grid min-h-[272px] flex-1 grid-cols-1" fallback={PLACEHOLDER}>
        {data === undefined || price === undefined ? (
          PLACEHOLDER
        ) : (
          <Suspense fallback={PLACEHOLDER}>
            <RewardChart weeks={data.weeks} coinPrice={price} />
          </Suspense>
        )}
      </WhenNear>
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <Link href="/earnings" className="link">
          {t('My earnings')}
        </Link>
        <Link href="/reward-budget" className="link">
          {t('What pays for rewards')}
        </Link>
      </p>
    </Card>
  )
}
