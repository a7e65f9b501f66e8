import { type BusinessPeriod, funnelSteps, staffBusiness, staffBusinessTeams } from '@tizara/contract/staff-business'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { drawnCents, drawnText, drawnTick } from '../../../lib/drawn.ts'
import { StackedBars } from '../../../ui/charts/stacked-bars.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatAmount } from '../../../ui/money-format.ts'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'
import { Amount, useUnit } from '../../kit/amount.tsx'
import { Choice } from '../../kit/choice.tsx'
import { ExportList } from '../../kit/export-list.tsx'
import { Heads } from '../../kit/heads.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { coverageText } from '../../kit/platform-status.ts'
import { watch } from '../../kit/watch.ts'
import { ShortAmount } from '../ledger/short-amount.tsx'
import { type Business as Data, type Figure, FIGURES } from './business-figures.ts'
import { compare, shareOf } from './comparison.ts'

/** Figures change once a day, and today's slowly. */
const READ_EVERY_MS = 60_000

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const dayText = (day: string): string => dayFormat.format(new Date(day))
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const countText = (value: number): string => value.toLocaleString('en-US')

/** Business figures of a period: tiles with a chart, funnel, withdrawals, capacity and teams. */
export function Business({ period }: { period: BusinessPeriod }) {
  const query = useQuery({ ...watch(staffBusiness, { query: { period } }), refetchInterval: READ_EVERY_MS })
  const { data } = query
  return (
    <section aria-label="Business" className="mt-4 grid gap-3.5">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <h2 className="text-base font-semi tracking-head">Business</h2>
          <p className="text-xs text-muted">{data === undefined ? 'Loading' : periodText(data)}</p>
        </div>
        <span className="text-xs">
          <ExportList list="business" />
        </span>
      </div>
      {data === undefined ? (
        <ListState query={query} rows={0} none="" />
      ) : (
        <>
          <Tiles data={data} />
          <div className="grid items-start gap-3.5 md:grid-cols-2">
            <Funnel data={data} />
            <Withdrawals data={data} />
            <Capacity data={data} />
            <Teams period={period} />
          </div>
        </>
      )}
    </section>
  )
}

function periodText({ period, before }: Data): string {
  const zone = 'Days begin and end at midnight UTC.'
  if (period === null || before === null) return `No complete day yet. ${zone}`
  const range = (one: { from: string; through: string }) =>
    one.from === one.through ? dayText(one.from) : `${dayText(one.from)} to ${dayText(one.through)}`
  return `${range(period)}, compared with ${range(before)}. Today is shown separately. ${zone}`
}

/** Shows the figures as tiles. The selected one is drawn below. */
function Tiles({ data }: { data: Data }) {
  const [selected, setSelected] = useState<Figure>(FIGURES[0])
  const unit = useUnit()
  const textOf = (figure: Figure, value: bigint) =>
    figure.asset === undefined ? countText(Number(value)) : formatAmount(value).replace('-', '−')
  const label = selected.asset === undefined ? selected.label : `${selected.label}, ${unit(selected.asset)}`
  return (
    <section className={panelClass()} aria-label="Figures of the period">
      <div className="grid grid-cols-7 max-[1100px]:grid-cols-4 max-md:grid-cols-[1fr_1fr]" role="group" aria-label="Figure of the chart">
        {FIGURES.map((figure) => {
          const change = compare(figure.valueOf(data.sums), figure.valueOf(data.sumsBefore))
          return (
            <button
              key={figure.key}
              type="button"
              aria-pressed={figure === selected}
              className={cx(
                'flex flex-col border-l px-3.5 py-3 text-left wrap-anywhere first:border-l-0 hover:bg-raised max-md:border-b max-md:border-l-0',
                figure === selected && 'shadow-[inset_0_-2px_0_var(--c1)]',
              )}
              onClick={() => setSelected(figure)}
            >
              <span className="block text-xs text-muted">{figure.label}</span>
              <span className="block text-lg font-strong tracking-num">
                {figure.asset === undefined ? (
                  countText(Number(figure.valueOf(data.sums)))
                ) : (
                  <ShortAmount asset={figure.asset} value={figure.valueOf(data.sums)} />
                )}
              </span>
              <span className="block text-xs text-muted">{change.text}</span>
              <span className="block text-xs text-faint">{textOf(figure, figure.valueOf(data.today))} today so far</span>
            </button>
          )
        })}
      </div>
      <div className="border-t px-4 pt-3 pb-4">
        {data.days.length === 0 ? (
          <EmptyState title="No complete day yet." text="The chart begins after the first midnight UTC." />
        ) : (
          <StackedBars
            label={`${label} by day`}
            series={[{ key: selected.key, label }]}
            groups={data.days.map((day) => {
              const value = selected.valueOf(day)
              const drawn = selected.asset === undefined ? Number(value) : drawnCents(value)
              return { key: day.day, label: shortDay.format(new Date(day.day)), title: dayText(day.day), values: { [selected.key]: drawn } }
            })}
            groupLabel="Date"
            formatValue={selected.asset === undefined ? countText : drawnText}
            formatTick={selected.asset === undefined ? countText : drawnTick}
            legend={false}
            emptyText="Nothing on these days"
          />
        )}
      </div>
    </section>
  )
}

const STEP_LABELS = { registered: 'Registered', verified: 'Verified', deposited: 'Deposited', bought: 'Bought', staked: 'Staked' } as const
const STEP_TOTALS = {
  registered: 'totalRegistered',
  verified: 'totalVerified',
  deposited: 'totalDeposited',
  bought: 'totalBought',
  staked: 'totalStaked',
} as const

/** Lists the steps from registration to the first stake. */
function Funnel({ data }: { data: Data }) {
  return (
    <Panel title="Funnel" hint="Members who took a step for the first time">
      <Table dense folds className="mt-2">
        <Heads columns={['Step', ['Period', 'num'], ['Change', 'num'], ['All members', 'num'], ['Share', 'num']]} />
        <tbody>
          {funnelSteps.map((step) => (
            <tr key={step}>
              <th scope="row">{STEP_LABELS[step]}</th>
              <td className="text-right" data-label="Period">
                {countText(data.sums[step])}
              </td>
              <td className="text-right text-muted" data-label="Change">
                {compare(BigInt(data.sums[step]), BigInt(data.sumsBefore[step])).text}
              </td>
              <td className="text-right" data-label="All members">
                {countText(data.totals[STEP_TOTALS[step]])}
              </td>
              <td className="text-right text-muted" data-label="Share">
                {shareOf(data.totals[STEP_TOTALS[step]], data.totals.totalRegistered)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

const STATES = { unconfirmed: 'Awaiting the member', pending: 'Awaiting approval', sending: 'Being sent' } as const

/** Lists open payouts by state and age, and the decisions of the period. */
function Withdrawals({ data }: { data: Data }) {
  const { sums } = data
  return (
    <Panel title="Withdrawals and bridges" hint="Open now, by time since the request">
      {data.openPayouts.length === 0 ? (
        <p className="px-4 pt-3 text-muted">No open withdrawals.</p>
      ) : (
        <Table dense folds className="mt-2">
          <Heads columns={['State', ['Up to 1 day', 'num'], ['1 to 3 days', 'num'], ['Older', 'num'], ['Amount', 'num']]} />
          <tbody>
            {data.openPayouts.map((row) => (
              <tr key={`${row.asset} ${row.state}`}>
                <th scope="row">
                  {STATES[row.state]}, {row.asset === 'usd' ? 'withdrawals' : 'bridges'}
                </th>
                <td className="text-right" data-label="Up to 1 day">
                  {countText(row.upToOneDay)}
                </td>
                <td className="text-right" data-label="1 to 3 days">
                  {countText(row.upToThreeDays)}
                </td>
                <td className="text-right" data-label="Older">
                  {countText(row.older)}
                </td>
                <td className="text-right" data-label="Amount">
                  <Amount asset={row.asset} value={row.amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <p className="px-4 pt-2 pb-3 text-xs text-muted">
        Withdrawals in the period: {countText(sums.withdrawalsRequested)} requested (<Amount asset="usd" value={sums.usdRequested} />
        ), {countText(sums.withdrawalsPaid)} approved, {countText(sums.withdrawalsRejected)} rejected or canceled,{' '}
        {countText(sums.withdrawalsReturned)} returned.
      </p>
    </Panel>
  )
}

/** Lists liabilities, and what is left to sell and to pay. */
function Capacity({ data }: { data: Data }) {
  const { capacity, totals } = data
  const coverage = capacity.usdOwed <= 0n ? null : (capacity.usdHeld * 10_000_000_000n) / capacity.usdOwed
  const { value, unit } = coverageText(coverage, 1)
  return (
    <Panel title="Liabilities and capacity" right={<ExportList list="money" />} hint="Now; active stakes at the end of the period">
      <dl className="px-4 pt-2 pb-3">
        <Fact name="Owed to members">
          <Amount asset="usd" value={capacity.usdOwed} />
        </Fact>
        <Fact name="Held">
          <Amount asset="usd" value={capacity.usdHeld} />
        </Fact>
        <Fact name="Coverage">{coverage === null ? 'nothing owed' : `${value}${unit === undefined ? '' : ` ${unit}`}`}</Fact>
        <Fact name="Coin for sale">
          <Amount asset="coin" value={capacity.coinForSale} />
        </Fact>
        <Fact name="Lasts at this pace">{daysLeft(data)}</Fact>
        <Fact name="For buying coin back">
          <Amount asset="usd" value={capacity.usdForBuyingBack} />
        </Fact>
        <Fact name="Proceeds sent in the period">
          <Amount asset="usd" value={data.sums.usdProceeds} />
        </Fact>
        <Fact name="Proceeds available now">
          <Amount asset="usd" value={capacity.usdForProceeds} />
        </Fact>
        <Fact name="Reward pool, coin">
          <Amount asset="coin" value={capacity.rewardPool.coin} />
        </Fact>
        <Fact name="Reward pool, USD">
          <Amount asset="usd" value={capacity.rewardPool.usd} />
        </Fact>
        <Fact name={`Active stakes, ${countText(totals.stakesActive)}`}>
          <Amount asset="coin" value={totals.coinInStakes} />
        </Fact>
      </dl>
    </Panel>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-3 border-b py-[5px] last:border-b-0">
    <dt className="text-muted">{name}</dt>
    <dd className="text-right">{children}</dd>
  </div>
)

/** Estimates how long the coin for sale lasts at the period's pace. */
function daysLeft({ capacity, sums, days }: Data): string {
  if (sums.coinSold <= 0n || days.length === 0) return 'nothing sold in the period'
  const left = (capacity.coinForSale * BigInt(days.length)) / sums.coinSold
  return left > 3650n ? 'over 10 years' : `about ${countText(Number(left))} days`
}

const LEVELS = [
  ['0', 'Top level'],
  ['1', 'Second level'],
] as const

/** Lists the referral teams with the most USD taken. */
function Teams({ period }: { period: BusinessPeriod }) {
  const [level, setLevel] = useState<'0' | '1'>('0')
  const query = useQuery({ ...watch(staffBusinessTeams, { query: { period, level } }), refetchInterval: READ_EVERY_MS })
  const teams = query.data?.teams ?? []
  return (
    <Panel
      title="Largest teams"
      right={<ExportList list="teams" filter={{ period, level }} />}
      hint={
        level === '0'
          ? 'Members without a sponsor, with everyone below them'
          : 'Members directly below the top level, with everyone below them'
      }
    >
      <div className="px-4 pt-2">
        <Choice label="Level of the teams" of={LEVELS} value={level} onChange={setLevel} />
      </div>
      <ListState query={query} rows={teams.length} none="No team bought, staked or grew in this period." />
      {teams.length > 0 && (
        <Table dense folds className="mt-1">
          <Heads columns={['Leader', ['USD taken', 'num'], ['Change', 'num'], ['Coin staked', 'num'], ['Verified', 'num']]} />
          <tbody>
            {teams.map((team) => (
              <tr key={team.leader.id}>
                <th scope="row" className="max-w-[180px] truncate">
                  <Link href={`/staff/members/${team.leader.id}`} className="link">
                    {plain(team.leader.name)}
                  </Link>
                </th>
                <td className="text-right" data-label="USD taken">
                  <Amount asset="usd" value={team.usdTaken} />
                </td>
                <td className="text-right text-muted" data-label="Change">
                  {compare(team.usdTaken, team.usdTakenBefore).text}
                </td>
                <td className="text-right" data-label="Coin staked">
                  <Amount asset="coin" value={team.coinStaked} />
                </td>
                <td className="text-right" data-label="Verified">
                  {countText(team.verified)}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}
