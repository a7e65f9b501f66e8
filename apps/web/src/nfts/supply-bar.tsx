import { ProgressBar } from '../ui/progress.tsx'
import type { Supply } from './nfts.rules.ts'

const count = (value: number): string => value.toLocaleString('en-US')

/** Shows a kind's sold share. */
export function SupplyBar({ supply: { sold, cap, left }, name }: { supply: Supply; name: string }) {
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-3 text-xs text-muted">
        <span>{left === 0 ? <b className="font-semi text-danger">Sold out</b> : `${count(left)} left`}</span>
        <span className="text-faint">
          {count(sold)} of {count(cap)} sold
        </span>
      </div>
      <ProgressBar
        label={`${name}: sold`}
        value={sold}
        max={cap}
        valueText={`${count(sold)} of ${count(cap)} sold`}
        tone={left === 0 ? 'danger' : 'accent'}
      />
    </div>
  )
}
