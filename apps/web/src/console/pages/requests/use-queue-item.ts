import { staffQueueItem } from '@tizara/contract/staff-queues'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryClient, read } from '../../../lib/http/query.ts'
import { watch } from '../../kit/watch.ts'
import type { QueueRow, QueueWords } from './queue.ts'

/** Reads an item. Searches all queues if the link gives no row. */
export function useQueueItem(words: QueueWords, id: string | undefined, row: QueueRow | undefined) {
  // Remembers the queue of rows that left the list.
  const known = useRef(new Map<string, QueueRow['kind']>())
  if (row !== undefined) known.current.set(row.id, row.kind)
  const kind = words.list === 'deposits' ? 'deposits' : known.current.get(id ?? '')
  const kinds = kind === undefined ? (['withdrawals', 'bridges'] as const) : [kind]
  const [first, second] = kinds
  const one = useQuery({
    ...watch(staffQueueItem, { params: { kind: first ?? 'withdrawals', id: id ?? '' } }),
    enabled: id !== undefined,
  })
  const other = useQuery({
    ...watch(staffQueueItem, { params: { kind: second ?? 'bridges', id: id ?? '' } }),
    enabled: id !== undefined && second !== undefined && one.isError,
  })
  return one.data !== undefined || second === undefined ? one : other
}

/** Prefetches a neighbour, so that the next key shows it at once. */
export function usePrefetchedItem(row: QueueRow | undefined): void {
  const [kind, id] = [row?.kind, row?.id]
  useEffect(() => {
    if (kind !== undefined && id !== undefined) void queryClient.prefetchQuery(read(staffQueueItem, { params: { kind, id } }))
  }, [kind, id])
}
