import { formatUnits, type Units } from '@tizara/money'
import { type Balances, walletAssets, type WalletKey } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { lazy, Suspense } from 'react'
import { useAfterIdle } from '../lib/use-after-idle.ts'
import { useProfile } from '../members/index.ts'
import { Card } from '../ui/card.tsx'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useGeneralSettings, useWalletHistory, useWalletHoldings, useWallets, walletOrder } from '../wallets/index.ts'
import type { DialogName } from './dialogs.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useNeverStaked } from './dashboard.queries.ts'
import { type Holding, holdingsOf, type Part, partsOf, totalOf, walletsOf } from './holdings.ts'
import { PeriodChange } from './period-change.tsx'

const PortfolioChart = lazy(() => import('./portfolio-chart.tsx'))
const CHART_HEIGHT = 'h-[188px]'

/** Shows total holdings in USD, over time and by wallet. They contain open holds and NFTs at the price paid. */
export function Hero({ onOpen }: { onOpen: (name: DialogName) => void }) {
  const { data: member } = useProfile()
  const { data: balances, isError } = useWallets()
  const outside = useWalletHoldings()
  const { data: settings, isError: unpriced } = useGeneralSettings()
  // Loads the history after the figure.
  const isDeferredReady = useAfterIdle(balances !== undefined || isError)
  const history = useWalletHistory(isDeferredReady)
  const wallets = walletsOf(member?.isSpecialRcm === true)
  const price = settings?.coinPrice
  const isComplete = outside.data !== undefined || outside.isError
  const holdings = balances && price !== undefined && isComplete ? holdingsOf(balances, price, wallets, outside.data) : undefined
  const total = holdings && totalOf(holdings)
  // Unavailable figures show a dash; pending ones keep a placeholder.
  const lost = (isError && balances === undefined) || (unpriced && price === undefined)
  const days = history.data?.days.map((day) => ({ day: day.day, total: totalOf(holdingsOf(day, day.coinPrice, wallets, day)) }))
  const fresh = total === 0n && days?.every((day) => day.total === 0n) === true
  const snapshots = balances === undefined || history.data === undefined ? undefined : [balances, ...history.data.days]
  const mayBeNew = snapshots?.every((day) => day.stakeWallet === 0n) === true
  const neverStaked = useNeverStaked(mayBeNew && !fresh)
  const guided = fresh || neverStaked
  return (
    <Card aria-labelledby="holdings-heading" className="flex flex-col">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="holdings-heading" className="text-sm font-medium text-muted">
          {outside.data === undefined && outside.isError ? t('In your wallets') : t('Everything you hold')}
        </h2>
        <div className="flex h-[1.125rem] items-center text-xs text-faint max-sm:w-full">
          {price !== undefined ? (
            t('estimate at {price} USD per coin', { price: formatUnits(price) })
          ) : unpriced ? null : (
            <Skeleton className="h-3 w-36" />
          )}
        </div>
      </div>
      <p className="mt-1 min-h-[46px] text-4xl font-strong tracking-num">
        {total !== undefined ? <Money value={total} unit="USD" tap /> : lost ? '–' : <Skeleton className="h-7 w-56 translate-y-[6px]" />}
      </p>
      {/* Two lines on wide screens, at most four on phones: buttons below do not move when figures arrive. */}
      <div className="min-h-[76px] sm:min-h-[40px]">
        {fresh ? (
          <p className="h-5 text-sm text-faint">{t('Three steps to your first stake')}</p>
        ) : (
          !history.isError && <PeriodChange total={total} days={days} change={history.data?.change} isUnknown={lost} />
        )}
      </div>
      {guided && <FirstSteps className={fresh ? 'mt-4 min-h-[188px]' : 'mt-4'} done={stepsDone(snapshots)} onOpen={onOpen} />}
      {history.isError && (
        <p className={`mt-4 grid ${CHART_HEIGHT} place-items-center rounded-lg bg-raised px-4 text-center text-sm text-faint`}>
          {t('Your balances before that day are not available.')}
        </p>
      )}
      {!history.isError && !fresh && (
        <div className={`mt-4 ${CHART_HEIGHT}`}>
          {days === undefined ? (
            <Skeleton className="h-full w-full rounded-lg" />
          ) : (
            <Suspense fallback={<Skeleton className="h-full w-full rounded-lg" />}>
              <PortfolioChart days={days} />
            </Suspense>
          )}
        </div>
      )}
      {!lost && <Composition wallets={wallets} holdings={holdings} total={total} />}
    </Card>
  )
}

/** Counts completed first steps from the daily balances: 1 with any money, 2 with coin. */
function stepsDone(days: readonly Balances[] | undefined): number {
  const everHeld = (wallet: WalletKey) => days?.some((day) => day[wallet] > 0n) === true
  if (walletOrder.some((wallet) => walletAssets[wallet] === 'coin' && everHeld(wallet))) return 2
  return walletOrder.some(everHeld) ? 1 : 0
}

/** Formats a share in whole percent, with a text for less than one percent. */
function shareText(part: Units, total: Units): string {
  if (part <= 0n || total <= 0n) return '0%'
  const percent = (part * 100n + total / 2n) / total
  return percent === 0n ? '<1%' : `${percent}%`
}

interface CompositionProps {
  wallets: readonly WalletKey[]
  holdings: Holding[] | undefined
  total: Units | undefined
}

/** Lists the parts before their shares are known, so that nothing below moves. */
function Composition({ wallets, holdings, total }: CompositionProps) {
  return (
    <div className="mt-auto pt-4">
      {holdings === undefined || total === undefined ? (
        <Skeleton className="h-2 w-full rounded-full" />
      ) : (
        <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-hover">
          {holdings.map(
            ({ key, color, usd }) =>
              usd > 0n &&
              total > 0n && (
                <span
                  key={key}
                  className="h-full min-w-1"
                  style={{ flexGrow: Number((usd * 10_000n) / total), flexBasis: 0, background: color }}
                />
              ),
          )}
        </div>
      )}
      <ul aria-label={t('Parts of the total')} className="mt-3 grid grid-cols-2 gap-x-4 gap-y-1.5 text-xs text-muted sm:grid-cols-3">
        {(holdings ?? partsOf(wallets)).map((part: Part & { usd?: Units }) => (
          <li key={part.key} className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2 rounded-[2.5px]" style={{ background: part.color }} />
            {part.label}{' '}
            <b dir="ltr" className="font-strong text-ink">
              {part.usd !== undefined && total !== undefined && shareText(part.usd, total)}
            </b>
          </li>
        ))}
      </ul>
    </div>
  )
}
