import { navigate } from 'wouter/use-browser-location'
import { useAppConfig } from '../../../settings/index.ts'
import { toApiError } from '../../../lib/http/api.ts'
import { Money } from '../../../ui/money.tsx'
import { ListState, type ListStateProps } from '../../kit/list-parts.tsx'
import { useOverview } from '../../kit/overview.ts'
import type { QueueRow, QueueWords, QueueFilter } from './queue.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { PaneFoot } from '../../../ui/split.tsx'
import { Kbd } from '../../../ui/kbd.tsx'

export function State({ item }: { item: QueueRow }) {
  if (item.status === 'APPROVED') return <Badge tone="success">Approved</Badge>
  if (item.status === 'REJECTED') return <Badge tone="danger">Rejected</Badge>
  return <Badge tone="accent">{(item.approvals ?? []).length > 0 ? 'Awaiting second approval' : 'Awaiting approval'}</Badge>
}

export function NoSelection({ id, error, none }: { id: string | undefined; error: Error | null; none: boolean }) {
  if (id === undefined)
    return none ? null : (
      <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink max-md:hidden">
        Select one with J, or click a row.
      </p>
    )
  return (
    <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink">
      {error === null ? 'Loading' : toApiError(error).statusCode === 404 ? 'Request not found' : 'It could not be read'}
    </p>
  )
}

export function Nothing({
  list,
  words,
  view,
  filtered,
}: {
  list: ListStateProps['query']
  words: QueueWords
  view: QueueFilter
  filtered: boolean
}) {
  const work = useOverview().data?.work?.[words.list]
  const others = view !== 'me' || work === undefined ? 0 : work.count - work.forMe
  return (
    <ListState
      query={list}
      rows={0}
      none={view === 'me' ? 'No requests for you' : 'No requests'}
      hint={others > 0 ? `${others} wait for another person.` : undefined}
      action={
        view === 'me' && (
          <Button size="sm" onClick={() => navigate(`${words.path}?for=${others > 0 ? 'others' : 'decided'}`)}>
            {others > 0 ? `Show those ${others}` : 'Show decided requests'}
          </Button>
        )
      }
      filtered={filtered ? { none: `No ${words.one} matches`, clear: words.path } : undefined}
    />
  )
}

/** Shows the total of the loaded rows and the list's keys. */
export function Sums({ rows, whole, order }: { rows: readonly QueueRow[]; whole: boolean; order: string }) {
  const { tokenSymbol } = useAppConfig()
  const sum = (asset: QueueRow['asset']) => rows.reduce((total, row) => (row.asset === asset ? total + row.amount : total), 0n)
  const sums = (
    [
      ['usd', 'USD'],
      ['coin', tokenSymbol],
    ] as const
  )
    .map(([asset, unit]) => [sum(asset), unit] as const)
    .filter(([value]) => value > 0n)
  return (
    <PaneFoot className="text-xs text-muted max-md:hidden">
      <span className="min-w-0 flex-1 truncate">
        {sums.map(([value, unit], index) => (
          <span key={unit}>
            {index > 0 && ', '}
            <Money value={value} unit={unit} />
          </span>
        ))}
        {!whole && ` in the first ${rows.length}`}
      </span>
      <span className="text-faint">{order}</span>
      <span className="flex min-w-0 items-center gap-[3px]" aria-hidden="true">
        {['J', 'K', 'X'].map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </PaneFoot>
  )
}
