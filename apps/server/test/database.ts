import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../src/platform/db/database.ts'
import { startEmbeddedInMemory } from '../src/platform/embedded/embedded.ts'
import { TEMPLATE } from './global-setup.ts'
import { onFileEnd } from './on-file-end.ts'
import { recordStatements } from './record-statements.ts'

/** Migrated, empty database for one test file, with its URL for further connections. */
export interface TestDatabase extends Database {
  /** PostgreSQL URL, or undefined on the embedded engine. */
  url: string | undefined
}

/**
 * Opens a new database for the test file, on its project's engine. The database is dropped when the file ends.
 * @param max maximum connections of the pool
 */
export async function testDatabase(max = 20): Promise<TestDatabase> {
  const source = inject('testDatabase')
  const opened = source.kind === 'postgres' ? await onPostgres(source, max) : await onEmbedded(source.imageFile, max)
  onFileEnd(opened.end)
  return opened.database
}

/** Opens a database without a schema. It is dropped when the file ends. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const source = inject('testDatabase')
  const opened = source.kind === 'postgres' ? await onPostgres(source, 20, 'template1') : await onEmbedded(null, 20)
  onFileEnd(opened.end)
  return opened.database
}

async function onPostgres(server: { url: string; socket: string; through: string; statements: string }, max: number, template = TEMPLATE) {
  recordStatements(server.statements)
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  const at = (address: string) => address.replace(/\/postgres$/, `/${name}`)
  const url = at(server.through)
  const database = openDatabase({ url: at(server.socket) }, { max })
  const end = async () => {
    await database.close()
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  }
  return { database: { ...database, url }, end }
}

async function onEmbedded(imageFile: string | null, max: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lite-'))
  const embedded = await startEmbeddedInMemory(folder, imageFile === null ? null : readFileSync(imageFile))
  const database = openDatabase({ socketDir: folder }, { max: Math.min(max, 8) })
  const end = async () => {
    await database.close()
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { database: { ...database, url: undefined }, end }
}

/** Returns the URL that bypasses the cluster tests' pooler. */
export function direct(database: string): string {
  const [server, url] = [inject('testDatabase'), new URL(database)]
  if (server.kind === 'postgres') url.port = new URL(server.url).port
  return url.href
}
