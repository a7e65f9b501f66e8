import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { PostgresServer } from '../../test/postgres.ts'

const run = promisify(execFile)

function pgbench(server: PostgresServer): string {
  const beside = path.join(server.binDir, 'pgbench')
  return existsSync(beside) ? beside : 'pgbench'
}

/**
 * Creates a database with pgbench's tables.
 * @param scale pgbench's scale factor: 100,000 accounts each
 * @returns the database's URL
 */
export async function createPgbenchDatabase(server: PostgresServer, scale: number): Promise<string> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database pgbench')
  await client.end()
  const url = server.url.replace(/\/postgres$/, '/pgbench')
  await run(pgbench(server), ['-i', '-q', '-s', String(scale), url])
  return url
}

/**
 * Runs pgbench's TPC-B-like transaction.
 * @returns transactions per second
 */
export async function tpcb(
  server: PostgresServer,
  url: string,
  load: { clients: number; threads: number; seconds: number },
): Promise<number> {
  const size = ['-c', String(load.clients), '-j', String(load.threads), '-T', String(load.seconds)]
  const { stdout } = await run(pgbench(server), ['-b', 'tpcb-like', '-n', ...size, url])
  const found = /tps = ([\d.]+) \(without/.exec(stdout)
  if (found === null) throw new Error(`pgbench printed no figure: ${stdout}`)
  return Number(found[1])
}
