import { Client, type PoolClient } from 'pg'

const PROBE_MS = 3_000

const ASK = `select exists (select from pg_stat_activity where application_name = $1 and state = 'active') as working`

/**
 * Returns true if the database still executes the statement of a silent connection. A second connection asks for the session by name,
 * because a pooler hides the process id.
 * @param name name of the silent connection, set in each transaction
 */
export async function isStatementActive(client: PoolClient, name: string): Promise<boolean> {
  const { connectionParameters: at } = client as PoolClient & { connectionParameters: object }
  const probe = new Client({ ...at, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  probe.on('error', () => undefined)
  try {
    await probe.connect()
    const { rows } = await probe.query<{ working: boolean }>(ASK, [name])
    return rows[0]?.working === true
  } catch (error) {
    // A busy pool still proves that the database is reachable.
    return error instanceof Error && 'code' in error && error.code === '53300'
  } finally {
    void probe.end().catch(() => undefined)
  }
}
