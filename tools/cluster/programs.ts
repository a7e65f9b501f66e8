import { existsSync } from 'node:fs'
import path from 'node:path'
import { findPostgres } from '../../test/postgres.ts'

/** Programs of a cluster, with their Debian packages. */
const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  psql: 'postgresql-client',
} as const
export type Programs = Record<keyof typeof PACKAGES | 'postgres', string>

const SEARCH_PATH = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const find = (name: string): string | undefined => SEARCH_PATH.map((folder) => path.join(folder, name)).find((file) => existsSync(file))

/**
 * Locates the cluster's programs. `postgres` is the folder of the server's programs.
 * @throws Error with the install command for missing packages
 */
export function findPrograms(): Programs {
  const found = Object.keys(PACKAGES).map((name) => [name, find(name)] as const)
  const bin = findPostgres()
  const missing: string[] = found.flatMap(([name, file]) => (file === undefined ? [PACKAGES[name as keyof typeof PACKAGES]] : []))
  // Patroni repairs an old primary with pg_rewind, which PostgreSQL's npm package omits.
  if (!existsSync(path.join(bin, 'pg_rewind'))) missing.push('postgresql')
  if (missing.length > 0)
    throw new Error(`a cluster needs programs that are not here: apt-get install --no-install-recommends ${missing.join(' ')}`)
  return { ...(Object.fromEntries(found) as Record<keyof typeof PACKAGES, string>), postgres: bin }
}
