import { staffOverview } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { Signs } from './signs.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useMay } from '../../kit/me.tsx'
import { ListState } from '../../kit/list-state.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { watch } from '../../kit/watch.ts'
import { PERIODS } from './business-figures.ts'
import { Waits } from './pending-work.tsx'
import { Choice } from '../../kit/choice.tsx'
import { Page } from '../../kit/page.tsx'
import { panelClass } from '../../../ui/panel.tsx'

/** Charts and activity load after the platform status and pending work. */
const Reserves = lazy(() => import('./money-charts.tsx').then((file) => ({ default: file.Reserves })))
const MoneyFlow = lazy(() => import('./money-charts.tsx').then((file) => ({ default: file.MoneyFlow })))
const PromisedAgainstPool = lazy(() => import('./money-charts.tsx').then((file) => ({ default: file.PromisedAgainstPool })))
const Runs = lazy(() => import('./recent-activity.tsx').then((file) => ({ default: file.Runs })))
const DecidedToday = lazy(() => import('./recent-activity.tsx').then((file) => ({ default: file.DecidedToday })))

const onItsWay = <section className={panelClass('min-h-[300px]')} aria-busy="true" />

const Business = lazy(() => import('./business.tsx').then((file) => ({ default: file.Business })))

/** Days of the charts of the platform for the last week and for a calendar month. */
const CHART_DAYS: Readonly<Record<string, number>> = { week: 14, month: 31 }
const DEFAULT_PERIOD = '30'

/** `/staff`: platform health, pending work and business figures. */
export default function OverviewView() {
  const location = usePageLocation('/staff')
  const period = PERIODS.find(([one]) => one === location.search.get('days'))?.[0] ?? DEFAULT_PERIOD
  const days = CHART_DAYS[period] ?? Number(period)
  const query = useQuery(watch(staffOverview, { query: { days } }))
  const mayAudit = useMay('staffAudit')
  const mayReadBusiness = useMay('staffBusiness')
  const { data } = query
  return (
    <Page
      title="Overview"
      hint={
        data?.at === undefined ? (
          <Spinner label="Loading" />
        ) : (
          `${data.at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })} · figures at ${data.at.toISOString().slice(11, 19)} UTC`
        )
      }
      right={
        <Choice
          label="Period"
          of={PERIODS}
          value={period}
          onChange={(one) => location.filter({ days: one === DEFAULT_PERIOD ? undefined : one })}
        />
      }
    >
      {data === undefined ? (
        <ListState query={query} rows={0} none="" />
      ) : (
        <>
          <Signs data={data} failed={query.isError} />
          <div className="grid items-stretch gap-3.5 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] mt-4 max-md:[&>*:nth-child(2)]:-order-1">
            <Suspense fallback={onItsWay}>
              <Reserves data={data} />
            </Suspense>
            <Waits data={data} />
          </div>
          {mayReadBusiness && (
            <Suspense fallback={onItsWay}>
              <Business period={period} />
            </Suspense>
          )}
          <div className="grid items-stretch gap-3.5 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] mt-4">
            <Suspense fallback={onItsWay}>
              <MoneyFlow data={data} />
              <PromisedAgainstPool data={data} />
            </Suspense>
            <Suspense fallback={onItsWay}>
              <Runs />
              {mayAudit && <DecidedToday />}
            </Suspense>
          </div>
          <p className="mt-4">
            <Link href="/staff/roles" className="link text-xs">
              Who may pause payouts and runs
            </Link>
          </p>
        </>
      )}
    </Page>
  )
}
