import type { ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { toApiError } from '../../lib/http/api.ts'
import { Button } from '../../ui/button.tsx'

export interface ListStateProps {
  /** Query of the list. */
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  rows: number
  /** Text of an empty list: `No requests for you`. */
  none: string
  /** Why the list is empty, and where to look: `3 wait for another person.` */
  hint?: ReactNode
  /** Link or button shown with an empty list. */
  action?: ReactNode
  /** Text of a list emptied by its filter, and the address without the filter. */
  filtered?: { none: string; clear: string } | undefined
}

/** Replaces missing rows by a skeleton, a read error or the empty text (staff.md 6). */
export function ListState({ query, rows, none, hint, action, filtered }: ListStateProps) {
  if (rows > 0) return null
  if (query.error !== null)
    return (
      <div className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink" role="alert">
        <b>The list could not be read</b>
        <span>{toApiError(query.error).message}</span>
        <Button size="sm" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </div>
    )
  if (query.data === undefined) return <RowSkeleton />
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink">
      <b>{filtered?.none ?? none}</b>
      {filtered === undefined ? (
        <>
          {hint !== undefined && <span>{hint}</span>}
          {action}
        </>
      ) : (
        <Button size="sm" onClick={() => navigate(filtered.clear)}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** Skeleton of loading rows. Appears after 150 ms only. */
export function RowSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="grid gap-2 border-b px-3.5 py-3 [&>i]:h-2.5 [&>i]:rounded-sm [&>i]:bg-hover" aria-hidden="true">
          <i className="w-[55%]" />
          <i className="w-[70%]" />
        </div>
      ))}
    </div>
  )
}
