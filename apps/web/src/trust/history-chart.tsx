import { chainUsd, type ProofStatement } from '@tizara/contract/balance-proof/proof-statement'
import type { Asset } from '@tizara/contract/wallets'
import { joinList, t, texts } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import { exactAmount } from '../ui/money-format.ts'
import { LineChart } from '../ui/charts/line-chart.tsx'

/** Charts the published amounts of one asset over time: owed, promised, and for USD the reserves on the chain. */
export function HistoryChart({ statements, asset, unit }: { statements: readonly ProofStatement[]; asset: Asset; unit: string }) {
  const series = SERIES.filter(({ key }) => asset === 'usd' || key !== 'reserves')
  // For drawing only; the readout has the exact amount.
  const pointOf = (value: Units | undefined) =>
    value === undefined ? undefined : { v: Number(formatUnits(value)), text: `${exactAmount(value)} ${unit}` }
  return (
    <LineChart
      label={t('{series}, in {unit}', { series: joinList(series.map(({ label }) => label)), unit })}
      series={series}
      points={statements.map((statement) => ({
        t: Date.parse(statement.at),
        values: Object.fromEntries(series.map(({ key, read }) => [key, pointOf(read(statement, asset))])),
      }))}
      missingText={t('not published')}
    />
  )
}

const SERIES = texts('label', [
  { key: 'owed', label: 'Owed', color: 1, read: ({ owed }: ProofStatement, asset: Asset): Units | undefined => owed[asset] },
  {
    key: 'promised',
    label: 'Promised',
    color: 3,
    read: ({ promised }: ProofStatement, asset: Asset): Units | undefined => promised[asset],
  },
  {
    key: 'reserves',
    label: 'Reserves on the chain',
    color: 5,
    read: ({ reserves }: ProofStatement): Units | undefined => {
      const usd = chainUsd(reserves)
      return typeof usd === 'string' ? undefined : usd
    },
  },
])
