import { chainUsd, type ProofStatement } from '@tizara/contract/balance-proof/proof-statement'
import { formatUnits, type Units } from '@tizara/money'
import { AreaChart } from '../ui/charts/area-chart.tsx'

/** Charts one published figure over time. */
export function HistoryChart({ statements, unit, figure }: { statements: readonly ProofStatement[]; unit: string; figure: Figure }) {
  const points = statements.flatMap((statement) => {
    const value = FIGURES[figure].read(statement)
    // For drawing only; the readout has the exact amount.
    return value === undefined
      ? []
      : [{ t: Date.parse(statement.at), v: Number(formatUnits(value)), text: `${formatUnits(value)} ${unit}` }]
  })
  const { label, color } = FIGURES[figure]
  return (
    <AreaChart label={`${label}, in ${unit}`} points={points} zero color={color} height={140} emptyText="No reserves were published." />
  )
}

export type Figure = 'owedUsd' | 'promisedUsd' | 'reserves' | 'owedCoin' | 'promisedCoin'

const FIGURES: Readonly<Record<Figure, { label: string; color: number; read: (statement: ProofStatement) => Units | undefined }>> = {
  owedUsd: { label: 'Owed', color: 1, read: ({ owed }) => owed.usd },
  promisedUsd: { label: 'Promised', color: 2, read: ({ promised }) => promised.usd },
  reserves: {
    label: 'Reserves on the chain',
    color: 3,
    read: ({ reserves }) => {
      const usd = chainUsd(reserves)
      return typeof usd === 'string' ? undefined : usd
    },
  },
  owedCoin: { label: 'Owed', color: 1, read: ({ owed }) => owed.coin },
  promisedCoin: { label: 'Promised', color: 2, read: ({ promised }) => promised.coin },
}
