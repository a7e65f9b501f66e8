import type { simulationResult } from '@tizara/contract/staff-programme'
import type { InferOutput } from 'valibot'
import { formatAmount } from '../../../ui/money-format.ts'
import { useUnit } from '../../kit/amount.tsx'

export type Result = InferOutput<typeof simulationResult>
type Asset = 'coin' | 'usd'

const KINDS: Readonly<Record<Result['totals'][number]['kind'], string>> = {
  daily: 'Daily reward',
  level: 'Level reward',
  'profit-bounty': 'Profit bounty',
  referral: 'Referral',
  'stake-log': 'Omega reward',
  'stake-log-bounty': 'Omega bounty',
  rank: 'Rank bonus',
  'nft-monthly': 'NFT reward',
  'nft-level': 'NFT level',
  'nft-profit-bounty': 'NFT bounty',
}
const ASSETS: readonly Asset[] = ['coin', 'usd']

/** Formats a hash in groups of four, for reading aloud. */
export const grouped = (hash: string): string => hash.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** 5,224,900 as `5,224.9 K`. */
export function short(units: bigint): string {
  const amount = Number(units) / 1e8
  const [cut, sign] = Math.abs(amount) >= 1e7 ? [amount / 1e6, ' M'] : Math.abs(amount) >= 1e4 ? [amount / 1e3, ' K'] : [amount, '']
  return cut.toLocaleString('en-US', { minimumFractionDigits: sign === '' ? 2 : 1, maximumFractionDigits: sign === '' ? 2 : 1 }) + sign
}

/** `+3.5 %` */
export function change(before: bigint, after: bigint): string {
  if (before === after) return 'no change'
  if (before === 0n) return 'new'
  const percent = (Number(after - before) / Number(before)) * 100
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`
}

const sums = (result: Result, asset: Asset): [before: bigint, after: bigint] => {
  const totals = result.totals.filter((row) => row.asset === asset)
  return [totals.reduce((sum, row) => sum + row.before, 0n), totals.reduce((sum, row) => sum + row.after, 0n)]
}

/** Shows the draft's simulated total, amounts by kind and coverage. */
export function ResultFigures({ result }: { result: Result }) {
  const assets = ASSETS.filter((asset) => asset === 'coin' || sums(result, asset).some((sum) => sum > 0n))
  return (
    <>
      {assets.map((asset) => (
        <Headline key={asset} result={result} asset={asset} />
      ))}
      {assets.map((asset) => (
        <Kinds key={asset} result={result} asset={asset} />
      ))}
      <p className="text-xs text-muted mt-2">
        <span className="flex min-w-0 items-center flex-wrap gap-3.5">
          <span>
            <i className="inline-block size-2 flex-none rounded-[3px] bg-line-strong" /> as paid, held and due
          </span>
          <span>
            <i className="inline-block size-2 flex-none rounded-[3px] bg-chart-1" /> with the draft, changed
          </span>
          <span>
            <i className="inline-block size-2 flex-none rounded-[3px] bg-chart-2" /> same
          </span>
        </span>
      </p>
    </>
  )
}

function Headline({ result, asset }: { result: Result; asset: Asset }) {
  const unit = useUnit()(asset)
  const [before, after] = sums(result, asset)
  const coverage = result.coverage.find((one) => one.asset === asset)
  const percent = (of: bigint | null | undefined) =>
    of === null || of === undefined ? 'nothing due' : `${(Number(of) / 1e8).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`
  return (
    <div className="mt-2 grid grid-cols-3 gap-3 max-[900px]:grid-cols-1">
      <div>
        <div className="text-xs text-muted">Would have come to</div>
        <div className="text-xl font-strong tracking-num whitespace-nowrap">
          {short(after)}
          <span className="ml-[3px] text-2xs font-medium tracking-normal text-faint">{unit}</span>
        </div>
        <div className="text-xs text-muted">
          instead of {short(before)}, <b className={after > before ? 'font-semi text-warning' : 'font-semi'}>{change(before, after)}</b>
        </div>
      </div>
      <div>
        <div className="text-xs text-muted">Pool coverage</div>
        <div className="text-xl font-strong tracking-num whitespace-nowrap">{percent(coverage?.after.coverage)}</div>
        <div className="text-xs text-muted">
          instead of {percent(coverage?.before.coverage)}; promised {short(coverage?.after.promised ?? 0n)}, owed{' '}
          {short(coverage?.after.owed ?? 0n)}
        </div>
      </div>
      <div>
        <div className="text-xs text-muted">Pool alone pays until</div>
        <div className="text-xl font-strong tracking-num whitespace-nowrap">{coverage?.after.poolDepletionDate ?? 'the end'}</div>
        <div className="text-xs text-muted">instead of {coverage?.before.poolDepletionDate ?? 'the end'}</div>
      </div>
    </div>
  )
}

const BAR = 'my-0.5 block h-1.5 rounded-[2px]'

function Kinds({ result, asset }: { result: Result; asset: Asset }) {
  const unit = useUnit()(asset)
  const rows = result.totals.filter((row) => row.asset === asset)
  const largest = rows.reduce((top, row) => [row.before, row.after, top].reduce((a, b) => (a > b ? a : b)), 1n)
  const part = (units: bigint) => `${(Number(units) / Number(largest)) * 100}%`
  return (
    <dl className="mt-3 grid grid-cols-[116px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-1.5" aria-label={`By kind, ${unit}`}>
      {rows.map(({ kind, before, after }) => (
        <div className="contents" key={kind}>
          <dt className="text-xs text-muted">{KINDS[kind]}</dt>
          <dd aria-hidden="true">
            <i className={`${BAR} bg-line-strong`} style={{ width: part(before) }} />
            <i className={`${BAR} ${before === after ? 'bg-chart-2' : 'bg-chart-1'}`} style={{ width: part(after) }} />
          </dd>
          <dd
            className={
              before === after ? 'text-xs text-muted text-right whitespace-nowrap' : 'text-xs font-semi text-right whitespace-nowrap'
            }
            title={`${formatAmount(before)} before, ${formatAmount(after)} after`}
          >
            {before !== after && <span className="sr-only">{short(before)}, with the draft </span>}
            {short(after)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
