import type { Asset } from '@tizara/contract/wallets'
import { exactAmount, formatAmount } from '../../../ui/money-format.ts'
import { useUnit } from '../../kit/amount.tsx'

const UNITS = 100_000_000n
/** Thresholds in whole units for short amounts in millions or thousands. */
const SUFFIXES = [
  [1_000_000n, 'M'],
  [100_000n, 'K'],
] as const

/** Shows a large amount in little space: `432.56 M`, exact in the title. */
export function ShortAmount({ asset, value }: { asset: Asset; value: bigint }) {
  const unit = useUnit()(asset)
  const size = value < 0n ? -value : value
  const step = SUFFIXES.find(([min]) => size >= min * UNITS)
  const [amount, letter] = step === undefined ? [value, ''] : [value / (step[1] === 'M' ? 1_000_000n : 1_000n), ` ${step[1]}`]
  return (
    <span className="short" title={`${exactAmount(value).replace('-', '−')} ${unit}`}>
      {formatAmount(amount).replace('-', '−')}
      {letter} <span className="ml-[3px] text-2xs font-medium tracking-normal text-faint">{unit}</span>
    </span>
  )
}
