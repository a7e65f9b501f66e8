import { spawn } from 'node:child_process'

/** A tool of PostgreSQL ended badly, or is not there. */
class ToolFailed extends Error {}

/**
 * Runs a tool of PostgreSQL against a database. The password travels in the environment: arguments can be seen by everybody
 * on the machine.
 */
export async function runTool(tool: 'pg_dump' | 'pg_restore', databaseUrl: string, args: readonly string[]): Promise<void> {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  const env = {
    ...process.env,
    PGHOST: host,
    PGPORT: url.port === '' ? '5432' : url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    ...(url.searchParams.get('sslmode') === null ? {} : { PGSSLMODE: url.searchParams.get('sslmode') ?? '' }),
  }
  const child = spawn(tool, args, { env, stdio: ['ignore', 'inherit', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => (said += String(text)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new ToolFailed(`${tool} is not there: apt-get install postgresql-client`)))
    child.once('exit', resolve)
  })
  if (code !== 0) throw new ToolFailed(`${tool}: ${said.trim().split('\n').slice(0, 3).join(' ')}`)
}
