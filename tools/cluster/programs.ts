import { existsSync } from 'node:fs'
import path from 'node:path'
import { findPostgres } from '../../test/postgres.ts'

/** Programs that a cluster is made of, with the Debian package that brings each. */
const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  psql: 'postgresql-client',
} as const
export type Programs = Record<keyof typeof PACKAGES | 'postgres', string>

const PLACES = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const find = (name: string): string | undefined => PLACES.map((folder) => path.join(folder, name)).find((file) => existsSync(file))

/**
 * Where the programs of a cluster are; `postgres` is the folder with the server's.
 * @throws Error with the line that installs what is missing
 */
export function findPrograms(): Programs {
  const found = Object.keys(PACKAGES).map((name) => [name, find(name)] as const)
  const bin = findPostgres()
  const missing: string[] = found.flatMap(([name, file]) => (file === undefined ? [PACKAGES[name as keyof typeof PACKAGES]] : []))
  // Patroni repairs an old primary with pg_rewind, which the npm package of PostgreSQL leaves out.
  if (!existsSync(path.join(bin, 'pg_rewind'))) missing.push('postgresql')
  if (missing.length > 0)
    throw new Error(`a cluster needs programs that are not here: apt-get install --no-install-recommends ${missing.join(' ')}`)
  return { ...(Object.fromEntries(found) as Record<keyof typeof PACKAGES, string>), postgres: bin }
}
