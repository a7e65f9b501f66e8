import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { toApiError } from './api.ts'

/** Parts of a query that decide about a new try. */
interface LoadState {
  data: unknown
  error: Error | null
  refetch: () => Promise<unknown>
}

/**
 * Returns the button of an empty state whose load failed; undefined otherwise, and if the server lacks the call. The automatic retries
 * are over by then. It names no error (LS-06, ER-67; docs/decisions/0039-failed-lists-offer-a-retry.md).
 */
export function tryAgain({ data, error, refetch }: LoadState): ReactNode {
  if (data !== undefined || error === null || toApiError(error).statusCode === 404) return undefined
  return <Button onClick={() => void refetch()}>Try again</Button>
}
