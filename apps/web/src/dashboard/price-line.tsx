import { t } from '@tizara/languages'
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
      label={t('Price from {coinPrice} USD on {day} to {coinPrice2} USD on {day2}', {
        coinPrice: formatUnits(first.coinPrice),
        day: first.day,
        coinPrice2: formatUnits(last.coinPrice),
        day2: last.day,
      })}
    />
  )
}
