import { t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import { lazy, Suspense } from 'react'
import { coinMessages, usePriceHistory } from '../coin/index.ts'
import { decimalsOf } from '../lib/lists/list-columns.tsx'
import { useAfterIdle } from '../lib/use-after-idle.ts'
import { useAppConfig } from '../settings/index.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { plannedRate, useGeneralSettings } from '../wallets/index.ts'

const PriceLine = lazy(() => import('./price-line.tsx'))
const whole = (units: Units): string => formatAmount(units, decimalsOf(units))

/** Coin: name, chain, supply, price and chart (UI-DASH-37 to UI-DASH-41). */
export function CoinPanel({ onBuy }: { onBuy: () => void }) {
  const { tokenSymbol } = useAppConfig()
  const { data: settings, isError } = useGeneralSettings()
  const price = settings?.coinPrice
  const next = plannedRate(settings)
  const isDeferredReady = useAfterIdle(price !== undefined || isError)
  const history = usePriceHistory(isDeferredReady)
  return (
    <Card aria-labelledby="coin-heading" className="flex flex-col">
      <h2 id="coin-heading" className="text-sm font-medium text-muted">
        {tokenSymbol}
      </h2>
      <p className="mt-1 min-h-[38px] text-3xl font-strong tracking-num">
        {price === undefined ? (
          isError ? (
            '–'
          ) : (
            <Skeleton className="my-1 h-[26px] w-36" />
          )
        ) : (
          <Money value={price} unit="USD" decimals="exact" />
        )}
      </p>
      {/* Keeps the space without a history, so that the button below does not move. */}
      <div className="mt-3 flex min-h-16 flex-1 flex-col">
        {history.isError ? (
          <p className="grid flex-1 place-items-center rounded-lg bg-raised px-3 text-center text-sm text-faint">
            {t('Earlier prices are not available here.')}
          </p>
        ) : history.data === undefined ? (
          <Skeleton className="h-full w-full rounded-lg" />
        ) : (
          <Suspense fallback={<Skeleton className="h-full w-full rounded-lg" />}>
            <PriceLine days={history.data.days} />
          </Suspense>
        )}
      </div>
      <DescriptionList
        className="mt-2 mb-4"
        rows={[
          { label: t('Blockchain'), value: coinMessages.blockchain },
          { label: t('Supply'), value: <bdi>{coinMessages.supply}</bdi> },
          next !== undefined && { key: 'next', label: t('Planned'), value: next },
          settings === undefined
            ? !isError && { label: t('Order size'), value: <Skeleton className="inline-block! h-3.5 w-28 translate-y-0.5" /> }
            : settings.minCoin !== undefined &&
              settings.maxCoin !== undefined && {
                label: t('Order size'),
                value: <bdi>{`${whole(settings.minCoin)} – ${whole(settings.maxCoin)}`}</bdi>,
              },
        ]}
      />
      <Button
        variant="primary"
        block
        className="mt-auto"
        onClick={onBuy}
        title={price === undefined ? undefined : t('At {price} USD', { price: formatUnits(price) })}
      >
        {coinMessages.buyNow}
      </Button>
    </Card>
  )
}
