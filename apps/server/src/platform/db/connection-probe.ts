import { Client, type PoolClient } from 'pg'

const PROBE_MS = 3_000

const ASK = `select exists (select from pg_stat_activity where application_name = $1 and state = 'active') as working`

/**
 * Whether the database works for a line that says nothing, asked on a line of its own. The sessions behind it are found by
 * the name that each transaction of the line gives them: behind a pooler they have no number that is known here.
 * @param name the line's, as its transactions set it
 */
export async function isAtWork(client: PoolClient, name: string): Promise<boolean> {
  const { connectionParameters: at } = client as PoolClient & { connectionParameters: object }
  const probe = new Client({ ...at, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  probe.on('error', () => undefined)
  try {
    await probe.connect()
    const { rows } = await probe.query<{ working: boolean }>(ASK, [name])
    return rows[0]?.working === true
  } catch (error) {
    // No line is free: the database is there.
    return error instanceof Error && 'code' in error && error.code === '53300'
  } finally {
    void probe.end().catch(() => undefined)
  }
}
