import { Client } from 'pg'

/** Pause between two polls in ms. */
const POLL_INTERVAL_MS = 500

/** Measures the time between the starts of each job. */
export interface WatchedJobs {
  /** Returns the job with the longest time without a start since the previous call, and this time in seconds. */
  longest(): { job: string; seconds: number }
  stop(): void
}

/** Polls the job leases while the database answers. */
export function watchJobs(url: string): WatchedJobs {
  const began = new Map<string, number>()
  let max = { job: '', seconds: 0 }
  let stopped = false
  const poll = async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ name: string; began: Date; now: Date }>(
        'select name, last_started_at as began, clock_timestamp() as now from job_lease',
      )
      for (const row of rows) {
        const last = began.get(row.name) ?? row.began.getTime()
        began.set(row.name, row.began.getTime())
        const next = row.began.getTime() > last ? row.began : row.now
        const seconds = (next.getTime() - last) / 1000
        if (seconds > max.seconds) max = { job: row.name, seconds }
      }
    } catch {
      // Retries at the next poll.
    }
    await client.end().catch(() => undefined)
    if (!stopped) setTimeout(() => void poll(), POLL_INTERVAL_MS)
  }
  void poll()
  return {
    longest: () => {
      const found = max
      max = { job: '', seconds: 0 }
      return found
    },
    stop: () => {
      stopped = true
    },
  }
}
