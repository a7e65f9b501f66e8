import { t } from '@tizara/languages'
import { ProgressBar } from '../ui/progress.tsx'
import type { Supply } from './nfts.rules.ts'
import { T } from '../ui/t.tsx'

const count = (value: number): string => value.toLocaleString('en-US')

/** Shows a kind's sold share. */
export function SupplyBar({ supply: { sold, cap, left }, name }: { supply: Supply; name: string }) {
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-3 text-xs text-muted">
        <span>{left === 0 ? <b className="font-semi text-danger">{t('Sold out')}</b> : t('{left} left', { left: count(left) })}</span>
        <span className="text-faint">
          <T text="{sold} of {cap} sold" sold={count(sold)} cap={count(cap)} />
        </span>
      </div>
      <ProgressBar
        label={t('{name}: sold', { name })}
        value={sold}
        max={cap}
        valueText={t('{sold} of {cap} sold', { sold: count(sold), cap: count(cap) })}
        tone={left === 0 ? 'danger' : 'accent'}
      />
    </div>
  )
}
