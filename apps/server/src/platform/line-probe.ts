import { Client, type PoolClient } from 'pg'

const PROBE_MS = 3_000

/** What is asked of a line's far end: who answers, and whether the line's own session is at work there. */
const ASK = `select pg_backend_pid() as own, exists (
  select from pg_stat_activity where pid = $1 and state = 'active'
    and abs(extract(epoch from clock_timestamp() - backend_start) - $2::float) < 5) as working`

/**
 * Whether a line that says nothing is at work, asked on a line of its own: the database answers, and knows the session as
 * one that works since that moment. Behind a pooler sessions have no number; there an answer is enough.
 * @param age milliseconds since the line was opened
 */
export async function lineAnswers(client: PoolClient, age: number): Promise<boolean> {
  const { connectionParameters: at, processID } = client as PoolClient & { connectionParameters: object; processID: number }
  const probe = new Client({ ...at, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  probe.on('error', () => undefined)
  try {
    await probe.connect()
    const { rows } = await probe.query<{ own: number; working: boolean }>(ASK, [processID, age / 1_000])
    const { processID: told } = probe as Client & { processID?: number }
    return rows[0]?.own !== told || rows[0]?.working === true
  } catch (error) {
    // No line is free: the database is there.
    return error instanceof Error && 'code' in error && error.code === '53300'
  } finally {
    void probe.end().catch(() => undefined)
  }
}
