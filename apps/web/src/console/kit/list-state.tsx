import type { ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { toApiError } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'

export interface ListStateProps {
  /** The read behind the list. */
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  rows: number
  /** What an empty list says: `Nothing waits for you`. */
  none: string
  /** Why it is empty and what there is elsewhere: `3 wait for another person.` */
  hint?: ReactNode
  /** The way on. */
  action?: ReactNode
  /** What a list says that is empty because of its filter, and the address without it. */
  filtered?: { none: string; clear: string } | undefined
}

/** What stands in place of rows: their shape while they come, why they could not be read, or that there are none (staff.md 6). */
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

/** Rows that are on their way; shown only when they take longer than 150 ms. */
export function RowSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: 4 }, (_, place) => (
        <div key={place} className="grid gap-2 border-b px-3.5 py-3 [&>i]:h-2.5 [&>i]:rounded-sm [&>i]:bg-hover" aria-hidden="true">
          <i className="w-[55%]" />
          <i className="w-[70%]" />
        </div>
      ))}
    </div>
  )
}
