/**
 * `npm run cluster`: runs the machines in deploy/cluster on one machine: three PostgreSQL nodes under Patroni with etcd, HAProxy,
 * PgBouncer in transaction mode, two API processes and two workers, with demo data. Prints all addresses and stops cleanly with
 * Ctrl-C. With root rights each node has a separate network; otherwise all nodes share the loopback interface.
 */
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { waitUntilReady, openCluster } from './instance.ts'

readArguments(import.meta.url)
try {
  const cluster = await openCluster()
  cluster.run('seed')
  for (const one of [...cluster.apis, ...cluster.workers]) one.start()
  await waitUntilReady(cluster.membersUrl)
  const primary = await cluster.database.primary()
  console.log(`Members           ${cluster.membersUrl}
API processes     ${cluster.apis.map(({ url }) => url).join(', ')}
Database machines ${cluster.database.machines.map(({ name, address }) => `${name} ${address}${name === primary.name ? ' (primary)' : ''}`).join(', ')}
Writes            ${cluster.ownerUrl}
Through PgBouncer ${cluster.databaseUrl}
                  ${cluster.readUrl}
Logs              ${cluster.folder}
Ctrl-C ends it and removes all of it.`)
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void cluster.close().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
