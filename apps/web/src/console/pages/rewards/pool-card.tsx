import type { Asset } from '@tizara/contract/wallets'
import { exactAmount, formatAmount } from '../../../ui/money-format.ts'
import { Amount, useUnit } from '../../kit/amount.tsx'
import { Panel } from '../../kit/panel.tsx'
import { brief } from '../../kit/when.ts'
import { coverageText } from '../../kit/platform-status.ts'
import { coverageWith, type PoolAsset } from './pool.ts'
import { cx } from '../../../ui/cx.ts'
import { Badge } from '../../../ui/badge.tsx'

const NAMES: Readonly<Record<Asset, string>> = { coin: 'Coin pool', usd: 'USD pool' }

/** Amounts from one million (in units) are shown without decimals. */
const NO_DECIMALS = 100_000_000_000_000n

/** Shows a pool's balance against its liabilities. */
export function PoolCard({ of, at }: { of: PoolAsset; at: Date }) {
  const unit = useUnit()(of.asset)
  const coverage = coverageWith(of)
  const { value, unit: unitOfCoverage } = coverageText(coverage, 1)
  const isCovered = coverage === null || coverage >= 10_000_000_000n
  const due = of.promised + of.owed
  const scale = [of.pool + of.committed, due].reduce((max, one) => (one > max ? one : max), 1n)
  const part = (units: bigint) => `${Number((units * 1000n) / scale) / 10}%`
  return (
    <Panel
      title={NAMES[of.asset]}
      at={at}
      right={<Badge tone={isCovered ? 'success' : 'danger'}>{isCovered ? 'Covered' : 'Not covered'}</Badge>}
    >
      <div className="px-4 pt-3 pb-4">
        <div className="flex min-w-0 flex-wrap items-end gap-x-[18px] gap-y-2">
          <div>
            <div className="text-xs text-muted">In the pool</div>
            <div className="text-xl font-strong tracking-num whitespace-nowrap">
              <Amount value={of.pool} asset={of.asset} />
            </div>
          </div>
          <Figure label="Promised" value={of.promised} />
          <Figure label="Guaranteed by the operator" value={of.committed} />
          {of.owed > 0n && <Figure label="Owed" value={of.owed} warn />}
          <div className="whitespace-nowrap">
            <div className="text-xs text-muted">Coverage</div>
            <div className="font-strong tracking-num">
              {value}
              {unitOfCoverage !== undefined && (
                <span className="ml-[3px] text-2xs font-medium tracking-normal text-faint">{unitOfCoverage}</span>
              )}
            </div>
          </div>
        </div>
        <div
          className="relative mt-3 flex h-2 gap-0.5 rounded-[9px] bg-raised"
          role="img"
          aria-label={`${formatAmount(of.pool)} ${unit} in the pool and ${formatAmount(of.committed)} guaranteed by the operator, against ${formatAmount(due)} promised and owed`}
        >
          <i className="rounded-[9px] bg-chart-1" style={{ width: part(of.pool) }} />
          <i className="rounded-[9px] bg-[color-mix(in_oklch,var(--c1)_40%,var(--surface))]" style={{ width: part(of.committed) }} />
          <b className="absolute -top-0.5 h-3 w-0.5 bg-ink" style={{ left: part(due) }} />
        </div>
        <div className="flex min-w-0 items-center gap-2 justify-between text-xs text-muted mt-1">
          <span>
            {of.poolDepletionDate
              ? `The pool alone lasts until ${brief(new Date(of.poolDepletionDate), new Date(0))}`
              : 'The pool covers all promised rewards'}
          </span>
          <span>Line: promised rewards</span>
        </div>
      </div>
    </Panel>
  )
}

function Figure({ label, value, warn }: { label: string; value: bigint; warn?: boolean }) {
  return (
    <div>
      <div className="text-xs text-muted">{label}</div>
      <div className={cx('text-[15px] leading-[26px] font-semi tabular-nums', warn === true && 'text-warning')}>
        {/* Large figures drop their decimals for space. The title has them. */}
        <span title={exactAmount(value)}>{formatAmount(value, value >= NO_DECIMALS ? 0 : 2)}</span>
      </div>
    </div>
  )
}
