import type { Retention } from '../../jobs/retention.ts'

/** A key is good for a month, far beyond any client's attempts; a window of a limit for a day. */
export const httpRetention: readonly Retention[] = [
  { table: 'idempotency', moment: 'created_at', days: 30 },
  { table: 'rate_limit', moment: 'window_start', days: 1 },
]
