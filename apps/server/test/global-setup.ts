import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Client, Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { startPooler } from '../../../test/pooler.ts'
import { startPostgres } from '../../../test/postgres.ts'
import { migrate, migrateOn } from '../src/platform/db/migrate.ts'
import { keepRecording } from './statement-recording.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Source of test databases: a PostgreSQL server with a template, or the packed embedded database. Test files connect to `socket`,
     * processes that they start to `through` (the same server, or its pooler). The folder `statements` receives the texts of statements
     * sent to PostgreSQL.
     */
    testDatabase:
      | { kind: 'postgres'; url: string; socket: string; through: string; statements: string }
      | { kind: 'embedded'; imageFile: string }
  }
}

/** Name of the migrated template database. */
export const TEMPLATE = 'template_tizara'

/** Pooler limits for two test files in parallel, each with several processes. They need more connections than one instance. */
const MANY_LINES = 'default_pool_size = 40\nmax_client_conn = 1000\n'

/**
 * Prepares an engine for all test files of a project: PostgreSQL (with TEST_POOLER=pgbouncer through the cluster's pooler) or the
 * embedded database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return project.name.includes('embedded') ? setupEmbedded(project) : setupPostgres(project)
}

/**
 * Server settings for tests. They need no crash safety and no WAL, so copying a database writes no log. Autovacuum is off, as it
 * would visit every test database once a minute.
 */
const FOR_TESTS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  jit: 'off',
}

interface StartedServer {
  url: string
  /** URL of the server's Unix socket, or of the pooler. */
  socket: string
  through: string
  /** Folder for statement texts. */
  statements: string
  /** Saves the texts recorded by all files in project `server`. */
  keep(): Promise<void>
  stop(): Promise<void>
}

/** Shares one server between the projects of this process, because Vitest runs each project's setup in separate modules. */
const shared: typeof globalThis & { testServer?: { started: Promise<StartedServer>; projects: number } } = globalThis

async function setupPostgres(project: TestProject) {
  shared.testServer ??= { started: startServer(), projects: 0 }
  const { testServer } = shared
  testServer.projects += 1
  const { url, socket, through, statements, keep, stop } = await testServer.started
  project.provide('testDatabase', { kind: 'postgres', url, socket, through, statements })
  return async () => {
    try {
      if (project.name === 'server' && (await ranInFull(project))) await keep()
    } finally {
      testServer.projects -= 1
      if (testServer.projects === 0) {
        delete shared.testServer
        await stop()
      }
    }
  }
}

async function startServer(): Promise<StartedServer> {
  const server = await startPostgres(FOR_TESTS)
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = server.url.replace(/\/postgres$/, `/${TEMPLATE}`)
  const pool = new Pool({ connectionString: template })
  await migrate(pool)
  await pool.end()
  const statements = mkdtempSync(path.join(tmpdir(), 'statements-'))
  const pooler = process.env['TEST_POOLER'] === 'pgbouncer' ? await startPooler(server.url, MANY_LINES) : undefined
  const keep = () => keepRecording('server', statements, template)
  const stop = async () => {
    rmSync(statements, { recursive: true, force: true })
    await pooler?.stop()
    await server.stop()
  }
  const { url, socketUrl } = server
  return { url, socket: pooler?.url ?? socketUrl, through: pooler?.url ?? url, statements, keep, stop }
}

/** Returns true if a project's files all ran, and not only the selected ones. */
async function ranInFull(project: TestProject): Promise<boolean> {
  const ran = project.vitest.state.getTestModules().filter((module) => module.project.name === project.name)
  return project.vitest.config.testNamePattern === undefined && ran.length === (await project.globTestFiles()).testFiles.length
}

async function setupEmbedded(project: TestProject) {
  const folder = mkdtempSync(path.join(tmpdir(), 'embedded-'))
  const lite = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] })
  await migrateOn(lite)
  const image = await lite.dumpDataDir('none')
  await lite.close()
  const imageFile = path.join(folder, 'image.tar')
  writeFileSync(imageFile, withoutTemplates(Buffer.from(await image.arrayBuffer())))
  project.provide('testDatabase', { kind: 'embedded', imageFile })
  return async () => rmSync(folder, { recursive: true, force: true })
}

/** Directories of the template databases, by their fixed oids in PostgreSQL. */
const TEMPLATES = /^\/?base\/[14]\//

/**
 * Removes the template databases from the image, half of its bytes. Each test database starts by unpacking it, and no test opens
 * them.
 * @param image tar archive: a header of 512 bytes per file, with name and length, and its blocks
 */
function withoutTemplates(image: Buffer): Buffer {
  const kept: Buffer[] = []
  const text = (from: number, length: number) => image.toString('latin1', from, from + length).split('\0')[0] ?? ''
  for (let at = 0, next = 0; at < image.length; at = next) {
    next = at + 512 + Math.ceil(Number.parseInt(text(at + 124, 12) || '0', 8) / 512) * 512
    if (!TEMPLATES.test(text(at, 100))) kept.push(image.subarray(at, next))
  }
  return Buffer.concat(kept)
}
