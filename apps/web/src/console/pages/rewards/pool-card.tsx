import type { Asset } from '@tizara/contract/wallets'
import { exactAmount, formatAmount } from '../../../ui/money-format.ts'
import { Amount, useUnit } from '../../kit/amount.tsx'
import { Panel } from '../../kit/panel.tsx'
import { brief } from '../../kit/when.ts'
import { coverWith, oneDecimal, type PoolAsset } from './pool.ts'

const NAMES: Readonly<Record<Asset, string>> = { coin: 'Coin pool', usd: 'USD pool' }

/** From a million on, in units. */
const NO_DECIMALS = 100_000_000_000_000n

/** What the pool of an asset holds against what is promised. */
export function PoolCard({ of, at }: { of: PoolAsset; at: Date }) {
  const unit = useUnit()(of.asset)
  const cover = coverWith(of)
  const isCovered = cover === null || cover >= 10_000_000_000n
  const due = of.promised + of.owed
  const whole = [of.pool + of.committed, due].reduce((most, one) => (one > most ? one : most), 1n)
  const part = (units: bigint) => `${Number((units * 1000n) / whole) / 10}%`
  return (
    <Panel
      title={NAMES[of.asset]}
      at={at}
      right={<span className={isCovered ? 'badge ok' : 'badge bad'}>{isCovered ? 'Covered' : 'Not covered'}</span>}
    >
      <div className="in">
        <div className="row wrap pool-figures">
          <div>
            <div className="sm mut">In the pool</div>
            <div className="big">
              <Amount value={of.pool} asset={of.asset} />
            </div>
          </div>
          <Figure label="Promised" value={of.promised} />
          <Figure label="Committed besides" value={of.committed} />
          {of.owed > 0n && <Figure label="Owed" value={of.owed} warn />}
          <div className="num end">
            <div className="sm mut">Cover</div>
            <div className="big">
              {cover === null ? '–' : oneDecimal(cover)}
              <span className="u">%</span>
            </div>
          </div>
        </div>
        <div
          className="pool-bar mt12"
          role="img"
          aria-label={`${formatAmount(of.pool)} ${unit} in the pool and ${formatAmount(of.committed)} committed, against ${formatAmount(due)} promised and owed`}
        >
          <i className="has" style={{ width: part(of.pool) }} />
          <i className="may" style={{ width: part(of.committed) }} />
          <b style={{ left: part(due) }} />
        </div>
        <div className="row sb sm mut mt4">
          <span>
            {of.aloneUntil
              ? `The pool alone pays until ${brief(new Date(of.aloneUntil), new Date(0))}`
              : 'The pool alone pays all that is promised'}
          </span>
          <span>the mark is what is promised</span>
        </div>
      </div>
    </Panel>
  )
}

function Figure({ label, value, warn }: { label: string; value: bigint; warn?: boolean }) {
  return (
    <div>
      <div className="sm mut">{label}</div>
      <div className={warn === true ? 'b figure warn' : 'b figure'}>
        {/* Beside the other figures large ones have no room for their decimals; they stand in the title. */}
        <span title={exactAmount(value)}>{formatAmount(value, value >= NO_DECIMALS ? 0 : 2)}</span>
      </div>
    </div>
  )
}
