import type { ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { toApiError } from '../../lib/api.ts'

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
      <div className="nothing" role="alert">
        <b>The list could not be read</b>
        <span>{toApiError(query.error).message}</span>
        <button type="button" className="btn sm" onClick={() => void query.refetch()}>
          Try again
        </button>
      </div>
    )
  if (query.data === undefined) return <RowSkeleton />
  return (
    <div className="nothing">
      <b>{filtered?.none ?? none}</b>
      {filtered === undefined ? (
        <>
          {hint !== undefined && <span>{hint}</span>}
          {action}
        </>
      ) : (
        <button type="button" className="btn sm" onClick={() => navigate(filtered.clear)}>
          Clear
        </button>
      )}
    </div>
  )
}

/** Rows that are on their way; shown only when they take longer than 150 ms. */
export function RowSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: 4 }, (_, place) => (
        <div key={place} className="skeleton" aria-hidden="true">
          <i style={{ width: '55%' }} />
          <i style={{ width: '70%' }} />
        </div>
      ))}
    </div>
  )
}
