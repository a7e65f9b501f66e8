import { formatUnits, type Units } from '@tizara/money'
import { Sparkline } from '../ui/charts/sparkline.tsx'

/** Charts recent coin prices; screen readers get the first and last. */
export default function PriceLine({ days }: { days: readonly { day: string; coinPrice: Units }[] }) {
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  return (
    <Sparkline
      values={days.map(({ coinPrice }) => Number(coinPrice))}
      height={64}
      className="h-16 grow"
      label={`Price from ${formatUnits(first.coinPrice)} USD on ${first.day} to ${formatUnits(last.coinPrice)} USD on ${last.day}`}
    />
  )
}
