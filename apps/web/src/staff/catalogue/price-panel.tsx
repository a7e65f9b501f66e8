import { priceHistory } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { ListState } from '../lib/list-parts.tsx'
import { Panel } from '../lib/panel.tsx'
import { watch } from '../lib/watch.ts'
import { Pending } from './pending.tsx'
import { asText, type Catalogue, type Standing } from './offers.ts'

const DAYS = 90
const [WIDE, HIGH] = [440, 130]
const number = (units: bigint) => Number(units) / 1e8

/** The price with its history; what is proposed or planned stands in it as a dashed step. */
export function PricePanel({
  catalogue,
  standing,
  onPropose,
}: {
  catalogue: Catalogue
  standing: Standing | undefined
  onPropose?: (() => void) | undefined
}) {
  const read = useQuery(watch(priceHistory, { query: { days: DAYS } }))
  const days = read.data ?? []
  const next = standing?.pending.flatMap(({ value }) => {
    const price = typeof value === 'object' && value !== null ? Reflect.get(value, 'coinPrice') : undefined
    return typeof price === 'number' ? [price] : []
  })[0]
  return (
    <Panel
      title="Coin price"
      className="c5"
      right={
        onPropose !== undefined && (
          <button type="button" className="btn sm" aria-label="Propose another coin price" onClick={onPropose}>
            Propose
          </button>
        )
      }
    >
      <div className="in">
        <div className="row wrap">
          <span className="big">
            {asText(catalogue.coinPrice)}
            <span className="u">USD</span>
          </span>
          <Pending of={standing} />
        </div>
        <ListState query={read} rows={days.length} none="No price yet" />
        {days.length > 1 && <Steps prices={days.map((day) => number(day.coinPrice))} next={next} from={days[0]?.day ?? ''} />}
      </div>
    </Panel>
  )
}

function Steps({ prices, next, from }: { prices: readonly number[]; next: number | undefined; from: string }) {
  const all = next === undefined ? prices : [...prices, next]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const span = high - low || high || 1
  const y = (price: number) => HIGH - 14 - ((price - low) / span) * (HIGH - 34)
  const x = (place: number) => (place / (prices.length - 1)) * (WIDE - 90)
  const last = prices.at(-1) ?? 0
  const line = prices.map((price, place) => (place === 0 ? `M0 ${y(price)}` : `H${x(place)} V${y(price)}`)).join(' ')
  return (
    <svg
      className="steps mt12"
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      role="img"
      aria-label={`Price of ${prices.length} days: from ${prices[0]} to ${last} USD${next === undefined ? '' : `, ${next} proposed`}`}
    >
      <path d={line} className="line" />
      {next !== undefined && <path d={`M${x(prices.length - 1)} ${y(last)} V${y(next)} H${WIDE}`} className="line dashed" />}
      <circle cx={x(prices.length - 1)} cy={y(last)} r="3.5" className="now" />
      <text x="0" y={HIGH}>
        {from}
      </text>
      <text x={x(prices.length - 1)} y={HIGH} textAnchor="middle">
        today
      </text>
      <text x={WIDE} y={next === undefined ? y(last) - 6 : y(next) - 6} textAnchor="end">
        {next === undefined ? `${high}` : `${next} proposed`}
      </text>
    </svg>
  )
}
