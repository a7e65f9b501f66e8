import { priceHistory } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { exactAmount } from '../../../ui/money-format.ts'
import { ListState } from '../../kit/list-parts.tsx'
import { Panel } from '../../kit/panel.tsx'
import { watch } from '../../kit/watch.ts'
import { brief } from '../../kit/when.ts'
import { Pending } from './pending.tsx'
import { asText, type Catalogue, PRICE_DECIMALS, type ValueDecisions } from './offers.ts'
import { Button } from '../../../ui/button.tsx'

const DAYS = 90
const [WIDE, HIGH] = [440, 130]
/** Left edge of the line in px. Figures are drawn before it. */
const LEFT = 44
const number = (units: bigint) => Number(units) / 1e8
/** `0.0080` */
const rate = (price: number) => price.toLocaleString('en-US', { minimumFractionDigits: PRICE_DECIMALS, maximumFractionDigits: 8 })

/** Shows the price history. Proposed and planned steps are dashed. */
export function PricePanel({
  catalogue,
  decisions,
  onPropose,
}: {
  catalogue: Catalogue
  decisions: ValueDecisions | undefined
  onPropose?: (() => void) | undefined
}) {
  const read = useQuery(watch(priceHistory, { query: { days: DAYS } }))
  const days = read.data ?? []
  const next = (decisions?.pending ?? [])
    .toSorted((a, b) => (a.startsAt?.getTime() ?? 0) - (b.startsAt?.getTime() ?? 0))
    .flatMap(({ value }) => {
      const price = typeof value === 'object' && value !== null ? Reflect.get(value, 'coinPrice') : undefined
      return typeof price === 'number' ? [price] : []
    })
  return (
    <Panel
      title="Coin price"
      className="content-start lg:col-span-5"
      right={
        onPropose !== undefined && (
          <Button size="sm" aria-label="Propose another coin price" onClick={onPropose}>
            Propose
          </Button>
        )
      }
    >
      <div className="px-4 pt-3 pb-4">
        <div className="flex min-w-0 items-center gap-2 flex-wrap">
          <span role="group" aria-label="Price now" className="text-xl font-strong tracking-num whitespace-nowrap">
            {exactAmount(asText(catalogue.coinPrice), PRICE_DECIMALS)}
            <span className="ml-[3px] text-2xs font-medium tracking-normal text-faint">USD</span>
          </span>
          <Pending of={decisions} />
        </div>
        <ListState query={read} rows={days.length} none="No price yet" />
        {days.length > 1 && (
          <Steps
            prices={days.map((day) => number(day.coinPrice))}
            next={next}
            from={days[0] === undefined ? '' : brief(new Date(days[0].day), new Date(0)).replace(/ \d{4}$/, '')}
          />
        )}
      </div>
    </Panel>
  )
}

/** Draws the price of each day, then each planned step in order of start. */
function Steps({ prices, next, from }: { prices: readonly number[]; next: readonly number[]; from: string }) {
  const all = [...prices, ...next]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const span = high - low || high || 1
  const y = (price: number) => HIGH - 14 - ((price - low) / span) * (HIGH - 34)
  const today = WIDE - 90
  const x = (index: number) => LEFT + (index / (prices.length - 1)) * (today - LEFT)
  const ticks = [0, 1, 2, 3].map((part) => low + (span * part) / 3)
  const last = prices.at(-1) ?? 0
  const end = next.at(-1) ?? last
  const line = prices.map((price, index) => (index === 0 ? `M${LEFT} ${y(price)}` : `H${x(index)} V${y(price)}`)).join(' ')
  const coming = next.map((price, index) => `V${y(price)} H${today + ((WIDE - today) * (index + 1)) / next.length}`).join(' ')
  return (
    <svg
      className="mt-3 block w-full overflow-visible text-[10px] [&_text]:fill-muted"
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      role="img"
      aria-label={`Price of ${prices.length} days: from ${rate(prices[0] ?? 0)} to ${rate(last)} USD${next.length === 0 ? '' : `, ${next.map(rate).join(', then ')} proposed`}`}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDE} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x="0" y={y(tick) + 3}>
            {tick.toFixed(4)}
          </text>
        </g>
      ))}
      <path d={line} className="fill-none stroke-chart-1 stroke-2" />
      {next.length > 0 && (
        <path d={`M${today} ${y(last)} ${coming}`} className="fill-none stroke-chart-1 stroke-2 [stroke-dasharray:3_3]" />
      )}
      <circle cx={today} cy={y(last)} r="3.5" className="fill-chart-1" />
      <text x={LEFT} y={HIGH}>
        {from}
      </text>
      <text x={today} y={HIGH} textAnchor="middle">
        today
      </text>
      <text x={WIDE} y={y(end) - 6} textAnchor="end">
        {next.length === 0 ? rate(high) : `${rate(end)} proposed`}
      </text>
    </svg>
  )
}
