import './overview.css'
import { staffOverview } from '@tizara/contract/staff'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Signs } from './signs.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useMay } from '../lib/me.tsx'
import { ListState } from '../lib/list-parts.tsx'
import { usePlace } from '../lib/place.ts'
import { watch } from '../lib/watch.ts'
import { MoneyFlow, PromisedAgainstPool, Reserves } from './pictures.tsx'
import { DecidedToday, Runs } from './lately.tsx'
import { Waits } from './waits.tsx'

const RANGES = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
] as const

/** `/staff`: how the house stands, and what waits. */
export default function OverviewView() {
  const place = usePlace('/staff')
  const days = RANGES.find(([range]) => String(range) === place.search.get('days'))?.[0] ?? 90
  const query = useQuery(watch(staffOverview, { query: { days } }))
  const mayAudit = useMay('staffAudit')
  const { data } = query
  return (
    <div className="view on">
      <div className="page">
        <div className="head">
          <div className="grow">
            <h2 className="title">Overview</h2>
            <p className="mut">
              {data?.at === undefined ? (
                <Spinner label="Reading" />
              ) : (
                `${data.at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })} · figures at ${data.at.toISOString().slice(11, 19)} UTC`
              )}
            </p>
          </div>
          <div className="seg hide" role="group" aria-label="Range">
            {RANGES.map(([range, label]) => (
              <button
                key={range}
                type="button"
                className={range === days ? 'on' : ''}
                aria-pressed={range === days}
                onClick={() => place.filter({ days: range === 90 ? undefined : String(range) })}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
        {data === undefined ? (
          <ListState query={query} rows={0} none="" />
        ) : (
          <>
            <Signs data={data} failed={query.isError} />
            <div className="over mt16">
              <Reserves data={data} />
              <Waits data={data} />
              <MoneyFlow data={data} />
              <PromisedAgainstPool data={data} />
              <Runs />
              {mayAudit && <DecidedToday />}
            </div>
            <p className="mt16">
              <Link href="/staff/roles" className="link sm">
                Who may stop payouts and runs
              </Link>
            </p>
          </>
        )}
      </div>
    </div>
  )
}
