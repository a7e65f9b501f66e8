import type { ReplyOf } from '@tizara/contract'
import type { earnings } from '@tizara/contract/rewards-earnings'
import { t } from '@tizara/languages'
import { lazy, Suspense } from 'react'
import { Link, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { formatMonth } from '../lib/format.ts'
import { retryOf } from '../lib/http/query.ts'
import { useAppConfig } from '../settings/index.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { Table } from '../ui/table.tsx'
import { useGeneralSettings } from '../wallets/index.ts'
import { EarningsMonth } from './earnings-month.tsx'
import { totalOf, totalsByMonth, useEarnings } from './earnings.queries.ts'
import { T } from '../ui/t.tsx'

const EarningsStatement = lazy(() => import('./earnings-statement.tsx'))
const EarningsChart = lazy(() => import('./earnings-chart.tsx'))

type Earnings = ReplyOf<typeof earnings>

/** Keeps year and month in the URL. Values that are none are dropped. */
function useEarningsAddress() {
  const params = new URLSearchParams(useSearch())
  const valueOf = (name: string, pattern: RegExp) => (pattern.test(params.get(name) ?? '') ? (params.get(name) ?? '') : '')
  return {
    year: valueOf('year', /^20\d{2}$/),
    month: valueOf('month', /^20\d{2}-(0[1-9]|1[0-2])$/),
    set: (values: Record<string, string>) => navigate(`${location.pathname}?${new URLSearchParams(values).toString()}`, { replace: true }),
  }
}

/** `/earnings`: the member's rewards of a year by month, kind and person, with the receipt behind each. */
export default function EarningsScreen() {
  const { year, month, set } = useEarningsAddress()
  const read = useEarnings(year)
  const { data } = read
  const loading = data === undefined && read.error === null
  const shownYear = data?.year ?? (Number(year) || new Date().getUTCFullYear())
  return (
    <>
      <PageHeader
        title={t('My earnings')}
        subtitle={t('Your rewards by month. Daily and monthly rewards count on their day in UTC, the others when they are paid.')}
        actions={<YearField year={shownYear} firstYear={data?.firstYear ?? shownYear} onChange={(chosen) => set({ year: chosen })} />}
      />
      <Sums year={shownYear} data={data} loading={loading} />
      {loading && <Skeleton className="h-72 w-full rounded-xl" />}
      {data !== undefined && data.months.length > 0 && (
        <Months data={data} month={month} onMonth={(chosen) => set({ year: String(data.year), month: chosen })} />
      )}
      {!loading && (data === undefined || data.months.length === 0) && (
        <Card>
          <EmptyState
            title={data === undefined ? t('Data Not Found') : t('No earnings yet.')}
            text={
              data &&
              t('You earned nothing in {year}. Stake coin or invite people: each reward appears here on the day it is earned.', {
                year: data.year,
              })
            }
            action={
              <Link href="/stack-coin" className={buttonClass('primary')}>
                {t('Choose a plan')}
              </Link>
            }
            onRetry={retryOf(read)}
          />
        </Card>
      )}
      {!loading && (
        <p className="mt-4 text-sm text-muted">
          <T
            text="Pending rewards are not counted here. <link>What pays for rewards, and what is promised to you</link>"
            link={(content) => (
              <Link href="/reward-budget" className="link">
                {content}
              </Link>
            )}
          />
        </p>
      )}
    </>
  )
}

function YearField({ year, firstYear, onChange }: { year: number; firstYear: number; onChange: (year: string) => void }) {
  const last = Math.max(new Date().getUTCFullYear(), year)
  const years = Array.from({ length: last - Math.min(firstYear, year) + 1 }, (_, back) => String(last - back))
  return (
    <Field label={t('Year')} className="sm:w-32">
      <Select
        value={String(year)}
        onChange={(event) => onChange(event.target.value)}
        options={years.map((value) => ({ value, label: value }))}
      />
    </Field>
  )
}

function Sums({ year, data, loading }: { year: number; data: Earnings | undefined; loading: boolean }) {
  const { tokenSymbol } = useAppConfig()
  const units = [
    { asset: 'coin' as const, unit: tokenSymbol },
    { asset: 'usd' as const, unit: 'USD' },
  ]
  if (data === undefined && !loading) return null
  return (
    <section aria-label={t('Sums')} className="mb-4 grid gap-3.5 sm:grid-cols-2">
      {units.map(({ asset, unit }) => {
        const owed = data === undefined ? 0n : totalOf(data.owed, asset)
        return (
          <StatCard
            key={asset}
            label={t('Earned in {year}, in {unit}', { year, unit })}
            value={data && <Money value={totalOf(data.months, asset)} unit={unit} />}
            loading={loading}
            sub={
              owed > 0n ? (
                <T text="{money} of all your rewards wait until the reward pool is funded" money={<Money value={owed} unit={unit} />} />
              ) : (
                t('Nothing waits for the reward pool')
              )
            }
          />
        )
      })}
    </section>
  )
}

const CHART_SKELETON = <Skeleton className="h-60 w-full rounded-lg" />

interface MonthsProps {
  data: Earnings
  /** The chosen month, or the newest month if the chosen one has no earnings. */
  month: string
  onMonth: (month: string) => void
}

function Months({ data, month, onMonth }: MonthsProps) {
  const { tokenSymbol } = useAppConfig()
  const settings = useGeneralSettings()
  const totals = totalsByMonth(data.months)
  const shown = totals.some((one) => one.month === month) ? month : (totals.at(-1)?.month ?? '')
  const price = settings.data?.coinPrice
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card aria-labelledby="by-month" className="lg:col-span-2">
        <CardHeader
          id="by-month"
          title={t('By month, {year}', { year: data.year })}
          hint={settings.error === null && t('In USD, with coin at today’s price')}
        />
        {settings.error === null && (
          <div className="min-h-66">
            <Suspense fallback={CHART_SKELETON}>
              {price === undefined ? CHART_SKELETON : <EarningsChart months={data.months} coinPrice={price} />}
            </Suspense>
          </div>
        )}
      </Card>
      <Card padding="none" aria-labelledby="months" className="self-start overflow-hidden">
        <div className="px-4 pt-4">
          <CardHeader id="months" title={t('Months')} hint={t('Press one for its kinds and people')} className="mb-2" />
        </div>
        <Table aria-labelledby="months">
          <thead>
            <tr>
              <th scope="col">{t('Month')}</th>
              <th scope="col" className="text-end">
                {tokenSymbol}
              </th>
              <th scope="col" className="text-end">
                {t('USD')}
              </th>
            </tr>
          </thead>
          <tbody>
            {totals.toReversed().map((one) => (
              <tr key={one.month}>
                <th scope="row">
                  <button
                    type="button"
                    className="link min-h-6 aria-pressed:font-strong aria-pressed:text-ink"
                    aria-pressed={one.month === shown}
                    onClick={() => onMonth(one.month)}
                  >
                    {formatMonth(one.month)}
                  </button>
                </th>
                <td className="text-end">
                  <Money value={one.coin} />
                </td>
                <td className="text-end">
                  <Money value={one.usd} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
        <Suspense fallback={<div className="h-[61px] border-t" />}>
          <EarningsStatement year={String(data.year)} />
        </Suspense>
      </Card>
      <EarningsMonth key={shown} month={shown} sums={data.months.filter((one) => one.month === shown)} />
    </div>
  )
}
