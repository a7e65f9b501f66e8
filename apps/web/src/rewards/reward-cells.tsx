import type { Asset } from '@tizara/contract/wallet-keys'
import { translateResponse } from '@tizara/contract/response-texts'
import type { RewardStatus } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { formatDate } from '../lib/format.ts'
import { unitOf } from '../lib/asset-unit.ts'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { DescriptionRow } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import type { Precision } from '../ui/money-format.ts'

/** Fields that this server adds to every reward row. */
interface RewardState {
  status?: RewardStatus | undefined
  releaseAt?: Date | undefined
  reason?: string | undefined
}

const STATES = texts<Readonly<Record<RewardStatus, { word: string; tone: Tone; means: string }>>>(['word', 'means'], {
  paid: { word: 'Paid', tone: 'success', means: 'In your wallet' },
  owed: { word: 'Owed', tone: 'warning', means: 'Earned; paid as soon as the reward pool is funded' },
  held: { word: 'Held', tone: 'warning', means: 'Earned, not yet due' },
  reversed: { word: 'Reversed', tone: 'danger', means: 'Taken back' },
  unearned: { word: 'No reward', tone: 'neutral', means: 'This purchase earned nothing' },
})

/** Returns the badge of a reward that is not in the wallet. */
export function rewardMark({ status }: RewardState, className?: string): ReactNode {
  if (status === undefined || status === 'paid') return undefined
  const { word, tone } = STATES[status]
  return (
    <Badge tone={tone} className={className}>
      {word}
    </Badge>
  )
}

/** Shows a reward's amount with its badge. Phones show the badge in the second line (`rewardMark`). */
export function RewardAmount({ amount, asset, row, precision }: { amount: Units; asset: Asset; row: RewardState; precision: Precision }) {
  const figure = <Money value={amount} unit={unitOf(asset)} decimals={precision} />
  if (row.status === undefined || row.status === 'paid') return figure
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {rewardMark(row, 'duo:hidden')}
      {figure}
      {row.reason !== undefined && <span className="basis-full text-faint duo:hidden">{translateResponse(row.reason, t)}</span>}
    </span>
  )
}

export const rewardColumn = <Row extends RewardState>(
  key: string,
  header: string,
  asset: Asset,
  amountOf: (row: Row) => Units,
): ListColumn<Row> => ({
  key,
  header,
  phone: 'amount',
  align: 'right',
  asset,
  mark: (row) => rewardMark(row),
  value: amountOf,
  cell: (row, _, precision) => <RewardAmount amount={amountOf(row)} asset={asset} row={row} precision={precision} />,
})

/** CSV column that replaces the badge: the state if an amount is not in the wallet. */
export const stateColumn = texts<ListColumn<RewardState>>('header', {
  key: 'state',
  header: 'State',
  exportOnly: true,
  value: ({ status }) => (status === undefined || status === 'paid' ? undefined : STATES[status].word),
})

export function rewardDetails(row: RewardState): DescriptionRow[] {
  if (row.status === undefined) return []
  const { word, means } = STATES[row.status]
  return [
    { key: 'state', label: t('State'), value: word, hint: means },
    ...(row.reason === undefined ? [] : [{ key: 'reason', label: t('Reason'), value: translateResponse(row.reason, t) }]),
    ...(row.releaseAt === undefined ? [] : [{ key: 'release', label: t('Paid out on'), value: formatDate(row.releaseAt) }]),
  ]
}

/** Shows a person's email and name on two lines. */
export function Person({ email, name }: { email: string; name: string }) {
  return (
    <>
      <span className="block break-all">{email}</span>
      <span className="block text-faint duo:hidden">{name}</span>
    </>
  )
}

/** Returns a plan with its duration: Gold 365D. */
export const planWithDuration = (plan: { planName: string; duration: number }): string => `${plan.planName} ${plan.duration}D`

export const months = (count: number): string => t('{count, plural, one {{count} month} other {{count} months}}', { count })
