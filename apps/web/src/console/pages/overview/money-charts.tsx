import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'
import { exactAmount } from '../../../ui/money-format.ts'
import { Money } from '../../../ui/money.tsx'
import { Amount } from '../../kit/amount.tsx'
import { ExportList } from '../../kit/export-list.tsx'
import { Panel } from '../../kit/panel.tsx'
import { brief } from '../../kit/when.ts'
import { Chart, dayName, drawn, Key, pathOf, short } from './charts.tsx'
import { flowBars } from './flow-bars.ts'

export type Overview = ReplyOf<typeof staffOverview>

/** Charts the balance sheet in USD over the range: reserves against liabilities. */
export function Reserves({ data }: { data: Overview }) {
  const days = data.balanceSheet
  const last = days.at(-1)
  const held = days.map((row) => drawn(row.reserves))
  const owed = days.map((row) => drawn(row.liabilities))
  return (
    <Panel
      title="Reserves and liabilities in USD"
      at={data.at}
      hint={
        last !== undefined && (
          <span className="flex min-w-0 items-center flex-wrap gap-x-4 gap-y-0">
            <Key color="--c1">
              Held, <Money value={last.reserves} />
            </Key>
            <Key color="--c4">
              Owed, <Money value={last.liabilities} />
            </Key>
            <span className="max-md:hidden">
              Margin, <Money value={last.reserves - last.liabilities} />
            </span>
          </span>
        )
      }
    >
      <div className="px-4 pt-3 pb-4">
        <Chart
          label="Reserves and liabilities in USD"
          head={['Day', 'Held', 'Owed']}
          rows={days.map((row) => [row.day, exactAmount(row.reserves), exactAmount(row.liabilities)])}
          low={0}
          high={Math.max(1, ...held, ...owed)}
          height={210}
          names={days.map((row) => dayName(row.day))}
        >
          {({ x, y }) => {
            const line = (values: readonly number[]) => values.map((value, index) => [x(index), y(value)] as const)
            return (
              <>
                <path d={`${pathOf([...line(held), ...line(owed).toReversed()])}Z`} className="fill-chart-1 opacity-10" />
                <path d={pathOf(line(held))} className="fill-none stroke-[1.75]" stroke="var(--c1)" />
                <path d={pathOf(line(owed))} className="fill-none stroke-[1.75]" stroke="var(--c4)" />
                {[held, owed].map((values, index) => (
                  <circle
                    key={index}
                    cx={x(values.length - 1)}
                    cy={y(values.at(-1) ?? 0)}
                    r={3}
                    fill={index === 0 ? 'var(--c1)' : 'var(--c4)'}
                  />
                ))}
              </>
            )
          }}
        </Chart>
      </div>
    </Panel>
  )
}

/** Charts member payments in and out, by day, week or month to keep the bars wide enough. */
export function MoneyFlow({ data }: { data: Overview }) {
  const days = flowBars((data.flows ?? []).filter((row) => row.asset === 'usd'))
  const dayCount = days.reduce((count, bar) => count + bar.days, 0)
  const sum = (of: 'in' | 'out') => days.reduce((total, row) => total + row[of], 0n)
  const [max, min] = [Math.max(1, ...days.map((row) => drawn(row.in))), Math.max(0, ...days.map((row) => drawn(row.out)))]
  return (
    <Panel
      title="Money in and out, USD"
      at={data.at}
      right={<ExportList list="money" />}
      hint={
        <span className="flex min-w-0 items-center flex-wrap gap-x-4 gap-y-0">
          <Key color="--c1">
            Deposits, <Money value={sum('in')} /> in {dayCount} days
          </Key>
          <Key color="--c4">
            Payouts, <Money value={sum('out')} />
          </Key>
        </span>
      }
    >
      <div className="px-4 pt-3 pb-4">
        <Chart
          label={`Money in and out by ${days.some((bar) => bar.days > 7) ? 'month' : days.some((bar) => bar.days > 1) ? 'week' : 'day'}, USD`}
          head={['From', 'In', 'Out']}
          rows={days.map((row) => [row.day, exactAmount(row.in), exactAmount(row.out)])}
          low={-min}
          high={max}
          height={190}
          names={days.map((row, index) => (row.days === 1 && index === days.length - 1 ? 'today' : dayName(row.day)))}
          bars
          unsigned
        >
          {({ x, y, width }) =>
            days.map((row, index) => {
              const [left, wide, opacity] = [x(index) - width * 0.3, width * 0.6, index === days.length - 1 ? 0.55 : 1]
              return (
                <g key={row.day} opacity={opacity}>
                  <rect x={left} width={wide} y={y(drawn(row.in))} height={Math.max(0, y(0) - y(drawn(row.in)))} rx={2} fill="var(--c1)" />
                  <rect x={left} width={wide} y={y(0)} height={Math.max(0, y(-drawn(row.out)) - y(0))} rx={2} fill="var(--c4)" />
                </g>
              )
            })
          }
        </Chart>
      </div>
    </Panel>
  )
}

/** Charts cumulative coin liabilities against the pool and the operator's commitment. */
export function PromisedAgainstPool({ data }: { data: Overview }) {
  const pool = data.rewardPool.find((row) => row.asset === 'coin')
  const months = pool?.forecast ?? []
  const sums = months.map((_, index) => drawn(months.slice(0, index + 1).reduce((sum, row) => sum + row.amount, pool?.owed ?? 0n)))
  const balance = drawn(pool?.balance ?? 0n)
  // A far larger commitment would flatten the chart, so it is given as text.
  const whole = drawn((pool?.balance ?? 0n) + (pool?.committed ?? 0n))
  const withCommitment = whole > 4 * Math.max(balance, ...sums) ? balance : whole
  return (
    <Panel
      title="Promised rewards against the pool"
      at={data.at}
      hint={
        <>
          <Amount asset="coin" value={pool?.promised ?? 0n} /> promised
          {(pool?.committed ?? 0n) > 0n && (
            <>
              , plus <Amount asset="coin" value={pool?.committed ?? 0n} /> guaranteed by the operator
            </>
          )}
          {months.length > 0 && ` until ${dayName(months.at(-1)?.month ?? '')} ${months.at(-1)?.month.slice(0, 4)}`}
        </>
      }
    >
      <div className="px-4 pt-3 pb-4">
        {months.length === 0 ? (
          <p className="text-muted text-xs">No promised rewards.</p>
        ) : (
          <Chart
            label="Promised rewards as they add up, coin"
            head={['Month', 'Promised']}
            rows={months.map((row) => [row.month, exactAmount(row.amount)])}
            low={0}
            high={Math.max(1, ...sums, withCommitment)}
            height={176}
            names={months.map((row) => dayName(row.month))}
          >
            {({ x, y }) => {
              const line = sums.map((value, index) => [x(index), y(value)] as const)
              const cross = crossingOf(sums, balance)
              const level = (value: number) => ({ x1: x(0), x2: x(months.length - 1), y1: y(value), y2: y(value) })
              return (
                <>
                  <path d={`${pathOf([[x(0), y(0)], ...line, [x(months.length - 1), y(0)]])}Z`} className="fill-chart-3 opacity-20" />
                  <path d={pathOf(line)} className="fill-none stroke-[1.75]" stroke="var(--c3)" />
                  <line {...level(balance)} className="fill-none stroke-[1.75]" stroke="var(--c1)" />
                  {withCommitment > balance && (
                    <line {...level(withCommitment)} className="fill-none stroke-[1.75] [stroke-dasharray:4_3]" stroke="var(--c1)" />
                  )}
                  {cross !== undefined && pool?.poolDepletionDate && (
                    <>
                      <line
                        x1={x(cross)}
                        x2={x(cross)}
                        y1={y(balance)}
                        y2={y(0)}
                        className="stroke-chart-1 stroke-[1.5] [stroke-dasharray:2_3]"
                      />
                      <circle cx={x(cross)} cy={y(balance)} r={3.5} className="fill-surface stroke-chart-1 stroke-[1.5]" />
                      <text
                        x={x(cross) + (cross > months.length * 0.8 ? -6 : 6)}
                        y={y(0) - 8}
                        textAnchor={cross > months.length * 0.8 ? 'end' : 'start'}
                      >
                        {dayName(pool.poolDepletionDate)}
                      </text>
                    </>
                  )}
                  {([['pool', balance], ...(withCommitment > balance ? [['with commitment', withCommitment] as const] : [])] as const).map(
                    ([name, value]) => (
                      <text key={name} x={x(months.length - 1)} y={y(value) - 6} textAnchor="end">
                        {name} {short(value)}
                      </text>
                    ),
                  )}
                </>
              )
            }}
          </Chart>
        )}
        {pool?.poolDepletionDate !== undefined && pool.poolDepletionDate !== null && (
          <p className="text-xs text-muted mt-1">
            The pool alone lasts until {brief(new Date(pool.poolDepletionDate))}, an estimate at the same pace.
          </p>
        )}
      </div>
    </Panel>
  )
}

/** Returns the axis position where a rising line first passes a level; undefined if never. */
function crossingOf(sums: readonly number[], level: number): number | undefined {
  const index = sums.findIndex((sum) => sum > level)
  if (index <= 0) return index < 0 ? undefined : 0
  const [before = 0, after = 0] = sums.slice(index - 1)
  return index - 1 + (level - before) / (after - before)
}
